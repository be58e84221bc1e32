from collections.abc import Iterable

from mder.disambiguate.across import Group, across, fitting
from mder.disambiguate.names import Name, collect
from mder.records import Mention, Reading
from tests.samples import person, place, reading


def groups(*readings: Reading) -> dict[Name, Group]:
    """Return each name of each Document as a group of its own, the forms of its title as one."""
    found: dict[Name, Group] = {}
    for (source, name), use in collect(readings).items():
        key = source, "title" if use.titles else name
        group = found.setdefault(key, Group([], []))
        group.names.append((source, name))
        group.uses.append(use)
    return {group.names[0]: group for group in found.values()}


def sources(pairs: Iterable[tuple[Name, Name]], name: str) -> set[frozenset[str]]:
    """Return the pairs of Documents in which a name was found to mean one thing."""
    return {frozenset((a[0], b[0])) for a, b in pairs if a[0] != b[0] and name in (a[1], b[1])}


def naming(source: str, *mentions: Mention, text: str = "x") -> Reading:
    return reading(f"Page {source}", text, source=source, mentions=mentions)


def test_one_name_in_several_documents_is_one() -> None:
    pages = [naming(source, place("Warsaw")) for source in "abc"]
    assert sources(across(groups(*pages)), "Warsaw") == {frozenset("ab"), frozenset("ac")}


def test_spellings_are_folded() -> None:
    pages = naming("a", Mention("J. R. Lee")), naming("b", Mention("J.R. LEE"))
    assert sources(across(groups(*pages)), "J.R. LEE") == {frozenset("ab")}


def test_what_is_local_to_a_document_does_not_change_in_what_order_others_join() -> None:
    pages = [naming(source, Mention("Ann Lee"), Mention("zinc")) for source in "bc"]
    local = naming("a", Mention("zinc", local=True))
    found = list(across(groups(*pages)))
    assert len(found) == 4
    assert list(across(groups(local, *pages))) == found


def test_what_is_local_to_documents_is_not_one() -> None:
    pages = [naming(source, person("Anna", local=True)) for source in "ab"]
    assert not sources(across(groups(*pages)), "Anna")


def test_a_person_and_a_place_of_one_name_are_two() -> None:
    certain = [naming(s, person("Florence"), person("Florence")) for s in "ab"]
    others = [naming(s, place("Florence"), place("Florence")) for s in "cd"]
    found = sources(across(groups(*certain, *others)), "Florence")
    assert found == {frozenset("ab"), frozenset("cd")}


def test_a_kind_is_certain_only_with_enough_mentions() -> None:
    assert groups(naming("a", person("X")))["a", "X"].kind == ""
    assert groups(naming("a", person("X"), person("X")))["a", "X"].kind == "person"
    mixed = naming("a", *[person("X")] * 3, *[place("X")] * 3)
    assert groups(mixed)["a", "X"].kind == ""


PLANET = reading("Mercury (planet)", "Mercury orbits the Sun faster than any other planet.")
METAL = reading("Mercury (element)", "Mercury is a heavy metal, liquid at room temperature.")


def mentioned(text: str) -> Reading:
    return reading("Talk", text, ("Mercury", "IS", Mention("X")))


def meant(page: Reading, *others: Reading) -> set[str]:
    found = sources(across(groups(page, *others)), "Mercury")
    return {source for pair in found if "Talk.md" in pair for source in pair} - {"Talk.md"}


def test_a_title_draws_the_mentions_of_its_bare_name() -> None:
    assert meant(mentioned("Mercury is X."), PLANET) == {"Mercury (planet).md"}


def test_homonyms_are_told_apart_by_their_titles() -> None:
    assert not sources(across(groups(PLANET, METAL)), "Mercury")


def test_a_mention_goes_to_the_homonym_that_its_context_fits() -> None:
    orbit = mentioned("Mercury is X, a planet that orbits the Sun.")
    liquid = mentioned("Mercury is X, a liquid metal at room temperature.")
    assert meant(orbit, PLANET, METAL) == {"Mercury (planet).md"}
    assert meant(liquid, PLANET, METAL) == {"Mercury (element).md"}


def test_a_mention_that_fits_neither_goes_to_neither() -> None:
    assert meant(mentioned("Mercury is X."), PLANET, METAL) == set()


def test_fitting_needs_no_context_where_there_is_one_target() -> None:
    found = groups(PLANET, mentioned("Mercury is X."))
    target = ("Mercury (planet).md", "Mercury (planet)")
    assert fitting(found["Talk.md", "Mercury"], {target: found[target]}) == target


def test_a_mention_of_another_kind_is_not_the_title() -> None:
    city = reading("Florence", "A city.", *[(place("Florence"), "HAS", "X")] * 2)
    nurse = naming("b", *[person("Florence")] * 3)
    assert not sources(across(groups(city, nurse)), "Florence")


def test_a_group_is_known_by_its_titles_else_by_its_fullest_names() -> None:
    uses = collect([naming("a", person("Curie"), person("Marie Curie"))])
    names: list[Name] = [("a", "Curie"), ("a", "Marie Curie")]
    whole = Group(names, [uses[name] for name in names])
    assert whole.keys() == {"marie curie": ("a", "Marie Curie")}
    uses = collect([PLANET])
    titled = Group(list(uses), list(uses.values()))
    assert "mercury" in titled.keys()  # noqa: SIM118  the method, not a mapping's view
    assert titled.titles == ["Mercury (planet)"]


def test_few_contexts_are_shown_of_a_group() -> None:
    pages = [naming(str(n), text=f"Text {n}.") for n in range(9)]
    uses = collect(pages)
    assert Group(list(uses), list(uses.values())).contexts(2) == "Text 0. Text 1."
