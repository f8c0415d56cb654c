# `make demo` and `make test` are all a new machine needs; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# For example --locked or --offline.
CARGO_FLAGS ?=
FUZZ_SECONDS ?= 60
# One crate for `test` and `bless`: its directory under crates/, or the name of its package.
CRATE ?=
PACKAGE = $(or $(shell sed -n 's/^name = "\(.*\)"$$/\1/p;T;q' crates/$(CRATE)/Cargo.toml 2>/dev/null),$(CRATE))
SELECTED = $(if $(CRATE),--package $(PACKAGE),--workspace)

.PHONY: demo test bench bless deny fuzz doc help

demo: ## set up, build, run the bundled examples
	@scripts/setup
	$(CARGO) build --release --package obligato-cli $(CARGO_FLAGS)
	@scripts/demo

test: ## set up, then formatting, lints and all tests; CRATE=x: of one crate
	@scripts/setup --test
	$(CARGO) fmt $(if $(CRATE),--package $(PACKAGE),--all) --check
	$(CARGO) clippy $(SELECTED) --all-targets $(CARGO_FLAGS) -- -D warnings
	$(CARGO) test $(SELECTED) $(CARGO_FLAGS)
	@echo 'make test: formatting, lints and all tests$(if $(CRATE), of $(PACKAGE)) pass'

bench: ## run the benchmarks
	$(CARGO) bench --workspace $(CARGO_FLAGS)

bless: ## rewrite the golden files from what the tests see now, then read the diff; CRATE=x: of one crate
	BLESS=1 $(CARGO) test $(SELECTED) $(CARGO_FLAGS)

deny: ## check licences, bans and sources of all dependencies
	@$(CARGO) deny --version >/dev/null 2>&1 || \
		{ echo "make deny: cargo-deny is missing; run 'cargo install cargo-deny --locked'" >&2; exit 1; }
	$(CARGO) deny check licenses bans sources

fuzz: ## run each fuzz target for FUZZ_SECONDS seconds
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

doc: ## build the documentation of all crates
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --no-deps --document-private-items $(CARGO_FLAGS)

help: ## list the targets
	@awk -F ': ## ' '/^[a-z]+: ## / { printf "  make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
