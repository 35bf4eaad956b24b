#!/usr/bin/env bash
# scripts/reproduce-underrun comes to its end and shows the same underrun twice. A machine that was stopped meanwhile spoils
# a run, so it is tried up to three times.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for try in 1 2 3; do
  XRUNLAB=$2/src/xrunlab timeout -k 5 35 "$1/scripts/reproduce-underrun" "$work/case-$try" >"$work/out" 2>&1 || continue
  [ "$(grep -c 'causes  *disk: 1 starvation' "$work/out")" = 2 ] && [ -e "$work/case-$try/record.trace" ] && exit 0
done
cat "$work/out"
exit 1
