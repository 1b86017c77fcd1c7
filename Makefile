# The way in: every target installs what it needs, then says what it does. `make help` lists them.

# Not taken from the environment: only `make lint REPO=path` means it.
REPO = fixtures/demo
ARGS =

BUILD = build
comma = ,
CLANG_FORMAT ?= clang-format-14
RUN_CLANG_TIDY ?= run-clang-tidy-14
SOURCES = find src tests -name '*.cpp' -o -name '*.h'

# $(call configure,folder,settings of meson)
configure = @test -f $(1)/build.ninja || { echo "==> configuring $(1)"; meson setup $(1) $(2); }
# The same with tests: the program alone needs fewer packages, so a folder that has it may come first.
configure_tests = @test -d $(1)/tests || { echo "==> configuring the tests of $(1)"; \
    if [ -f $(1)/build.ninja ]; then meson configure $(1) -Dtests=true; else meson setup $(1); fi; }
# $(call compile,folder,targets)
compile = @echo "==> compiling in $(1)"; ninja -C $(1) $(2)
run_tests = @echo "==> testing in $(1)"; ci/run-tests $(1)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: lint
lint: build ## lint a repository: make lint REPO=path [ARGS=options]; without REPO the bundled demo
	@ci/lint $(BUILD)/lockstep "$(REPO)" $(if $(filter file,$(origin REPO)),demo,repository) $(ARGS)

.PHONY: build
build: deps ## the program, as build/lockstep
	$(call configure,$(BUILD),-Dtests=false)
	$(call compile,$(BUILD),lockstep)

.PHONY: test
test: test-deps ## build everything and run all tests
	$(call configure_tests,$(BUILD))
	$(call compile,$(BUILD))
	$(call run_tests,$(BUILD))

.PHONY: test-integration
test-integration: build ## check reports, action and hooks with the tools that read them
	@ci/install-deps integration
	@echo "==> testing with other tools"; ci/test-integration $(BUILD)

# With clang and a little optimization: the fuzz targets need it, and both are made of the same objects.
asan = @test -f build-asan/build.ninja || { echo "==> configuring build-asan"; CXX=clang++ meson setup build-asan -Dfuzz=true \
    -Dbuildtype=custom -Doptimization=1 -Ddebug=false -Dcpp_args='-gline-tables-only -fno-omit-frame-pointer' \
    -Db_sanitize=address,undefined -Db_lundef=false; }

.PHONY: test-asan
test-asan: dev-deps ## all tests with the address and undefined behaviour sanitizers
	$(asan)
	$(call compile,build-asan)
	$(call run_tests,build-asan)

# Addresses are not random where the system lets us choose: with many random bits the sanitizer finds no room for itself.
.PHONY: test-tsan
test-tsan: test-deps ## all tests with the thread sanitizer
	$(call configure,build-tsan,-Dbuildtype=custom -Doptimization=g -Ddebug=false -Dcpp_args=-g1 -Db_lundef=false -Db_sanitize=thread)
	$(call compile,build-tsan)
	@echo "==> testing in build-tsan"; $$(setarch -R echo setarch -R 2>/dev/null) ci/run-tests build-tsan

.PHONY: test-clang
test-clang: dev-deps ## all tests, built with clang++
	@test -f build-clang/build.ninja || { echo "==> configuring build-clang"; CXX=clang++ meson setup build-clang; }
	$(call compile,build-clang)
	$(call run_tests,build-clang)

.PHONY: test-faults
test-faults: test-deps build ## let every call site fail once, over the demo: make test-faults [ARGS=--every 10]
	$(call configure_tests,$(BUILD))
	$(call compile,$(BUILD),fail_once)
	@echo "==> failing every call once"; tests/faults/run_faults.py $(BUILD)/lockstep $(BUILD)/tests/faults/fail_once.so . $(ARGS)

.PHONY: bench
bench: build ## measure trees of 500, 5,000 and 50,000 files beside read(2), libyaml and yamllint
	@ci/install-deps bench
	$(call configure_tests,$(BUILD))
	$(call compile,$(BUILD),tests/bench/baseline tests/bench/build_fleet)
	@tests/bench/run_bench.py $(BUILD)
	@tests/bench/run_bench.py $(BUILD) --instructions
	@tests/bench/kustomize_fleet.py $(BUILD)
	@tests/bench/charts.py $(BUILD)

# Not SECONDS of the environment: bash counts its own there.
SECONDS = 60
TARGETS =
.PHONY: fuzz
fuzz: dev-deps ## hostile bytes against every reader: make fuzz [SECONDS=60 in all] [TARGETS="git glob"]
	$(asan)
	$(call compile,build-asan,$(if $(TARGETS),$(addprefix tests/fuzz/fuzz_,$(TARGETS)),fuzzers))
	@ci/fuzz build-asan $(SECONDS) $(TARGETS)

.PHONY: fmt
fmt: fmt-deps ## format src and tests
	@$(SOURCES) | xargs $(CLANG_FORMAT) -i

.PHONY: check-fmt
check-fmt: fmt-deps ## fail where fmt would change something
	@echo "==> checking the format"; $(SOURCES) | xargs $(CLANG_FORMAT) --dry-run -Werror

.PHONY: check-tidy
check-tidy: dev-deps ## clang-tidy over src, warnings are errors
	$(call configure,build-tidy,-Dunity=off -Dtests=false)
	$(call compile,build-tidy,src/base/embedded.cpp src/checks/checks_table.cpp)
	@echo "==> tidying src"; $(RUN_CLANG_TIDY) -quiet -p build-tidy '^$(CURDIR)/src/'

.PHONY: docs
docs: build ## write docs/rules.md anew from the rule files
	@$(BUILD)/lockstep rules fixtures --format markdown > docs/rules.md

.PHONY: dist
dist: deps ## the release archive with a static program, and its checksum, in dist/
	$(call configure,build-dist,-Dtests=false -Dstatic=true)
	$(call compile,build-dist,lockstep)
	@echo "==> packing"; ci/make-dist build-dist dist

.PHONY: clean
clean: ## remove all build folders and dist/
	rm -rf build build-asan build-clang build-dist build-tidy build-tsan dist

.PHONY: deps test-deps dev-deps fmt-deps
deps: ; @ci/install-deps
test-deps: ; @ci/install-deps test
dev-deps: ; @ci/install-deps dev
fmt-deps: ; @command -v $(CLANG_FORMAT) >/dev/null || ci/install-deps dev
