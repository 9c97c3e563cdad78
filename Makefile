# simtlab: `make` builds build/simtlab, `make demo` runs the benchmark suite, `make check` runs all tests.
# Each sets up what it needs first; see tools/setup.sh.

BUILD ?= build
JOBS ?= $(shell nproc)
SIZE ?= small

.PHONY: all setup demo check format clean
all: setup
	@cmake -S . -B $(BUILD) -DSIMTLAB_TESTS=OFF -DSIMTLAB_DEVICE_PROGRAMS=OFF >/dev/null
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS) simtlab
	@echo "built $(BUILD)/simtlab"

setup:
	@tools/setup.sh

demo: setup
	@cmake -S . -B $(BUILD) -DSIMTLAB_DEVICE_PROGRAMS=ON >/dev/null
	@$(MAKE) --no-print-directory -s -C $(BUILD) -j$(JOBS) bench_programs
	@mkdir -p results
	@$(BUILD)/simtlab bench --machine simtight --size $(SIZE) --jobs $(JOBS) --json results/bench-simtight-$(SIZE).json

check: setup
	@tools/check.sh $(JOBS)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*
