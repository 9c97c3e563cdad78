# simtlab: `make` builds build/simtlab and the programs it runs, `make demo` runs the benchmark suite, `make check` runs all
# tests. Each sets up what it needs first; see tools/setup.sh.

BUILD ?= build
JOBS ?= $(shell nproc)
SIZE ?= small

.PHONY: all setup demo check coverage install deb static release tables format clean
all: setup
	@cmake -S . -B $(BUILD) >/dev/null
	@$(MAKE) --no-print-directory -s -C $(BUILD) -j$(JOBS) shipped
	@echo "built $(BUILD)/simtlab"

setup:
	@tools/setup.sh build

demo: plan all
	@mkdir -p results
	@$(BUILD)/simtlab bench --machine simtight --size $(SIZE) --jobs $(JOBS) --json results/bench-simtight-$(SIZE).json

.PHONY: plan
plan:
	@echo "demo: installs the Debian packages that are missing, builds simtlab and cross-compiles its programs (about 2 minutes"
	@echo "demo: on 2 cores when all is new), then runs the sixteen benchmarks at size $(SIZE) (small: seconds, paper: 2 minutes)"

check:
	@tools/setup.sh build static test
	@tools/check.sh $(JOBS)

# Of the tests that `make check` has run.
coverage:
	@tools/coverage.sh

# PREFIX and DESTDIR as usual.
install: all
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

deb: all
	@tools/deb.sh $(BUILD) $(BUILD)

# For computers on which one cannot install anything.
static: all
	@tools/setup.sh static
	@tools/static.sh $(BUILD) $(BUILD)

# The tables of docs/results and docs/papers.
tables: all
	@tools/tables.sh run $(BUILD)

# Packages and archives with a list of what is in them and their checksums.
release: all
	@tools/setup.sh static
	@tools/release.sh $(BUILD) $(BUILD)/release

format:
	@git ls-files '*.c' '*.h' ':!reference' | xargs clang-format -i

clean:
	rm -rf build build-*
