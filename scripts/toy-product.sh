#!/usr/bin/env bash
# Adds a toy product to a copy of the engine, at the places that "Adding a product" in ARCHITECTURE.md names and nowhere else, and runs the
# tests of the copy. Then leaves out one place after another: where the table says that the compiler asks for it, the copy must not
# compile; where it says that a test does, one must fail. So the table is complete and has no needless rows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}/toy" && realpath "${CARGO_TARGET_DIR:-target}/toy")
patch=$PWD/crates/engine/tests/toy/timer.patch
copy=$target/copy
made=$target/made
rm -rf "$copy" "$made"
mkdir -p "$copy/crates"
cp -r crates/engine "$copy/crates/"
cp -r "$copy" "$made"
cp Cargo.lock "$copy"
# The copy is a workspace with one member, so it builds quickly.
sed -e 's/^members = .*/members = ["crates\/engine"]/' -e '/^\[workspace.dependencies\]/,/^$/d' -e '/^# Debug builds/,$d' Cargo.toml >"$copy/Cargo.toml"
(cd "$made" && patch -s -p1 --fuzz=0 --no-backup-if-mismatch <"$patch")
export CARGO_TARGET_DIR=$target/build CARGO_PROFILE_DEV_DEBUG=0 CARGO_NET_OFFLINE=${CARGO_NET_OFFLINE:-false}
log=$target/log

# The copy's file with the toy product, or without it.
with() { cp "$made/$1" "$copy/$1"; }
without() { if [[ -e $1 ]]; then cp "$1" "$copy/$1"; else rm "$copy/$1"; fi; }
compiles() { (cd "$copy" && cargo test --quiet --no-run --lib --test timers --test golden) >"$log" 2>&1; }
# Golden files are written as by `make golden`, so they hold what this copy produces.
holds() {
  rm -rf "$copy/crates/engine/tests/golden" && cp -r "$made/crates/engine/tests/golden" "$copy/crates/engine/tests/"
  if [[ -n ${1:-} ]]; then without "$1"; fi
  (cd "$copy" && cargo test --quiet --test golden -- --ignored && cargo test --test timers --test golden &&
    cargo test --lib -- product:: scheduler:: due_work:: snapshot::) >"$log" 2>&1
}
fail() {
  echo "$1"
  tail -40 "$log" 2>/dev/null
  echo 'test result: FAILED. 0 passed; 1 failed'
  exit 1
}

places=$(sed -n 's|^+++ b/||p' "$patch")
table=$(sed -n '/^## Adding a product/,$p' ARCHITECTURE.md | grep '^|')
for place in $places; do with "$place"; done
compiles || fail "the toy does not compile at the places of the table"
holds || fail "the toy does not hold at the places of the table"
grep '^test result' "$log"
for place in $places; do
  # Only its own folder and its tests are added.
  if [[ ! -e $place ]]; then continue; fi
  row=$(grep -F "($place)" <<<"$table") || fail "ARCHITECTURE.md does not name $place"
  without "$place"
  case $row in
  *'the compiler asks'*) if compiles; then fail "$place: the compiler does not ask for it"; fi && asks='the compiler asks' ;;
  *'a test asks'*)
    compiles || fail "$place: the compiler asks for it, not a test"
    if holds "$place"; then fail "$place: no test asks for it"; fi
    asks='a test asks'
    ;;
  *) fail "ARCHITECTURE.md does not say who asks for $place" ;;
  esac
  with "$place"
  printf '%s: %s\n' "$place" "$asks"
done
for place in $(grep -oE '\(crates/engine/[^)]*\)' <<<"$table" | tr -d '()'); do
  if ! grep -qxF "$place" <<<"$places" && ! grep -F "($place)" <<<"$table" | grep -q '| Nothing'; then fail "the toy does not need $place"; fi
done
echo 'test result: ok. 1 passed; 0 failed: every place of the table is asked for'
