"""What speaks for a Chunk, and how much each of it weighs."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature adds to the score of a Chunk, in logits.

    As it stands:

    :param named: of a Chunk about a name in the question, 1 / its rank among these: by its title,
        then by its likeness to the question.
    :param option: the same, over the names that a comparison is between.
    :param words: BM25, as a share of the best.
    :param cosine: to the question.
    :param mentions: share of the question's names that the Chunk holds, by their rarity.
    :param resolved: score of the value that a hop found here, where it went on with that.

    Over a link that leads to it, where that adds something:

    :param link: 1.
    :param origin: how good the Chunk is that the link comes from.
    :param rarity: of the link's Entity, as 1 / ln(2 + Chunks that it leads to).
    :param first: 1 where the link stands in the first sentence of a Document.
    :param about: of a Chunk about the link's Entity, 1 / its rank among these by its likeness.
    :param lacking: BM25 over the words of the question that the origin lacks, as a share of the
        best over all words.
    """

    named: float = 3.8
    option: float = 4.0
    words: float = 2.0
    cosine: float = 2.65
    mentions: float = 0.15
    resolved: float = 2.5
    link: float = -4.2
    origin: float = 1.7
    rarity: float = 3.1
    first: float = 0.8
    about: float = 2.15
    lacking: float = 4.4


ALONE = ("named", "option", "words", "cosine", "mentions", "resolved")
LINKED = ("link", "origin", "rarity", "first", "about", "lacking")


def values(weights: Weights, names: tuple[str, ...]) -> list[float]:
    """Return some of the weights, in the order of their names."""
    found = asdict(weights)
    return [float(found[name]) for name in names]
