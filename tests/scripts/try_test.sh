#!/usr/bin/env bash
# scripts/try against a stand-in for the build and for xrunlab: its exit code and what it says of each verdict.
set -euo pipefail
source_dir=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree/bin" "$tree/build/release/src"
cp -r "$source_dir/scripts" "$tree/scripts"
printf '#!/bin/sh\nexit 0\n' >"$tree/bin/cmake"
cat >"$tree/build/release/src/xrunlab" <<'STAND_IN'
#!/bin/sh
[ "$1" = play ] || exit 0
echo "a summary"
echo "$VERDICT 16 tracks 20 s"
exit "$CODE"
STAND_IN
chmod +x "$tree/bin/cmake" "$tree/build/release/src/xrunlab"

# expect VERDICT CODE WANTED_CODE WANTED_TEXT
expect() {
  local output code=0
  output=$(VERDICT=$1 CODE=$2 PATH=$tree/bin:$PATH "$tree/scripts/try" --no-install 2>&1) || code=$?
  if [[ $code != "$3" || $output != *"$4"* ]]; then
    printf '%s with exit %s: got exit %s and\n%s\n' "$1" "$2" "$code" "$output"
    exit 1
  fi
}

expect PASS 0 0 $'\nPASS: all 16 tracks'
expect MARGINAL 0 0 $'\nMARGINAL: there was no dropout'
expect FAIL 1 0 $'\nFAIL: something would have been heard'
expect "NO VERDICT" 1 0 $'\nNO VERDICT: the run ended properly'
expect "error" 5 5 "a summary"
expect "interrupted" 130 130 "a summary"
left=$(find "$tree/build" -name 'try-*')
[[ -z $left ]] || { echo "left behind: $left" && exit 1; }
