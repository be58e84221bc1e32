"""What speaks for a Chunk, and how much each of it weighs."""

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Features:
    """What speaks for a Chunk: as it stands, and over a link to it.

    :param named: 1 for the Chunk most like the question of those about a name in it, else 1/rank.
    :param words: BM25, as a share of the best.
    :param cosine: to the question.
    :param mentions: share of the question's names that the Chunk holds, by their rarity.
    :param resolved: score of the value that a hop found here, where it went on with that.
    :param link: 1 where it was reached by a link.
    :param origin: how good the Chunk is that the link comes from, see :attr:`direct`.
    :param rarity: of the link's Entity.
    :param first: 1 where the link stands in the first sentence of a Document.
    :param about: 1 where the Chunk's Document is about the link's Entity.
    :param lacking: BM25 over the words of the question that the origin lacks.
    """

    named: float = 0.0
    words: float = 0.0
    cosine: float = 0.0
    mentions: float = 0.0
    resolved: float = 0.0
    link: float = 0.0
    origin: float = 0.0
    rarity: float = 0.0
    first: float = 0.0
    about: float = 0.0
    lacking: float = 0.0

    @property
    def direct(self) -> float:
        """How good a Chunk is to go on from."""
        return self.cosine + 0.5 * self.words + 0.5 * self.named + 0.3 * self.mentions

    def reached(self, link: "Features") -> "Features":
        """Return this with what speaks for a link to the Chunk."""
        return replace(
            link,
            named=self.named,
            words=self.words,
            cosine=self.cosine,
            mentions=self.mentions,
            resolved=self.resolved,
        )


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature adds to the score of a Chunk, in logits.

    :param again: for each better Chunk of a Document of the same title.
    """

    named: float = 2.9
    words: float = 1.75
    cosine: float = 2.9
    mentions: float = 0.3
    resolved: float = 2.6
    link: float = -3.7
    origin: float = 1.5
    rarity: float = 2.25
    first: float = 0.85
    about: float = 0.8
    lacking: float = 4.2
    again: float = -0.5

    def score(self, features: Features) -> float:
        """Return the weighted sum."""
        pairs = ((getattr(self, f.name), getattr(features, f.name)) for f in fields(features))
        return float(sum(weight * value for weight, value in pairs))
