"""From files to Documents: which files, in which encoding, in which format."""

from mder.sources.files import discover
from mder.sources.reading import read

__all__ = ["discover", "read"]
