#!/usr/bin/env bash
# The parts of scripts/bench that need no other program, in tiny: they give figures, name what is wrong, and clean up.
set -euo pipefail
command -v python3 >/dev/null || exit 77
directory=$(mktemp -d "$2/bench-XXXXXX")
trap 'rm -rf "$directory"' EXIT
bench=(python3 -B "$1/scripts/benchmarks" --quick --build "$2" --dir "$directory/sets")

# expect CODE TEXT ARGUMENTS…
expect() {
  local wanted=$1 text=$2 code=0
  shift 2
  "${bench[@]}" "$@" >"$directory/output" 2>&1 || code=$?
  if [[ $code != "$wanted" ]] || ! grep -qE "$text" "$directory/output"; then
    echo "bench $*: exit $code, wanted $wanted and '$text'"
    cat "$directory/output"
    exit 1
  fi
}

expect 2 'no part nonsense; there are cpu-unpaced' nonsense
expect 0 '^ *memory +MiB beyond the ring +[0-9.]+ .*<= 32' memory
expect 0 '^ *startup +start-up ms, --cache keep +[0-9.]+ .*< 100' startup
expect 0 '^ *inspect +xrunlab / head +[0-9.]+ .*<= 2' inspect
left=$(ls -A "$directory/sets")
[[ -z $left ]] || { echo "left behind: $left" && exit 1; }

bench=(python3 -B "$1/scripts/benchmarks" --quick --build "$directory" --dir "$directory/sets")
expect 1 'could not be measured' memory
