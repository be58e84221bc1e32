"""Walks over the parse of a question and writes down the triples that it speaks of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_masks import DESCRIPTORS
from mder.reasoners.syntax.query_verbs import verb_words
from mder.reasoners.syntax.roles import ATTRIBUTES, PERSONS, TRANSPARENT, counts, has
from mder.reasoners.syntax.verbs import predicate
from mder.records import QueryTriple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ASKED = "?"
_WH = frozenset({"WP", "WDT", "WRB", "WP$"})
_CLAUSES = frozenset({"relcl", "acl"})
_NAMING = frozenset({"called", "named", "titled", "entitled"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})

# What a verb is tied to: the words between (a preposition, mostly), and the value.
Link = tuple[tuple[str, ...], str]


class Walk:
    """Triples of one parsed question; unknown values are ``"?"`` (asked for), ``"?1"``, ``"?2"``.

    :param names: leads from a stand-in to the name.
    """

    def __init__(self, doc: "Doc", names: Mapping[str, str]) -> None:
        self.doc = doc
        self.names = names
        self.triples: list[QueryTriple] = []
        self.asked: Token | None = None
        self._anchors = set(names.values())
        self._values: dict[int, str] = {}
        self._fresh = 0

    def read(self) -> None:
        """Read every sentence."""
        for sentence in self.doc.sents:
            root = sentence.root
            if root.pos_ in {"VERB", "AUX"} or any(t.dep_ in _SUBJECTS for t in root.children):
                self._clause(root)
            else:
                self.value(root)

    def emit(self, subject: str, words: str, target: str) -> None:
        """Note a triple, unless it says nothing or was said before."""
        triple = QueryTriple(subject, words, target)
        if subject and target and subject != target and triple not in self.triples:
            self.triples.append(triple)

    def fresh(self) -> str:
        """Return an unknown that was not used before."""
        self._fresh += 1
        return f"{ASKED}{self._fresh}"

    def values(self, token: "Token") -> list[str]:
        """Return the values of a token and of what is coordinated with it."""
        found = [self.value(token)]
        for child in token.conjuncts if token.dep_ != "conj" else ():
            if child.pos_ in {"NOUN", "PROPN", "PRON"}:
                found.append(self.value(child))
        return [value for value in found if value]

    def value(self, token: "Token", owner: str = "") -> str:
        """Return a name, an unknown or plain words, noting what is said of it on the way.

        :param owner: what the token is had by, where a verb says so.
        """
        if token.i not in self._values:
            self._values[token.i] = self._start(token)
            self._values[token.i] = self._find(token, owner)
        return self._values[token.i]

    def _start(self, token: "Token") -> str:
        """Return what a token means before what stands around it is read."""
        if token.text in self.names:
            return self.names[token.text]
        return ASKED if self._asks(token) else ""

    def _asks(self, token: "Token") -> bool:
        """Say whether a token is a question word, or a noun with one: "which river"."""
        if token.tag_ in _WH:
            return True
        asked = (
            counts(token)
            or any(t.tag_ in {"WDT", "WP"} and t.dep_ == "det" for t in token.lefts)
            or _preposition(token) is not None
        )
        if asked and self.asked is None:
            self.asked = token
        return asked

    def _find(self, token: "Token", owner: str) -> str:
        if token.text in self.names:
            self._modifiers(token, self.names[token.text])
            return self.names[token.text]
        if token.tag_ in _WH:
            self.asked = self.asked or token
            return ASKED
        if token.pos_ in {"PRON", "DET", "ADV"}:
            return ""
        return self._noun(token, owner)

    def _noun(self, noun: "Token", owner: str) -> str:
        inner = self._inner_name(noun)
        if inner is not None:
            self._modifiers(noun, self.value(inner))
            return self.value(inner)
        behind = self._objects_of(noun, "of")
        if noun.lemma_ in TRANSPARENT and behind:
            if self._values[noun.i] and behind[0].i not in self._values:
                self._values[behind[0].i] = self._values[noun.i]
                self._find(behind[0], "")
            return self.value(behind[0])
        owners = [owner] if owner else self._owners(noun)
        value = self._values[noun.i] or (self.fresh() if owners or self._told(noun) else "")
        for one in owners:
            self.emit(one, has(noun), value)
        if value:
            self._values[noun.i] = value
            self._modifiers(noun, value)
        return value or self._plain(noun)

    def _plain(self, noun: "Token") -> str:
        """Return a noun with its modifiers; one that holds a name is an anchor: "Mach number"."""
        kept = [t for t in noun.lefts if t.dep_ in {"amod", "compound", "nmod"}]
        span = self.doc[min((t.left_edge.i for t in kept), default=noun.i) : noun.i + 1]
        text = "".join(self.names.get(t.text, t.text) + t.whitespace_ for t in span).strip()
        if any(self._named(t) for t in kept):
            self._anchors.add(text)
        return text

    def _inner_name(self, noun: "Token") -> "Token | None":
        """Return the name that a noun only describes: "a song called N", "the brand N"."""
        for child in noun.children:
            if child.dep_ in {"appos", "oprd"} and child.text in self.names:
                return child
            if child.dep_ == "compound" and child.text in self.names and noun.lemma_ in DESCRIPTORS:
                return child
            if _naming(child):
                named = next((t for t in child.children if t.text in self.names), None)
                if named is not None:
                    return named
        return None

    def _owners(self, noun: "Token") -> list[str]:
        tokens = [t for t in noun.children if t.dep_ == "poss"]
        tokens += self._objects_of(noun, "of")
        if noun.lemma_ in PERSONS:
            tokens += [t for t in noun.lefts if t.dep_ in {"compound", "nmod"} and self._named(t)]
        owners = [value for token in tokens for value in self.values(token)]
        return [o for o in owners if o.startswith(ASKED) or o in self._anchors] or owners

    def _named(self, token: "Token") -> bool:
        return token.text in self.names

    def _objects_of(self, token: "Token", *words: str) -> list["Token"]:
        return [
            inner
            for child in token.children
            if child.dep_ == "prep" and child.lower_ in words
            for inner in child.children
            if inner.dep_ == "pobj"
        ]

    def _told(self, noun: "Token") -> bool:
        """Say whether a clause or a preposition behind a noun tells which one it is."""
        if _detached(noun) or any(t.dep_ in _CLAUSES for t in noun.children):
            return True
        return noun.dep_ != "dobj" and any(
            self._named(t) or t.tag_ in _WH or t.pos_ == "PROPN"
            for child in noun.children
            if child.dep_ == "prep"
            for t in child.subtree
        )

    def _modifiers(self, token: "Token", value: str) -> None:
        for child in (*token.children, *_detached(token)):
            if child.dep_ in {*_CLAUSES, "pcomp"} and not _naming(child):
                self._clause(child, value)
            elif child.dep_ == "prep" and child.lower_ != "of":
                for inner in self._pobjs(child):
                    self.emit(value, predicate(["is", child.lower_]), self._binding(inner))
            elif child.dep_ == "appos" and not self._named(child) and child.pos_ == "NOUN":
                self._values[child.i] = value
                self._modifiers(child, value)

    def _binding(self, token: "Token") -> str:
        """Return a value that can bind something, or nothing for plain words."""
        value = self.value(token)
        return value if value.startswith(ASKED) or value in self._anchors else ""

    def _pobjs(self, preposition: "Token") -> Iterator["Token"]:
        for child in preposition.children:
            if child.dep_ == "pobj":
                yield child
            elif child.dep_ == "prep":
                yield from self._pobjs(child)

    def _clause(self, verb: "Token", gap: str = "", inherited: Sequence[str] = ()) -> None:
        """Read a verb with all that hangs on it.

        :param gap: the value that a relative clause tells about.
        :param inherited: subjects of the verb that this one shares its subject with.
        """
        relative = self._relate(verb, gap) if gap else False
        own = [t for t in verb.children if t.dep_ in _SUBJECTS]
        fronted = _fronted(verb, own)
        own = [t for t in own if t != fronted]
        if verb.lemma_ == "be" and gap and not relative and self._part(verb, own, gap):
            return
        if verb.lemma_ == "be" and self._copula(verb, own):
            self._further(verb, [v for t in own for v in self.values(t)])
            return
        subjects = [v for t in own for v in self.values(t)] or list(inherited)
        if gap and not relative and not subjects:
            subjects, relative = [gap], True
        links = self._links(verb, subjects)
        if fronted is not None:
            links.append((self._stranded(verb), self.value(fronted)))
        if gap and not relative:
            links.append((self._stranded(verb), gap))
        self._state(verb, subjects, links)
        self._further(verb, subjects)

    def _relate(self, verb: "Token", gap: str) -> bool:
        """Let the relative pronouns of a clause stand for what it tells about."""
        found = False
        for token in verb.subtree:
            pronoun = token.tag_ in _WH and token.dep_ not in {"det"}
            nearest = next((a for a in token.ancestors if a.dep_ in _CLAUSES), None)
            if pronoun and nearest == verb and (token.i < verb.i or token.tag_ == "WP$"):
                self._values[token.i] = gap
                found = True
        return found

    def _copula(self, verb: "Token", subjects: Sequence["Token"]) -> bool:
        """Read "A is B"; False where the verb is to be read like any other."""
        attributes = [t for t in verb.children if t.dep_ == "attr"]
        where = next((t for t in verb.children if t.dep_ == "advmod" and t.tag_ == "WRB"), None)
        if any(t.dep_ == "expl" or t.lower_ == "there" for t in verb.children):
            return self._there(verb, [*subjects, *attributes])
        nominals = [*subjects, *attributes]
        if where is not None and len(nominals) == 1 and where.i not in self._values:
            return self._where(where, nominals[0])
        if len(nominals) != 2:
            return False
        first, second = sorted(nominals, key=lambda t: not self._fixed(t) and not self._asks(t))
        if self._stranded(verb):
            words = predicate(["is", *self._stranded(verb)])
            self.emit(self.value(second), words, self.value(first))
            return True
        self._equate(first, second)
        for phrase in (t for t in verb.children if t.dep_ == "prep"):
            for inner in self._pobjs(phrase):
                self.emit(self.value(first), predicate(["is", phrase.lower_]), self._binding(inner))
        return True

    def _part(self, verb: "Token", subjects: Sequence["Token"], gap: str) -> bool:
        """Read "(the league that) N is a member of"."""
        noun = next((t for t in verb.children if t.dep_ == "attr"), None)
        if noun is None or not subjects or not self._stranded(noun):
            return False
        for value in self.values(subjects[0]):
            self.emit(gap, has(noun), value)
        return True

    def _fixed(self, token: "Token") -> bool:
        return token.i in self._values or token.tag_ in _WH or self._named(token)

    def _equate(self, first: "Token", second: "Token") -> None:
        """Let the second noun be the first: "who is the mayor of N"."""
        value = self.value(first)
        preposition = _preposition(first)
        if preposition is not None:
            self.emit(self.value(second), predicate(["is", preposition.lower_]), value)
            return
        if value == ASKED and first.pos_ == "NOUN" and (
            self._named(second) or first.lemma_ in ATTRIBUTES
        ):
            self.emit(self.value(second), has(first), value)
            return
        if self._named(second):
            self.emit(self.value(second), "IS_A", value)
            return
        if value != ASKED and self._asks(second):
            self.emit(value, has(second), ASKED)
            return
        if not self._named(first) or self._owned(second):
            self._values[second.i] = value
        if value == ASKED and first.lower_ in {"what", "which"}:
            self.asked = second
        found = self._find(second, "") if second.i in self._values else self.value(second)
        if found == value and value != ASKED:
            self._describe(value, second)
        elif found != value:
            self.emit(value, "IS_A", found)

    def _owned(self, noun: "Token") -> bool:
        return any(t.dep_ == "poss" for t in noun.children) or bool(self._objects_of(noun, "of"))

    def _describe(self, value: str, noun: "Token") -> None:
        if not self._owned(noun):
            self.emit(value, "IS_A", self._plain(noun))

    def _where(self, adverb: "Token", noun: "Token") -> bool:
        """Read "where is N" and "when is the birthday of N"."""
        self.asked = self.asked or adverb
        if self._named(noun) or not self._owned(noun):
            words = "IS_LOCATED_IN" if adverb.lower_ == "where" else "IS_ON"
            self.emit(self.value(noun), words, ASKED)
        elif noun.lemma_.lower() in PERSONS:
            self.emit(self.value(noun), "IS_IN", ASKED)
        else:
            self._values[noun.i] = ASKED
            self._find(noun, "")
        return True

    def _there(self, verb: "Token", nominals: Sequence["Token"]) -> bool:
        """Read "how many N are there in M" as what M has."""
        noun = next((t for t in nominals if t.pos_ == "NOUN"), None)
        phrases = [t for t in verb.children if t.dep_ == "prep"]
        phrases += [t for t in noun.children if t.dep_ == "prep"] if noun is not None else []
        for phrase in phrases:
            for inner in self._pobjs(phrase):
                if noun is not None:
                    self.emit(self.value(inner), has(noun), self.value(noun))
        return noun is not None

    def _links(self, verb: "Token", subjects: Sequence[str]) -> list[Link]:
        links: list[Link] = []
        having = verb.lemma_ == "have"
        for child in verb.children:
            if child.dep_ in _OBJECTS or (child.dep_ == "npadvmod" and self._asks(child)):
                owner = subjects[0] if having and subjects and not self._named(child) else ""
                values = [self.value(child, owner)] if owner else self.values(child)
                behind = self._behind(child) if not self._binds(values[0]) else []
                links += behind or ([] if owner else [((), v) for v in values])
            elif child.dep_ in {"prep", "agent"}:
                links += self._phrase(child, ())
            elif child.dep_ == "acomp":
                links += self._complement(child)
            elif child.dep_ == "advmod":
                links += self._adverb(child, verb)
        return links

    def _behind(self, noun: "Token") -> list[Link]:
        """Return the links through a plain object: "shares a border with N"."""
        words = (noun.lower_,)
        phrases = [t for t in noun.children if t.dep_ == "prep" and t.lower_ != "of"]
        return [link for phrase in phrases for link in self._phrase(phrase, words)]

    def _phrase(self, preposition: "Token", before: tuple[str, ...]) -> Iterator[Link]:
        words = (*before, preposition.lower_)
        for child in preposition.children:
            if child.dep_ == "pobj":
                for value in self.values(child):
                    yield words, value
            elif child.dep_ == "prep":
                yield from self._phrase(child, words)
            elif child.dep_ == "pcomp" and child.tag_ in _WH:
                yield words, self.value(child)

    def _complement(self, adjective: "Token") -> Iterator[Link]:
        found = False
        for child in adjective.children:
            if child.dep_ == "prep":
                found = True
                yield from self._phrase(child, (adjective.lower_,))
            elif child.tag_ == "WRB":
                found = True
                yield (adjective.lower_,), self.value(child)
        if not found and not self._stranded(adjective):
            yield (), adjective.lower_

    def _adverb(self, adverb: "Token", verb: "Token") -> Iterator[Link]:
        """Read where, when and how, and "how long"."""
        word = adverb if adverb.tag_ == "WRB" else next(
            (t for t in adverb.children if t.tag_ == "WRB"), None
        )
        if word is None:
            return
        stranded = self._stranded(verb)
        words = stranded or (("in",) if word.lower_ == "where" else ())
        yield words, self.value(word)

    def _stranded(self, verb: "Token") -> tuple[str, ...]:
        """Return the preposition that has lost its object: "what … was N called by"."""
        for child in verb.children:
            if child.dep_ in {"prep", "agent"} and not any(True for _ in child.children):
                return (child.lower_,)
            if child.dep_ == "acomp" and (inner := self._stranded(child)):
                return (child.lower_, *inner)
        return ()

    def _state(self, verb: "Token", subjects: Sequence[str], links: Sequence[Link]) -> None:
        """Note what a verb says of its subjects."""
        words = verb_words(verb)
        stranded = self._stranded(verb)
        plain = [value for between, value in links if not between and not self._binds(value)]
        binding = [link for link in links if self._binds(link[1])] or links
        for between, value in binding:
            # "won a medal for N": the plain object belongs to the predicate.
            middle = plain if between and plain and value not in plain else []
            behind = stranded if not between else ()
            # "referred to as what": both belong to the verb.
            between = (*stranded, *between) if between[:1] == ("as",) else between
            for subject in subjects:
                self.emit(subject, predicate([*words, *middle, *between, *behind]), value)

    def _binds(self, value: str) -> bool:
        return value.startswith(ASKED) or value in self._anchors

    def _further(self, verb: "Token", subjects: Sequence[str]) -> None:
        for child in verb.children:
            if child.dep_ in {"conj", "xcomp"} and child.pos_ in {"VERB", "AUX"}:
                self._clause(child, inherited=subjects)
            elif child.dep_ in {"advcl", "ccomp"} and child.pos_ in {"VERB", "AUX"}:
                self._clause(child)


def _detached(noun: "Token") -> list["Token"]:
    """Return a participle that the parser took from a noun: "of the town bordering on N"."""
    if noun.dep_ != "pobj":
        return []
    return [t for t in noun.head.children if t.dep_ == "pcomp" and t.i > noun.i]


def _fronted(verb: "Token", subjects: Sequence["Token"]) -> "Token | None":
    """Return a question word that looks like a subject but is not: "who did N play"."""
    helpers = [t for t in verb.children if t.dep_ == "aux"]
    words = [t for helper in helpers for t in helper.children]
    words += subjects[:1] if len(subjects) > 1 else []
    return next((t for t in words if t.tag_ in _WH), None)


def _naming(verb: "Token") -> bool:
    """Say whether a participle only gives a name: "a song called N"."""
    return verb.dep_ == "acl" and verb.lower_ in _NAMING


def _preposition(noun: "Token") -> "Token | None":
    """Return the preposition that the parser left to the question word: "in which county is N"."""
    before = noun.doc[noun.left_edge.i - 1] if noun.left_edge.i else noun
    return before.head if before.tag_ in {"WDT", "WP"} and before.dep_ == "pobj" else None
