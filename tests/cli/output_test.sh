#!/usr/bin/env bash
# A stdout that fails: nothing that was printed gets lost without a word.
#   output_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -d 1 -q
set=$work/set
"$xrunlab" play "$set" -D null -q --record "$work/trace" >"$work/.out" 2>&1

# Exit code 3, and one line that says why.
refused() { # COMMAND…
  code=0
  timeout -k 5 30 "$xrunlab" "$@" >/dev/full 2>"$work/full.err" || code=$?
  expect "$* on a full stdout: exit code" 3 "$code"
  contains "$* on a full stdout" "standard output" "$(tail -n 1 "$work/full.err")"
  code=0
  timeout -k 5 30 "$xrunlab" "$@" >&- 2>"$work/closed.err" || code=$?
  expect "$* on a closed stdout: exit code" 3 "$code"
  expect "$* on a closed stdout: lines about it" 1 "$(grep -c "standard output" "$work/closed.err")"
}
refused play "$set" -D null
refused play "$set" -D null -q
refused play "$set" -D null -v --hist
refused play "$set" -D null --classic
refused play "$set" -D null --json
refused play "$set" -D null --json="$work/run.json"
expect "the run file beside a closed stdout" "{" "$(head -c 1 "$work/run.json")"
refused play "$set" --dry-run
refused play --tracks 2 --dry-run --in "$work"
refused gen "$work/other" --tracks 1 -d 100ms --force
refused trace "$work/trace"
refused inspect "$set"
refused inspect "$set" --json
refused --help
"$xrunlab" gen --remove "$work/other" >/dev/full 2>&1
expect "gen --remove on a full stdout: exit code" 3 $?
finish
