# Everything the project needs is installed into .venv by these targets; nothing has to be installed by hand.
# Versions of dependencies: those of constraints.txt, or CONSTRAINTS=lowest or highest, the oldest or newest that pyproject.toml
# allows, in an environment of their own.
PYTHON ?= python3
CONSTRAINTS ?= constraints.txt
VENV := .venv$(if $(filter lowest highest,$(CONSTRAINTS)),-$(CONSTRAINTS))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ifeq ($(CONSTRAINTS),lowest)
INSTALL := $(PIP) uv && $(BIN)/uv pip install --quiet --python $(BIN)/python --resolution lowest-direct
else ifeq ($(CONSTRAINTS),highest)
INSTALL := $(PIP) --upgrade --upgrade-strategy eager
else
INSTALL := $(PIP) --constraint $(CONSTRAINTS)
endif
NODE := PATH="$(CURDIR)/$(BIN):$$PATH" NODE_USE_SYSTEM_CA=1

.DEFAULT_GOAL := help
.PHONY: help run show desk check test coverage lint lint-js format docs picture bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/run.installed ## make data, anonymize it, attack it, and write a report
	$(BIN)/icefire demo --out icefire-demo
	@echo "There is also a show: make show lets bots play a contest, live in a browser."

show: $(VENV)/show.installed ## let bots play a contest in real time, with a page for the audience
	$(BIN)/icefire contest show

desk: $(VENV)/desk.installed ## look at your own data in a page on this machine, and decide whether they may go out
	$(BIN)/icefire desk

check: lint ## the quick checks: lint, and the tests of what changed or of one package (PACKAGE=history)
	$(BIN)/python tests/changed.py $(PACKAGE)

# Other versions of the tools would ask for another style, so that the pinned ones alone decide about it.
test: $(VENV)/test.installed $(VENV)/programs.installed $(if $(filter lowest highest,$(CONSTRAINTS)),,lint) ## run everything
	$(BIN)/python -m pytest --numprocesses auto --dist loadscope

coverage: $(VENV)/test.installed $(VENV)/programs.installed ## run the tests, and list the lines that none of them runs; at least 95% must be
	$(BIN)/python -m pytest --numprocesses auto --dist loadscope --cov

lint: $(VENV)/test.installed lint-js ## check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Node.js comes from a wheel. Without the registry of npm there is no Biome, and only this step is left out.
lint-js: $(VENV)/test.installed
	@if [ node_modules/.package-lock.json -nt package.json ] || $(NODE) npm install --silent; \
	then $(NODE) node_modules/.bin/biome ci --error-on-warnings; \
	else echo "JavaScript and CSS were not checked, since npm cannot install Biome (see above)"; fi

format: $(VENV)/test.installed ## bring the code into the style that lint checks, as far as that can be done automatically
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	if [ -x node_modules/.bin/biome ]; then $(NODE) node_modules/.bin/biome check --write; fi

docs: $(VENV)/test.installed ## write the lists of methods and public names again, and build the documentation site (STUDIES=full runs all studies)
	$(BIN)/python docs/generate.py
	$(BIN)/python tests/test_public_names.py
	@[ node_modules/.package-lock.json -nt package.json ] || $(NODE) npm install --silent \
		|| echo "without npm, the search of the site works only when it is served"
	PYTHONPATH=docs $(BIN)/python -m building.site site $(STUDIES)

picture: $(VENV)/test.installed ## draw the picture of the README again
	$(BIN)/python docs/generate.py --picture

bench: .venv-bench/installed ## compare with other tools; each benchmark prints ratios measured in one run
	for file in benchmarks/bench_*.py; do .venv-bench/bin/python $$file; done

clean: ## remove what the other targets installed and made
	rm -rf .venv .venv-lowest .venv-highest .venv-bench icefire-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache node_modules site

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
	@$(INSTALL) --editable '.[report]'
	@touch $@

$(VENV)/show.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire and its web pages into $(VENV)"
	@$(INSTALL) --editable '.[web]'
	@touch $@

$(VENV)/desk.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire and its desk into $(VENV)"
	@$(INSTALL) --editable '.[desk,fast]'
	@touch $@

$(VENV)/test.installed: pyproject.toml constraints.txt | $(VENV)/made
	@echo "installing icefire and what its tests need into $(VENV)"
	@$(INSTALL) --editable '.[test,lint]'
	@touch $@

$(VENV)/programs.installed: tests/programs.py | $(VENV)/made
	@$(BIN)/python tests/programs.py
	@touch $@

# The other tools ask for older libraries than ours, so they live apart, without our constraints. anonymeter says that it needs
# numpy 1, and runs with numpy 2.
.venv-bench/installed: pyproject.toml benchmarks/requirements.txt
	$(call make-environment,.venv-bench)
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[web,postgres]' -r benchmarks/requirements.txt
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps anonymeter
	@touch $@
