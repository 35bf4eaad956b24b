#!/usr/bin/env bash
# scripts/capacity-truth: what it says where it cannot run, and that it leaves nothing then.
set -euo pipefail
script=$1/scripts/capacity-truth
directory=$(mktemp -d "$2/capacity-truth-XXXXXX")
trap 'rm -rf "$directory"' EXIT
command -v fio >/dev/null && command -v python3 >/dev/null || exit 77

code=0
"$script" --dir "$directory" --build "$directory/none" 2>"$directory/errors" || code=$?
[[ $code == 77 ]] || { echo "not built: exit $code, not 77"; exit 1; }
grep -q "is not built" "$directory/errors" || { cat "$directory/errors"; exit 1; }
rm "$directory/errors"

mkdir -p "$directory/build/src"
printf '#!/bin/sh\nexit 0\n' >"$directory/build/src/xrunlab"
chmod +x "$directory/build/src/xrunlab"
code=0
"$script" --rate never --dir "$directory" --build "$directory/build" 2>/dev/null || code=$?
[[ $code == 2 ]] || { echo "a rate that is none: exit $code, not 2"; exit 1; }
left=$(ls "$directory")
[[ $left == build ]] || { echo "left: $left"; exit 1; }
