"""Documents to a knowledge graph: Map, Disambiguate, Enrich, Reduce."""
