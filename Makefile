# Everything the project needs is installed into .venv by these targets; nothing has to be installed by hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run show test lint lint-js docs bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/run.installed ## make data, anonymize it, attack it, and write a report
	$(BIN)/icefire demo --out icefire-demo
	@echo "There is also a show: make show lets bots play a contest, live in a browser."

show: $(VENV)/show.installed ## let bots play a contest in real time, with a page for the audience
	$(BIN)/icefire contest show

test: $(VENV)/test.installed $(VENV)/programs.installed lint ## run all tests
	$(BIN)/python -m pytest --numprocesses auto

lint: $(VENV)/test.installed lint-js ## check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-js:
	@if command -v npm >/dev/null; then \
		[ node_modules/.package-lock.json -nt package.json ] || npm install --silent && node_modules/.bin/biome ci --error-on-warnings; \
	else echo "JavaScript and CSS were not checked, since npm is missing: apt-get install npm"; fi

docs: $(VENV)/test.installed ## write the generated tables and pictures of the documentation again
	$(BIN)/python docs/generate.py

bench: $(VENV)-bench/installed ## compare with other tools; each benchmark prints ratios measured in one run
	for file in benchmarks/bench_*.py; do $(VENV)-bench/bin/python $$file; done

clean: ## remove what the other targets installed and made
	rm -rf $(VENV) $(VENV)-bench icefire-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache node_modules

# The stamp is written last: an environment that is not complete is made again by the next make.
$(VENV)/made:
	$(call make-environment,$(VENV))
	@touch $@

# Debian keeps ensurepip in a package of its own (python3-venv); without it, the system's pip installs the pip of the environment.
define make-environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "icefire needs Python 3.11 or newer: make run PYTHON=python3.12"; exit 1; }
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(1); \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then $(PYTHON) -m venv --without-pip $(1) \
		&& $(PYTHON) -m pip --python $(1)/bin/python install --quiet --disable-pip-version-check --ignore-installed pip; \
	else echo "$(PYTHON) has no pip; on Debian or Ubuntu: sudo apt-get install python3-venv"; exit 1; fi
endef

$(VENV)/run.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire into $(VENV)"
	@$(PIP) --editable '.[report]'
	@touch $@

$(VENV)/show.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire and its web pages into $(VENV)"
	@$(PIP) --editable '.[web]'
	@touch $@

$(VENV)/test.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire and what its tests need into $(VENV)"
	@$(PIP) --editable '.[test,lint]'
	@touch $@

$(VENV)/programs.installed: tests/programs.py | $(VENV)/made
	@$(BIN)/python tests/programs.py
	@touch $@

# The other tools ask for older libraries than ours, so they live apart, without our constraints.
$(VENV)-bench/installed: pyproject.toml benchmarks/requirements.txt
	$(call make-environment,$(VENV)-bench)
	@$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[web,postgres]' -r benchmarks/requirements.txt
	@touch $@
