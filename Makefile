# The whole interface of the project. `make run` and `make test` need only python3 and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: run test lint format docs bench clean help

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:\t/'

run: $(READY) ## compare policies on the paper's Figure 1 workload
	$(BIN)/zerowait compare figure1 fcfs first-fit bs:fcfs bs:first-fit --servers 2048

test: $(READY) lint ## everything that must pass: lint, format, types, layers, tests
	$(BIN)/python -m pytest -n 2

lint: $(READY) ## ruff, mypy and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY) ## the documentation, into docs/_build/html; warnings are errors
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs docs/_build/html

bench: $(READY) ## speed, as ratios to loops written by hand
	$(BIN)/python -m benchmarks

clean: ## forget the virtual environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build
	find src tests benchmarks docs -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
