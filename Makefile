# simtlab: `make` builds build/simtlab and the programs it runs, `make demo` runs the benchmark suite, `make check` tests.
# Each installs the packages that it needs first; see tools/setup.sh.

BUILD ?= build
JOBS ?= $(shell nproc)
SIZE ?= small

# Releases run on any processor and take the time to optimise at link time.
RELEASE := $(BUILD)-release
RELEASE_OPTIONS := -DSIMTLAB_LTO=ON -DSIMTLAB_LEVELS=all

.PHONY: all charts demo demo-cuda demo-opencl check check-full coverage install deb static release tables site format clean
all:
	@tools/setup.sh demo build
	@tools/build.sh make $(BUILD) $(JOBS) shipped
	@echo "built $(BUILD)/simtlab"

# The script that draws the charts of `simtlab report`, from packages that npm downloads. Packages have it.
charts:
	@tools/charts.sh $(BUILD)

demo:
	@[ -x $(BUILD)/simtlab ] || echo "demo: builds simtlab and sixteen programs, then runs them: 1 to 2 minutes on 2 cores"
	@tools/setup.sh demo
	@tools/build.sh demo $(BUILD) $(JOBS) "simtlab demo_programs"
	@mkdir -p results
	@$(BUILD)/simtlab bench --machine simtight --size $(SIZE) --jobs $(JOBS) --json results/bench-simtight-$(SIZE).json

# Builds ten CUDA programs with nvcc of simtlab and runs them on simulated GPUs.
demo-cuda:
	@tools/setup.sh demo build
	@tools/build.sh demo-cuda $(BUILD) $(JOBS) "simtlab simtlab_cudart cuda_device"
	@rm -rf results/cuda && mkdir -p results && cp -r examples/cuda results/cuda
	@SIMTLAB=$(abspath $(BUILD))/simtlab tools/cuda-suite.sh results/cuda

# Multiplies matrices on several simulated devices of OpenCL.
OPENCL_MACHINES ?= opencl-sm7,opencl-simtight,opencl-simty,opencl-vortex,opencl-vortex64
demo-opencl:
	@tools/setup.sh demo build test
	@tools/build.sh demo-opencl $(BUILD) $(JOBS) "simtlab simtlab_opencl opencl_device opencl_riscv"
	@rm -rf results/opencl && mkdir -p results && cp -r examples/opencl results/opencl
	@$(MAKE) --no-print-directory -s -C results/opencl gemm
	@OCL_ICD_VENDORS=$(abspath $(BUILD))/simtlab.icd SIMTLAB_OPENCL_MACHINE=$(OPENCL_MACHINES) results/opencl/gemm

# The cheaper tests; check-full has the rest, and says how long each part took.
check:
	@tools/setup.sh demo build test
	@tools/check.sh $(JOBS)

check-full:
	@tools/setup.sh demo build test full
	@tools/check_full.sh $(JOBS) $(PARTS)

# Of the sanitized tests that `make check-full` has run.
coverage:
	@tools/coverage.sh

# PREFIX and DESTDIR as usual.
install: all
	@tools/charts.sh $(BUILD) || echo "install: without the charts of simtlab report"
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

.PHONY: release-build
release-build:
	@tools/setup.sh demo build
	@tools/build.sh release $(RELEASE) $(JOBS) shipped $(RELEASE_OPTIONS)
	@tools/charts.sh $(RELEASE) || echo "release-build: without the charts of simtlab report"

deb: release-build
	@tools/deb.sh $(RELEASE) $(BUILD)

# For computers on which one cannot install anything.
static: release-build
	@tools/static.sh $(RELEASE) $(BUILD)

# Packages and archives with a list of their contents and their checksums.
release: release-build
	@tools/release.sh $(RELEASE) $(BUILD)/release

# The tables of results in the documentation.
tables: all
	@tools/tables.sh run $(BUILD)

# The documentation as pages with search, in build/site.
site:
	@tools/site.sh $(BUILD)/site

format:
	@git ls-files '*.c' '*.h' ':!reference' | xargs clang-format -i

clean:
	rm -rf build build-*
