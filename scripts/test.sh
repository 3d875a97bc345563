#!/usr/bin/env bash
# Runs the stages of `make test` (all), `make check` (quick) or `make soak` (soak). Stages that neither need nor disturb one another run
# side by side. Each writes a log, which is printed when it ends; until then a line a minute says what is running. A failed stage does not
# stop the others, but the whole run fails, as it does if a stage did not run or ran no test. The last line counts what really ran.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scope=${1:?all, quick or soak}

export CARGO_BUILD_JOBS=${CARGO_BUILD_JOBS:-2} CARGO_TERM_COLOR=never NO_COLOR=1 CI=${CI:-true}
export LC_NUMERIC=C
unset FORCE_COLOR
target=${CARGO_TARGET_DIR:-target}
logs=$target/stages
rm -rf "$logs"
mkdir -p "$logs/running"
ended=$logs/ended
: >"$ended"
lanes=()

# Tests that depend on exact timing, by parts of their names: they run beside nothing but one another.
clocks=(
  clocks:: database:: stuck:: succession:: flood:: account_races:: threats::a_session_that_ended_on_another_node transport::a_slow_head
  transport::slow_bodies user_search::a_member_is_read_at_once_while_the_database_waits_to_write db::sqlite::tests::
  picture::tests::too_many_pixels files::pictures_that_are_decoded_delay_no_password account::guesses_in_parallel
  guesses::of_many_wrong_log_ins_at_once guesses::of_many_wrong_second_factors_at_once guesses::a_phone_with_zeros
  cut_off::a_sign_up_that_was_cut_off cut_off::sandbox_inputs_that_were_cut_off
)

# stage NAME COMMAND...: a step that passes or fails.
stage() { step holds "$@"; }

# tests NAME COMMAND...: a step that runs tests; one that runs none has failed.
tests() { step counts "$@"; }

step() {
  local kind=$1 name=$2 from=$SECONDS log=$logs/$2.log TIMEFORMAT='%U %S' verdict=passed answer results passed=0 failed=0
  shift 2
  echo "$from" >"$logs/running/$name"
  { time { ("$@") </dev/null >"$log" 2>&1; }; } 2>"$logs/$name.cpu"
  answer=$?
  if [[ $kind == counts ]]; then
    # The three forms: "ok. 12 passed; 0 failed", "Tests  12 passed (12)" and a line "  12 passed (3.4s)".
    results=$(grep -E '^test result:|^ +Tests +[0-9]|^ +[0-9]+ (passed|failed)( |$)' "$log")
    passed=$(sum passed "$results") failed=$(sum failed "$results")
    if ((answer == 0 && passed + failed == 0)); then
      echo "it ran no test" >>"$log"
      answer=1
    fi
  fi
  ((answer == 0)) || verdict=FAILED
  rm "$logs/running/$name"
  {
    flock 9
    printf '\n== %s: %s\n' "$name" "$*"
    cat "$log"
    printf '== %s %s after %d s, %.0f s of a processor\n' "$name" "$verdict" $((SECONDS - from)) "$(awk '{ print $1 + $2 }' "$logs/$name.cpu")"
    echo "$name $answer $passed $failed" >>"$ended"
  } 9>"$logs/lock"
  return "$answer"
}

sum() {
  grep -oE "[0-9]+ $1" <<<"$2" | awk '{ total += $1 } END { print total + 0 }'
}

# lane FUNCTION: runs its stages in order, beside the other lanes, until `join`.
lane() {
  # A process group of its own, so an interrupt ends everything it started.
  set -m
  "$@" &
  set +m
  lanes+=($!)
}

join() {
  wait "${lanes[@]}"
  lanes=()
}

interrupted() {
  for pid in "${lanes[@]}" $watcher; do kill -- "-$pid" 2>/dev/null; done
  exit 130
}
trap interrupted INT TERM

