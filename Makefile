# Everything the project needs is installed into .venv by these targets; nothing has to be installed by hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test lint docs bench clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1|/' | column -t -s '|'

run: $(VENV)/run.installed ## make data, anonymize it, attack it, and write a report
	$(BIN)/icefire demo --out icefire-demo

test: $(VENV)/test.installed lint ## run all tests
	$(BIN)/python -m pytest --numprocesses auto

lint: $(VENV)/test.installed ## check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/test.installed ## write the generated tables and pictures of the documentation again
	$(BIN)/python docs/generate.py

bench: $(VENV)-bench/installed ## compare with other tools; each benchmark prints ratios measured in one run
	for file in benchmarks/bench_*.py; do $(VENV)-bench/bin/python $$file; done

clean: ## remove what the other targets installed and made
	rm -rf $(VENV) $(VENV)-bench icefire-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "icefire needs Python 3.11 or newer: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m pip install --quiet --user virtualenv && $(PYTHON) -m virtualenv $(VENV); }

$(VENV)/run.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing icefire into $(VENV)"
	@$(PIP) --editable '.[report]'
	@touch $@

$(VENV)/test.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing icefire and what its tests need into $(VENV)"
	@$(PIP) --editable '.[test,lint]'
	@touch $@

# The other tools ask for older libraries than ours, so they live apart, without our constraints.
$(VENV)-bench/installed: pyproject.toml benchmarks/requirements.txt
	@$(PYTHON) -m venv $(VENV)-bench
	@$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable . -r benchmarks/requirements.txt
	@touch $@
