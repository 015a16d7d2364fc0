# make run serves the site. make test installs what the tests need and runs them all.
PYTHON ?= python3
GAME ?= number-tower-duel

.PHONY: run test faults cluster play lint types bench golden messages browser screenshots \
  requirements

run: .venv/run
	@.venv/bin/python manage.py serve

# These alone must cover every branch of the rules and the solver. Counting branches slows tests down, so the
# other tests run without it.
COUNTED = tests/rules tests/solver tests/test_complete_games.py

# Tests with a browser or a server mostly wait, so three of them run at a time. The tests of one file run in
# one process, and files of one package follow each other there, so it starts their server and browser once.
# The tests of faults have limits in seconds, so only two of them run at a time, after the others.
test: .venv/test browser
	@.venv/bin/pytest -n 2 $(COUNTED) --cov
	@.venv/bin/pytest -n 3 --dist loadfile --no-loadscope-reorder $(addprefix --ignore=,tests/faults $(COUNTED))
	@.venv/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder tests/faults

# Runs several processes on PostgreSQL and Redis, behind nginx, on one machine (docs/operating.md).
cluster: .venv/test
	@.venv/bin/python -m deploy.cluster

# Runs the fault tests, including those that take minutes: processes, databases and connections fail. Prints
# what they measured.
faults: .venv/test
	@.venv/bin/pytest tests/faults -m ''

# The command exits with 1 if a player leaves early. That is not an error for make.
play: .venv/run
	@.venv/bin/python manage.py play $(GAME) || test $$? -eq 1

lint: .venv/test
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check

# Checks the scripts' types only if npm is installed; nothing else here needs npm.
types: .venv/test
	@.venv/bin/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.installed && \
	  node_modules/.bin/tsc --noEmit; \
	else echo "npm is not installed: skipping the scripts' types."; fi

# Measures everything on this commit, in at most 110 minutes, and writes the tables to var/measurements.md. BENCH=--quick
# takes half an hour at most.
bench: .venv/test
	@.venv/bin/python -m bench.everything $(BENCH)

# Rewrites the golden files. Read the diff before you commit it.
golden: .venv/test
	@.venv/bin/python -m tests.golden

# Updates the translations in locale/ and the files generated from them. Needs gettext.
messages: .venv/test
	@.venv/bin/python manage.py messages

# Takes screenshots of every page and state in four sizes, light and dark, and puts them in var/screenshots.
screenshots: .venv/test browser
	@.venv/bin/python -m tests.e2e.screenshots

# The browser tests need Debian's Chromium. Its headless build opens pages twice as fast as the full one.
# Without either, those tests are skipped and say so.
browser:
	@{ command -v chromium-headless-shell || command -v chromium; } >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    echo "Installing Chromium for the tests …" && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell fonts-liberation \
	      >/dev/null; } || \
	  echo "Chromium is missing and can't be installed here: skipping the browser tests."

node_modules/.installed: package.json
	@npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

# pip stops if a file doesn't match its hash, or if a package needs another one that isn't pinned.
INSTALL = .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r

.venv/run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Numgames needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@echo "Installing the required packages into .venv (once) …"
	@$(PYTHON) -m venv .venv
	@$(INSTALL) requirements.txt
	@touch $@

.venv/test: .venv/run requirements-dev.txt
	@$(INSTALL) requirements-dev.txt
	@touch $@

# Compiles the .in files, which list the packages we use ourselves, into .txt files, which also pin the packages
# those need, for every Python and platform. Versions stay as they are unless you ask for newer ones: UPGRADE=1
# for all packages, UPGRADE="idna sqlparse" for these two.
COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --custom-compile-command "make requirements" \
  $(if $(filter 1,$(UPGRADE)),--upgrade,$(addprefix --upgrade-package=,$(UPGRADE)))

# Each file takes its versions from the one before, so the tests use the same versions as the site.
requirements: .venv/test
	@$(COMPILE) requirements.in --output-file requirements.txt
	@$(COMPILE) requirements-uvicorn.in --constraints requirements.txt --output-file requirements-uvicorn.txt
	@$(COMPILE) requirements-dev.in --constraints requirements-uvicorn.txt --output-file requirements-dev.txt
