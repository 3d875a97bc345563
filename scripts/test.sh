#!/usr/bin/env bash
# Runs the stages of `make test` (all) or `make check` (quick). Every stage says what it does and how long it took;
# a stage that fails does not stop the others, but the whole fails. The last line counts what really ran.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scope=${1:?all or quick}

export CARGO_BUILD_JOBS=${CARGO_BUILD_JOBS:-2} CARGO_TERM_COLOR=never NO_COLOR=1 CI=${CI:-true}
unset FORCE_COLOR
target=${CARGO_TARGET_DIR:-target}
logs=$target/stages
mkdir -p "$logs"
started=$SECONDS
passed=0 failed=0 broken=()

# stage NAME COMMAND...: a step that either holds or not.
stage() {
  local name=$1 from=$SECONDS
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  if "$@" </dev/null 2>&1 | tee "$logs/$name.log"; then
    printf '== %s passed in %d s\n' "$name" $((SECONDS - from))
  else
    printf '== %s FAILED after %d s\n' "$name" $((SECONDS - from))
    broken+=("$name")
    return 1
  fi
}

# tests NAME COMMAND...: a step that runs tests; one that runs none has failed.
tests() {
  local name=$1 before=$((passed + failed))
  stage "$@"
  local answer=$?
  # The three forms: "ok. 12 passed; 0 failed", "Tests  12 passed (12)" and a line "  12 passed (3.4s)".
  local results
  results=$(grep -E '^test result:|^ +Tests +[0-9]|^ +[0-9]+ (passed|failed)( |$)' "$logs/$name.log")
  passed=$((passed + $(sum passed "$results")))
  failed=$((failed + $(sum failed "$results")))
  if ((answer == 0 && passed + failed == before)); then
    printf '== %s FAILED: it ran no test\n' "$name"
    broken+=("$name")
    return 1
  fi
  return $answer
}

sum() {
  grep -oE "[0-9]+ $1" <<<"$2" | awk '{ total += $1 } END { print total + 0 }'
}

packages() {
  local missing=()
  [[ -n ${CHROMIUM_PATH:-} || -x /usr/bin/chromium ]] || missing+=(chromium)
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null || missing+=(postgresql)
  command -v strace >/dev/null || missing+=(strace)
  command -v patch >/dev/null || missing+=(patch)
  if ((${#missing[@]} == 0)); then
    echo "Chromium, PostgreSQL, strace and patch are there."
    return
  fi
  local line="apt-get install -y --no-install-recommends ${missing[*]}"
  if [[ $(id -u) != 0 ]]; then
    echo "These tests need: ${missing[*]}. Install them with:  sudo $line"
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q && $line
}

node_packages() {
  make --no-print-directory web/node_modules/.package-lock.json e2e/node_modules/.package-lock.json
}

types_are_fresh() {
  "$target/debug/meridian" openapi >"$target/openapi.json" || return 1
  node scripts/types.mjs <"$target/openapi.json" >"$target/api.ts" || return 1
  diff -u web/src/generated/api.ts "$target/api.ts" || { echo "run: make types"; return 1; }
}

journeys() {
  local binary
  binary=$(realpath "$target/debug/meridian") || return 1
  cd e2e && npm run --silent check && MERIDIAN_BIN=$binary npx playwright test
}

if [[ $scope == all ]]; then
  stage packages packages || exit 1
fi
stage node-packages node_packages || exit 1
stage format cargo fmt --all --check
stage lint cargo clippy --workspace --all-targets --quiet -- -D warnings
stage web-check npm --prefix web run --silent check
tests web-tests npm --prefix web run --silent test
if [[ $scope == all ]]; then
  stage web-build npm --prefix web run --silent build
  if stage build cargo build --workspace --quiet; then
    tests rust-tests cargo test --workspace --no-fail-fast --quiet
    tests toy-product scripts/toy-product.sh
    stage types types_are_fresh
    tests journeys journeys
  fi
else
  tests rust-tests cargo test -p engine -p journal --lib --test scenarios --test vectors --test conformance --test fencing --no-fail-fast --quiet
  tests house-rules cargo test -p server --test tidy --quiet
fi

printf '\n'
for name in "${broken[@]}"; do
  printf 'failed: %s (see %s/%s.log)\n' "$name" "$logs" "$name"
done
printf 'took %d min %d s\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60))
printf '%d tests passed, %d tests failed, %d stages failed\n' "$passed" "$failed" "${#broken[@]}"
((failed == 0 && ${#broken[@]} == 0))
