# The whole interface of the project. `make run` and `make test` need only python3 and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# Tests that run kernels on a few hundred jobs: short enough for plain Python.
KERNELS := tests/contract tests/oracle tests/unit/engine
# And those that coverage cannot see: what is compiled, and full disks, on which it could not write.
COMPILER := tests/unit/engine/test_kernel_compiler.py tests/unit/engine/test_policy_code.py
FULL_DISKS := disk
# Three for two cores: tests of Slurm, browsers and clusters wait a good part of their time.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadgroup

# Tests start Python hundreds of times: it keeps its bytecode, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE
# The workers have both cores to do: threads of a linear algebra of ten numbers only spin there.
check test draws coverage: export OPENBLAS_NUM_THREADS = 1

.PHONY: run check test draws lint format coverage docs bench dist clean help

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:\t/'

run: $(READY) ## compare policies on the paper's Figure 1 workload
	$(BIN)/zerowait compare figure1 fcfs first-fit bs:fcfs bs:first-fit --servers 2048

check: lint ## while you work: lint, format, types, layers, all tests that are not marked slow
	$(PYTEST) -q -m "not slow"

test: lint ## everything that must pass: lint, format, types, layers, all tests
	$(PYTEST) --durations=40

draws: $(READY) ## the tests that draw examples, with eight times as many of them
	ZEROWAIT_DRAWS=all $(PYTEST) -q tests/oracle tests/property tests/unit

lint: $(READY) ## ruff, mypy and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

coverage: export COVERAGE_FILE = $(CURDIR)/.coverage
coverage: $(READY) ## what the tests reach: kernels in plain Python, the rest as users run it
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q -n 2 -m "not slow" $(KERNELS) $(COMPILER:%=--ignore=%)
	$(BIN)/coverage run -m pytest -q -n 2 --dist loadgroup -k "not $(FULL_DISKS)"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --show-missing --sort=cover

docs: $(READY) ## the documentation, into docs/_build/html; warnings are errors
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs docs/_build/html

bench: $(READY) ## speed, as ratios to loops written by hand
	$(BIN)/python -m benchmarks

dist: $(READY) ## wheel and source distribution, into dist/; installed and run where nothing else is
	rm -rf dist build
	$(BIN)/python -m hatchling build
	$(PYTHON) -m venv build/bare
	build/bare/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/bare/bin/zerowait compare figure1 fcfs bs:fcfs --servers 256 --arrivals 20000 \
	  --report build/page.html

clean: ## forget the virtual environment, caches and what was built
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*
	rm -rf docs/_build dist build
	find src tests benchmarks docs -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
