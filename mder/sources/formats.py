"""What the suffix of a file says about its format."""

from enum import Enum, auto
from pathlib import PurePath


class Format(Enum):
    """A format that has a reader."""

    MARKDOWN = auto()
    TEXT = auto()
    HTML = auto()
    JSON_LINES = auto()


READ = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".txt": Format.TEXT,
    ".text": Format.TEXT,
    ".rst": Format.TEXT,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".jsonl": Format.JSON_LINES,
    ".ndjson": Format.JSON_LINES,
}

# Documents all the same: a run names them as skipped, so that nobody believes they were read.
UNREAD = {
    ".pdf": "PDF",
    ".doc": "Word",
    ".docx": "Word",
    ".odt": "OpenDocument",
    ".rtf": "RTF",
    ".epub": "EPUB",
    ".mobi": "Mobipocket",
    ".ppt": "PowerPoint",
    ".pptx": "PowerPoint",
    ".odp": "OpenDocument",
    ".xls": "Excel",
    ".xlsx": "Excel",
    ".ods": "OpenDocument",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tex": "LaTeX",
    ".adoc": "AsciiDoc",
    ".org": "Org mode",
    ".ipynb": "Jupyter",
    ".eml": "e-mail",
    ".mht": "MHTML",
}


def is_document(path: PurePath) -> bool:
    """Say whether a file in a folder is taken for a document, readable or not."""
    return path.suffix.lower() in READ or path.suffix.lower() in UNREAD


def format_of(path: PurePath) -> Format:
    """Return the format of a file; plain text where the suffix says nothing."""
    return READ.get(path.suffix.lower(), Format.TEXT)
