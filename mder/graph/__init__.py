"""The knowledge graph on disk: what it is called, written as, read as, and checked by."""
