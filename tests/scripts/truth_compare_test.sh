#!/usr/bin/env bash
# scripts/truth-compare: its help and what it refuses. What it counts is tested in tests/experiment, in a short form.
#   truth_compare_test.sh SOURCES BUILD
set -euo pipefail
script=$1/scripts/truth-compare
help=$("$script" --help)
grep -q -- '--trials N' <<<"$help"
grep -q 'at least 1546 of 2000' <<<"$help"
if grep -q 'set -e' <<<"$help"; then echo "the help goes on into the program" && exit 1; fi
code=0
"$script" --colour 2>/dev/null || code=$?
[ "$code" = 2 ]
