"""Answers from the knowledge graph: Decompose, Resolve."""
