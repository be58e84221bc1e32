"""From files to Documents: which files, in which encoding, in which format."""

from mder.sources.files import discover, is_there
from mder.sources.jsonl import file_of
from mder.sources.reading import read, sources_of

__all__ = ["discover", "file_of", "is_there", "read", "sources_of"]
