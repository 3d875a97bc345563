# Meridian. `make run` starts a sandbox, `make test` checks everything, `make help` lists the rest.
SHELL := bash
.DELETE_ON_ERROR:
.PHONY: help run build test check soak bench mutants sim golden receipts types web binary screenshots

MARKET ?=
DATA ?= $(if $(filter live,$(MARKET)),./data-live,./data)
LISTEN ?= 127.0.0.1:8080
SEEDS ?= 0..1000
COMMANDS ?= 2000
MUTANTS ?= 54
export CARGO_BUILD_JOBS ?= 2

TARGET := $(or $(CARGO_TARGET_DIR),target)
MERIDIAN := $(TARGET)/debug/meridian
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name dist -prune -o -name .vite -prune -o -type f -print)

help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: web binary ## Start a sandbox on http://127.0.0.1:8080 (DATA=./data LISTEN=127.0.0.1:8080; MARKET=live for prices of real venues, in ./data-live). Needs Rust and Node.
	@exec $(MERIDIAN) serve --data $(DATA) --listen $(LISTEN) --genesis sandbox $(if $(MARKET),--market $(MARKET))

build: web ## Build the release binary with the web app inside: target/release/meridian.
	@touch crates/server/src/http/web.rs # the binary embeds web/dist, which the compiler does not watch
	cargo build --release -p server
	@echo "built $(TARGET)/release/meridian"

test: ## Run every check and every test, with PostgreSQL and a real browser. At most 45 minutes on two processors.
	@scripts/test.sh all

check: ## Run the quick ones: format, lint, engine, journal, house rules, web. At most 5 minutes once built.
	@scripts/test.sh quick

soak: ## Run what needs no repetition for each change, before a release: 120 kills of servers and 200 of journals, 24 crash images, an exit kit of a million lines, 2,000 simulated seeds, and 1,000 through the kernel's writer.
	@scripts/test.sh soak

bench: ## Measure against yardsticks in the same run and print the ratios. Fails at the end when one misses its goal, or the bound that two known misses have beside it.
	cargo build --release -p server -p bench
	cargo build --release -p journal --example append_bench
	cargo build --release -p engine --example contracts_bench
	cargo build --release -p feed --features testing --example venues_bench
	cargo build --release -p server --example operator_bench --example sweep_bench --example due_bench --example snapshot_bench
	@missed=0; cd $(TARGET)/release; \
	./bench --meridian ./meridian || missed=1; \
	examples/append_bench || missed=1; \
	examples/operator_bench || missed=1; \
	examples/sweep_bench || missed=1; \
	examples/due_bench || missed=1; \
	examples/contracts_bench || missed=1; \
	examples/snapshot_bench || missed=1; \
	examples/venues_bench || missed=1; \
	exit $$missed

mutants: ## Small changes to engine, journal and the order rules of the app: how many do tests notice? (MUTANTS=54 of each part, or `all`.)
	@scripts/mutants.sh $(MUTANTS)

sim: ## Random commands and faults against a naive model (SEEDS=0..1000 COMMANDS=2000; KERNEL=1 through the kernel's writer).
	cargo run -p sim -- $(if $(KERNEL),--kernel) --seeds $(SEEDS) --commands $(COMMANDS)

golden: ## Write what the formats of this release add into the engine's golden folder `next`; with VERSION=x.y.z seal it as that release.
	$(if $(VERSION),MERIDIAN_GOLDEN=$(VERSION)) cargo test -q -p engine --test golden -- --ignored

receipts: ## Write the receipts and leaves, with altered forms, that both verifiers are held to, from a real server.
	MERIDIAN_RECEIPTS=write cargo test -q --workspace --test api -- a_receipt_is_checked every_member_finds

types: binary ## Regenerate the wire types of the web app from the server.
	$(MERIDIAN) openapi | node scripts/types.mjs > $(TARGET)/api.ts
	mv $(TARGET)/api.ts web/src/generated/api.ts

screenshots: web binary e2e/node_modules/.package-lock.json ## Take the pictures of README.md from a running sandbox.
	cd e2e && MERIDIAN_SCREENSHOTS=../docs/images npx playwright test screenshots

web: web/dist/index.html

binary:
	cargo build -p server

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run build

%/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
