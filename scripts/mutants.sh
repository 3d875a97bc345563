#!/usr/bin/env bash
# Makes small changes to the rules, one at a time (a comparison, an operator, a constant answer), and counts how many of them the tests
# notice. `make mutants` runs it; at least 98 of 100 must be noticed.
#   mutants.sh COUNT   about this many changes of each part, drawn at random, or `all`
#   PARTS="engine"     some of: engine journal web
#   SHARD=3/20         an earlier draw, as it was printed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
count=${1:?how many, or all}
version=27.1.0
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
tools=$target/tools
export CARGO_BUILD_JOBS=${CARGO_BUILD_JOBS:-2} CARGO_TERM_COLOR=never
missed_goal=0

install_tool() {
  "$tools/bin/cargo-mutants" mutants --version 2>/dev/null | grep -q " $version\$" ||
    cargo install --quiet --locked --version "$version" --root "$tools" cargo-mutants
}

# lines FILE: 0 if the file does not exist.
lines() { if [[ -f $1 ]]; then wc -l <"$1"; else echo 0; fi; }

# rust PACKAGE TESTS...: changes of a package against the tests of these packages.
rust() {
  local package=$1 out=$target/mutants-$1 all shard=${SHARD:-}
  shift
  install_tool
  local choice=(mutants --package "$package")
  if [[ -z $shard && $count != all ]]; then
    all=$("$tools/bin/cargo-mutants" "${choice[@]}" --list | wc -l)
    local shards=$(((all + count - 1) / count))
    shard=$((RANDOM % shards))/$shards
  fi
  [[ -z $shard ]] || choice+=(--shard "$shard" --sharding round-robin)
  printf '\n== %s: %s\n' "$package" "${shard:+SHARD=$shard}"
  rm -rf "$out"
  mkdir -p "$out"
  # Answers 2 when something went unnoticed and 3 when a change made a test hang, which notices it.
  "$tools/bin/cargo-mutants" "${choice[@]}" "${@/#/--test-package=}" --profile mutants --output "$out" --jobs 1 --minimum-test-timeout 120 \
    --no-shuffle --colors never || (($? == 2 || $? == 3))
  local results=$out/mutants.out
  local missed noticed
  missed=$(lines "$results/missed.txt")
  noticed=$(($(lines "$results/caught.txt") + $(lines "$results/timeout.txt")))
  printf '== %s: %d of %d changes were noticed; the others are in %s\n' "$package" "$noticed" $((noticed + missed)) "$results/missed.txt"
  ((noticed * 100 >= (noticed + missed) * 98)) || missed_goal=1
}

web() {
  printf '\n== web: the order rules of the app\n'
  make --no-print-directory web/node_modules/.package-lock.json
  npm ci --prefix web/mutants --legacy-peer-deps --ignore-scripts --no-audit --no-fund --silent
  (cd web && MUTANTS=$count mutants/node_modules/.bin/stryker run mutants/stryker.config.mjs) || missed_goal=1
}

for part in ${PARTS:-engine journal web}; do
  case $part in
    engine) rust engine engine sim ;;
    journal) rust journal journal ;;
    web) web ;;
    *) echo "no part is called $part" >&2; exit 1 ;;
  esac
done
exit $missed_goal
