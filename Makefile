# `make run` and `make test` need nothing but this checkout and Python 3.11.
#   make run         set up, read and score a sample photo, then serve the page (PORT=8000)
#   make test        set up with test tools and browsers, then lint, type-check and run the tests
#   make lint        lint, type-check and check the import rules and the lengths of modules and functions
#   make test-long   run only the long tests, which try everything where make test tries a sample
#   make test-train  test the training code too (installs torch)
#   make attack      attack a server of our own on the loopback and print the figures of docs/reliability.md
#   make lock        pin the newest versions of what a server needs, with hashes, and the lowest ones
#   make test-lowest run the tests of page, photos and command with the lowest versions (WITH=requirements.lock: the pinned)
#   make wheel       build the wheel and its list of components (dist/fanlens.cdx.json)
#   make bench       print speed figures
#   make bench-live  time the live camera from opening to score over 60 films, then ten minutes of its memory
#   make messages    bring the page's translations in line with its strings
#   make pictures    redraw the pictures of README and docs
#   make figures     measure the figures of the model card again (over ten minutes; needs ../shared/data)
#   make train       train both networks again (hours; needs ../shared/data)

PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 0.0.0.0
PORT ?= 8000
SAMPLE ?= vision/samples/dragons.jpg
BIN := .venv/bin

# Tests marked `shared` need the photos in ../shared, which have licences of their own.
MARKS := $(if $(wildcard ../shared/data),,-m "not shared")
# Processes that share the tests, file by file; WORKERS=0 runs all tests in one process.
WORKERS ?= 2

.PHONY: run test test-long test-train lint messages pictures bench bench-live figures train clean attack lock test-lowest wheel

run: .venv/run
	$(BIN)/fanlens photo $(SAMPLE)
	$(BIN)/fanlens serve --host $(HOST) --port $(PORT)

test: .venv/test lint
	node --test tests/page/*.test.js
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(MARKS) --durations=10 $(ARGS)

test-long: .venv/test
	$(BIN)/python -m pytest --long -m long $(ARGS)

test-train: .venv/train
	$(BIN)/python -m pytest -o addopts="--import-mode=importlib --doctest-modules" models/training models/drawing/extract.py models/figures/held_out.py tests/models/test_networks.py tests/models/test_held_out.py

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	node_modules/.bin/biome check --error-on-warnings
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_arrows.py tests/test_sizes.py

messages: .venv/test
	$(BIN)/python -m webapp.translations.update

pictures: .venv/test
	rm -f docs/pictures/*.png docs/pictures/*.jpg
	$(BIN)/python -m models.drawing --sheet docs/pictures/tiles.png
	$(BIN)/python -m models.drawing.pipeline
	$(BIN)/fanlens photo vision/samples/dragons.jpg --annotated docs/pictures
	$(BIN)/python -m tests.e2e.take_pictures

attack: .venv/test
	$(call need,test -x /usr/sbin/nginx,nginx-light)
	$(BIN)/python -m tests.attack

UV := .venv-uv/bin/uv
COMPILE := $(UV) pip compile pyproject.toml --extra postgres --python-version 3.11 --no-header --quiet
WITH ?= requirements-lowest.lock

.venv-uv:
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet uv==0.13.9

lock: .venv-uv
	$(COMPILE) --universal --generate-hashes --upgrade -o requirements.lock
	$(COMPILE) --resolution lowest-direct --upgrade -o requirements-lowest.lock

test-lowest: .venv-uv
	$(UV) venv --quiet --clear --python $(PYTHON) .venv-lowest
	$(UV) pip install --quiet --python .venv-lowest -r $(WITH) 'pytest>=9.0,<10' 'hypothesis>=6.120,<7' 'schemathesis>=4.30,<5' 'packaging>=24'
	PYTHONPATH=. .venv-lowest/bin/python -m pytest -q -m "not e2e" tests/scorer/test_commands.py tests/vision/test_photo.py tests/vision/isolation tests/webapp

wheel: .venv-uv
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(UV) build --quiet --wheel --out-dir dist
	$(UV) tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.lock --output-reproducible -o dist/fanlens.cdx.json

bench: .venv/test
	$(BIN)/python -m tests.bench.bench_scorer
	$(BIN)/python -m tests.bench.bench_photo
	$(BIN)/python -m tests.bench.bench_page
	$(BIN)/python -m tests.bench.bench_batch

bench-live: .venv/test
	$(BIN)/python -m tests.bench.bench_look
	$(BIN)/python -m tests.bench.bench_live --clips 60 --minutes 10

figures: .venv/test
	$(BIN)/python -m models.figures

train: .venv/train
	PYTHON=$(BIN)/python models/training/recipe.sh

.venv/run: pyproject.toml
	$(call need,$(PYTHON) -c 'import ensurepip',python3-venv)
	$(call need,/sbin/ldconfig -p | grep -q 'libGL\.so\.1',libgl1)
	$(call need,/sbin/ldconfig -p | grep -q 'libgthread-2\.0\.so\.0',libglib2.0-0)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fanlens needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/test: .venv/run package-lock.json
	$(call need,test -x /usr/bin/chromium,chromium)
	$(call need,test -x /usr/bin/firefox-esr,firefox-esr)
	$(call need,test -x /usr/bin/WebKitWebDriver && ls /usr/lib/*/webkit2gtk-4.*/MiniBrowser,webkit2gtk-driver)
	$(call need,test -x /usr/bin/Xvfb,xvfb)
	$(call need,ls /usr/lib/postgresql/*/bin/initdb,postgresql)
	$(call need,test -x /usr/bin/strace,strace)
	$(call need,node --version && npm --version,nodejs npm)
	$(call need,fc-list 2>/dev/null | grep -qi 'cjk\|wqy\|uming',fonts-noto-cjk fontconfig)
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	npm ci --silent --ignore-scripts --no-audit --no-fund
	touch $@

.venv/train: .venv/test
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,train]'
	touch $@

# need(check,packages): if the check fails, install Debian packages (as root or through sudo) and check again.
define need
@{ $(1); } >/dev/null 2>&1 || { \
	echo "installing $(2) with apt-get"; \
	root=$$( [ "$$(id -u)" = 0 ] || echo sudo ); \
	$$root apt-get update -q && DEBIAN_FRONTEND=noninteractive $$root apt-get install -q -y --no-install-recommends $(2) && { $(1); } >/dev/null 2>&1 || \
	{ echo "$(2) could not be installed: install it by hand (apt-get install $(2)) and run make again" >&2; exit 1; }; }
endef

clean:
	rm -rf .venv node_modules build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