# Prints once a minute what is running.
watch() {
  while sleep 60; do
    local running=() name
    for name in $(ls "$logs/running"); do
      running+=("$name ($((SECONDS - $(<"$logs/running/$name"))) s)")
    done
    ((${#running[@]} == 0)) || { flock 9 && echo "... ${running[*]}"; } 9>"$logs/lock"
  done
}

held() {
  grep -q "^$1 0 " "$ended"
}

# The names of the tests that failed, as cargo, Playwright and Vitest list them, with what they expected, or else where the compiler
# stopped and how the log ends.
why() {
  if grep -hE '^    [a-z0-9_]+(::[a-z0-9_]+)*$|^    journeys/[^ ]+ › |^ FAIL ' "$1" | sort -u | head -n 12 | grep .; then
    grep -hE "panicked at|^ +(left|right|[A-Za-z]*Error|Expected|Received): |^ +Test timeout|^ +> [0-9]+ \\|" "$1" | head -n 12
  else
    grep -hE '^(error|warning)|^ +--> ' "$1" | head -n 6
    tail -n 5 "$1"
  fi
}

missing_packages() {
  [[ -n ${CHROMIUM_PATH:-} || -x /usr/bin/chromium ]] || echo chromium
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null || echo postgresql
  command -v strace >/dev/null || echo strace
  command -v patch >/dev/null || echo patch
}

packages() {
  local missing line
  missing=$(missing_packages | xargs)
  if [[ -z $missing ]]; then
    echo "Chromium, PostgreSQL, strace and patch are there."
    return
  fi
  line="apt-get install -y --no-install-recommends $missing"
  if [[ $(id -u) != 0 ]]; then
    echo "These tests need: $missing. Install them with:  sudo $line"
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

# Everything comes out of one build with the same features: with `-p`, cargo would choose others and rebuild the libraries.
suite=(cargo test --workspace --no-fail-fast)
# Every test target but the durability suite, which waits more than it works.
mapfile -t others < <(printf '%s\n' crates/*/tests/*.rs crates/*/tests/*/main.rs | sed -E 's|/main\.rs$||; s|.*/||; s|\.rs$||' | sort -u | grep -vx durability)
others=(--lib --bins "${others[@]/#/--test=}")

every_clock_was_watched() {
  local clock
  for clock in "${clocks[@]}"; do
    grep -h "^test $clock" "$logs"/*-clocks.log >/dev/null || { echo "no test is called $clock"; return 1; }
  done
}

# Lanes of `all`. A lane that lowers its priority (`renice`) uses the processor time that the other one leaves while it waits for
# packages, linkers, disks and databases.
compiled() {
  stage format cargo fmt --all --check
  stage build "${suite[@]}" --tests --no-run --quiet
}
app() {
  renice -n 5 -p "$BASHPID" >/dev/null
  stage node-packages node_packages || return
  stage web-check npm --prefix web run --silent check
  stage web-build npm --prefix web run --silent build
  tests web-tests npm --prefix web run --silent test
}
working() {
  # Tests of servers also wait for disks and passwords, so a third thread has work meanwhile.
  tests rust-tests "${suite[@]}" "${others[@]}" --quiet -- --test-threads=3 "${clocks[@]/#/--skip=}"
  tests doc-tests "${suite[@]}" --doc --quiet
  stage types types_are_fresh
  tests journeys journeys
}
waiting() {
  tests durability "${suite[@]}" --test durability --quiet -- "${clocks[@]/#/--skip=}"
  renice -n 5 -p "$BASHPID" >/dev/null
  tests toy-product scripts/toy-product.sh
  # These compile for five minutes, in the time that the journeys leave.
  stage lint cargo clippy --workspace --all-targets --quiet -- -D warnings
  # The libraries of the tests have features that a release does not.
  stage without-tests cargo check --workspace --quiet
}
everything() {
  if [[ -n $(missing_packages) && $(id -u) != 0 ]]; then
    stage packages packages
    return
  fi
  lane stage packages packages
  lane app
  lane compiled
  join
  held packages && held build || return
  lane working
  lane waiting
  join
  # These run beside nothing but one another; the durability tests need a processor for only a fifth of their time.
  lane tests rust-clocks "${suite[@]}" "${others[@]}" -- "${clocks[@]}"
  lane tests durability-clocks "${suite[@]}" --test durability -- --test-threads=4 "${clocks[@]}"
  join
  stage clocks every_clock_was_watched
}

quick() {
  stage node-packages node_packages || return
  stage format cargo fmt --all --check
  stage lint cargo clippy --workspace --all-targets --quiet -- -D warnings
  stage web-check npm --prefix web run --silent check
  tests web-tests npm --prefix web run --silent test
  tests rust-tests "${suite[@]}" --lib --test scenarios --test vectors --test conformance --test fencing --quiet
  tests house-rules "${suite[@]}" --test tidy --quiet
}

soak() {
  export MERIDIAN_SOAK=1
  stage packages packages || return
  stage build "${suite[@]}" --tests --no-run --quiet || return
  tests kills "${suite[@]}" --test kill --test durability
  tests kits "${suite[@]}" --test api a_kit_and_a_table_of_a_million
  stage simulation "$target/debug/sim" --seeds 0..2000 --commands 2000
  stage kernel-simulation "$target/debug/sim" --kernel --seeds 0..1000 --commands 600
}

set -m
watch &
watcher=$!
set +m
case $scope in
all)
  expected=(packages node-packages web-check web-build web-tests format build rust-tests doc-tests durability toy-product lint without-tests types journeys rust-clocks durability-clocks clocks)
  everything
  ;;
quick)
  expected=(node-packages format lint web-check web-tests rust-tests house-rules)
  quick
  ;;
soak)
  expected=(packages build kills kits simulation kernel-simulation)
  soak
  ;;
esac
kill -- "-$watcher"

broken=0
printf '\n'
for name in "${expected[@]}"; do
  if ! held "$name"; then
    broken=$((broken + 1))
    if [[ -e $logs/$name.log ]]; then
      printf 'failed: %s (see %s/%s.log)\n' "$name" "$logs" "$name"
      why "$logs/$name.log"
    else
      printf 'not run: %s\n' "$name"
    fi
  fi
done
passed=$(awk '{ total += $3 } END { print total + 0 }' "$ended") failed=$(awk '{ total += $4 } END { print total + 0 }' "$ended")
printf 'took %d min %d s and %d min of a processor\n' $((SECONDS / 60)) $((SECONDS % 60)) "$(awk '{ total += $1 + $2 } END { printf "%.0f", total / 60 }' "$logs"/*.cpu)"
printf '%d tests passed, %d tests failed, %d stages failed\n' "$passed" "$failed" "$broken"
((failed == 0 && broken == 0))
