# make run: serve the site.  make test: install what the tests need, and run them all.
PYTHON ?= python3
GAME ?= number-tower-duel

.PHONY: run test play lint types bench golden

run: .venv/run
	@.venv/bin/python manage.py serve

test: .venv/test
	@.venv/bin/pytest

# Leaving a match early is no failure of make's.
play: .venv/run
	@.venv/bin/python manage.py play $(GAME) || test $$? -eq 1

lint: .venv/test
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check

types: .venv/test
	@.venv/bin/mypy

bench: .venv/run
	@.venv/bin/python -m bench.rules

# Writes the golden files anew; read the difference before you commit it.
golden: .venv/test
	@.venv/bin/python -m tests.golden

.venv/run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Numgames needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@echo "Installing what is needed into .venv (once) …"
	@$(PYTHON) -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/test: .venv/run requirements-dev.txt
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
