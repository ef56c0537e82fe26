# Everything runs in .venv, which is built once and again only when the dependencies change.
# `make` alone says what there is.

PYTHON ?= python3
WORKERS ?= 2

# Who plays when `make play GAME=…` starts a match in the terminal.
SEATS ?= me,greedy

VENV := .venv/bin
FOR_PLAY := .venv/built-for-play
FOR_LAB := .venv/built-for-lab
FOR_DOCS := .venv/built-for-docs
FOR_TEST := .venv/built-for-test
FOR_PEERS := .venv-peers/built-for-peers

# The stamp's name ends with what the environment is for.
define environment
@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here: install Python 3.11 or newer, or name one with \`make PYTHON=/path/to/python3\`." >&2; exit 1; }
@$(PYTHON) tools/environment.py $(lastword $(subst -, ,$@))
endef

.DEFAULT_GOAL := help
.PHONY: help play serve lab test test-deep lint bench bench-peers docs wheel release update clean

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1:\2/p' $(MAKEFILE_LIST) | while IFS=: read -r name what; do printf '%-18s %s\n' "$$name" "$$what"; done

play: $(FOR_PLAY) ## play in the browser (LAN=1: phones in the house can join; GAME=…: in the terminal)
	@$(VENV)/python -m talion $(if $(GAME),play $(GAME) --seats $(SEATS),serve --browser $(if $(LAN),--lan))

serve: $(FOR_PLAY) ## serve tables to browsers
	@$(VENV)/python -m talion serve

lab: $(FOR_LAB) ## install what `talion simulate --out`, `report` and `export` need
	@echo "The lab is ready: $(VENV)/talion simulate GAME --out results.parquet"

test: lint ## check style and types, then run every test but the deep ones
	@$(VENV)/python -m pytest -n $(WORKERS)

test-deep: $(FOR_TEST) ## run the deep tests: large numbers, mutations
	@$(VENV)/python -m pytest -n $(WORKERS) -m deep

lint: $(FOR_TEST) ## ruff and mypy
	@$(VENV)/python -m ruff check --quiet .
	@$(VENV)/python -m ruff format --check --quiet .
	@$(VENV)/python -m mypy

bench: $(FOR_TEST) ## measure: a table and JSON lines
	@$(VENV)/python -m bench
	@$(VENV)/python -m bench.pages
	@$(VENV)/python -m bench.table

bench-peers: $(FOR_TEST) $(FOR_PEERS) ## the same, beside OpenSpiel, PettingZoo and RLCard
	@$(VENV)/python -m bench --peers .venv-peers/bin/python

wheel: $(FOR_TEST) ## build the wheel into dist/
	@$(VENV)/python -m build --wheel --no-isolation

docs: $(FOR_DOCS) ## build the documentation site into build/site/
	@$(VENV)/python tools/site.py

release: $(FOR_TEST) ## make a release: VERSION=1.2.3
	@$(VENV)/python tools/release.py $(VERSION)

update: ## get the newest version, and what it needs
	@git pull --ff-only
	@$(MAKE) --no-print-directory --silent $(FOR_PLAY)
	@$(VENV)/python -m talion --version

clean: ## remove what was built; tables and saved matches stay
	rm -rf .venv .venv-peers build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/built-for-%: pyproject.toml constraints.txt
	$(environment)

.venv-peers/built-for-peers: bench/peers.txt
	$(environment)
