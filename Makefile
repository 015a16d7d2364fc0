# make run: serve the site.  make test: install what the tests need, and run them all.
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
# The tests of faults run alone: they have limits in seconds.
test: .venv/test browser
	@.venv/bin/pytest -n 2 $(COUNTED) --cov
	@.venv/bin/pytest -n 3 --dist loadfile --no-loadscope-reorder $(addprefix --ignore=,tests/faults $(COUNTED))
	@.venv/bin/pytest tests/faults

# Several processes on PostgreSQL and Redis, nginx in front: what deploy/ documents, on one machine.
cluster: .venv/test
	@.venv/bin/python -m deploy.cluster

# Processes, data stores and lines that fail, with what takes minutes, and what was measured meanwhile.
faults: .venv/test
	@.venv/bin/pytest tests/faults -m ''

# Leaving a match early is no failure of make's.
play: .venv/run
	@.venv/bin/python manage.py play $(GAME) || test $$? -eq 1

lint: .venv/test
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check

# The scripts' types are checked where there is npm; nothing else here needs it.
types: .venv/test
	@.venv/bin/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.installed && \
	  node_modules/.bin/tsc --noEmit; \
	else echo "There is no npm here: the scripts' types are not checked."; fi

# How fast the rules are, and how fast moves go through sockets, beside two peers: half an hour.
bench: .venv/test
	@.venv/bin/python -m bench.rules
	@.venv/bin/python -m bench.moves --plot docs/images/moves.svg

# Writes the golden files anew; read the difference before you commit it.
golden: .venv/test
	@.venv/bin/python -m tests.golden

# Brings the translations in locale/ up to date with all texts, and what is made of them. Needs gettext.
messages: .venv/test
	@.venv/bin/python manage.py messages

# Every page and state in four sizes, light and dark, in var/screenshots, to look at.
screenshots: .venv/test browser
	@.venv/bin/python -m tests.e2e.screenshots

# Tests in a real browser want Debian's Chromium; its headless build opens pages in half the time of the
# whole one. Without either those tests are skipped and say so.
browser:
	@{ command -v chromium-headless-shell || command -v chromium; } >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    echo "Installing Chromium for the tests …" && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell fonts-liberation \
	      >/dev/null; } || \
	  echo "There is no Chromium here and no way to install it: tests in the browser are skipped."

node_modules/.installed: package.json
	@npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

# pip stops if a file doesn't match its hash, or if a package needs another one that isn't pinned.
INSTALL = .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r

.venv/run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Numgames needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@echo "Installing what is needed into .venv (once) …"
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

# Each file takes its versions from the one before, so the tests run on what the site runs on.
requirements: .venv/test
	@$(COMPILE) requirements.in --output-file requirements.txt
	@$(COMPILE) requirements-uvicorn.in --constraints requirements.txt --output-file requirements-uvicorn.txt
	@$(COMPILE) requirements-dev.in --constraints requirements-uvicorn.txt --output-file requirements-dev.txt
