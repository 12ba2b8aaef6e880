# Everything a person or CI runs. `make run` needs only Python 3.11, a C++ compiler, make and Node (or none: see README).
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8765
# Processes that share the tests: of three on two cores one waits for a server, a browser or a heartbeat.
TESTERS ?= 3

export PORT
# Idle threads sleep instead of spinning: see workers/core/numerics.py.
export OMP_WAIT_POLICY ?= passive
# Node and npm live in .venv where the machine has none.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help run demo test bench bench-web lint format client lock screenshot screenshots install install-demo install-test install-lint install-bench

help: ## say what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

run: install ## install what is missing, start everything and print the address
	@exec $(BIN)/python docker/local/start.py

demo: install-demo ## train a template on a bundled graph without a browser
	@$(BIN)/python -m workers.systems.seastar.demo

bench: install-bench ## measure speed, memory and accuracy beside DGL and PyG
	@$(BIN)/python -m tests.benchmarks gnn

bench-web: install-test ## measure what the pages weigh and how fast they are, beside their budgets
	@$(BIN)/python -m tests.benchmarks.web

test: install-test ## run every test and say what was skipped and why
	@npm --prefix frontend test && npm --prefix frontend run budget; pages=$$?; $(BIN)/python -m pytest -rs -n $(TESTERS) --dist loadfile --no-loadscope-reorder && exit $$pages

lint: install-lint ## formatting, lint, types and import contracts, Python and TypeScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy backend workers migrations docker/local requirements tests client/asterism client/generate.py
	npm --prefix frontend run lint

format: install-lint ## put the formatting right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	npm --prefix frontend run format

client: install-lint ## write frontend/openapi.json and the types of both clients, generated from it
	$(BIN)/python -m backend.openapi > frontend/openapi.json
	npm --prefix frontend run client
	$(BIN)/python client/generate.py

lock: ## write requirements/*.lock from what is installed in .venv
	$(BIN)/python requirements/lock.py

install: python
	@$(PYTHON) docker/local/install.py run

install-test: python
	@$(PYTHON) docker/local/install.py test

install-demo: python
	@$(PYTHON) docker/local/install.py demo

install-lint: python
	@$(PYTHON) docker/local/install.py lint

install-bench: python
	@$(PYTHON) docker/local/install.py bench

screenshots: install-test ## photograph every page, light and dark, wide and narrow, into pictures/
	PYTHONPATH=client $(BIN)/python -m tests.e2e.photograph

screenshot: install-test ## take the picture shown in README.md
	$(BIN)/python -m tests.e2e.take_screenshot

.PHONY: python
python: # asked here and not in install.py: an old Python could not even read that file
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || { echo "asterism: Python 3.11 is needed, and '$(PYTHON)' is missing or another one: install it, or name it with 'make PYTHON=/path/to/python3.11 run'."; exit 1; }
