#!/usr/bin/env bash
# Measures time. `xrunlab latency --cyclictest` beside cyclictest itself (rt-tests): the same lines but for the numbers.
#   cyclictest_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
command -v cyclictest >/dev/null || exit 77

mask() { sed 's/[0-9][0-9]*/N/g; s/  */ /g'; }
# Where each label stands, with numbers of the usual size.
columns() { grep -bo '[A-Z][a-z]*:' <<<"$1"; }
beside() { # OURS… -- THEIRS…: the line on /dev/cpu_dma_latency stands or falls with the right to it
  local ours=() wanted
  while [ "$1" != -- ]; do
    ours+=("$1")
    shift
  done
  shift
  # A machine that was stopped gives one of them numbers too long for their columns: then once more.
  for _ in 1 2 3; do
    wanted=$(timeout 30 cyclictest -q "$@" 2>/dev/null | grep '^T:') || exit 77
    run "$xrunlab" latency --cyclictest -q "${ours[@]}"
    [ "$(mask <<<"$wanted")" = "$(grep '^T:' <<<"$out" | mask)" ] && break
  done
  expect "$*: exit code" 0 "$code"
  expect "$*: lines" "$(mask <<<"$wanted")" "$(grep '^T:' <<<"$out" | mask)"
  expect "$*: columns" "$(columns "$(head -1 <<<"$wanted")")" "$(columns "$(grep '^T:' <<<"$out" | head -1)")"
}
beside -i 1000 -l 50 -- -i 1000 -l 50 -t 1 -p 80
beside -i 10000 -l 50 -t 2 -P f:70 -- -i 10000 -l 50 -t 2 -d 0 -p 70 --policy=fifo

run "$xrunlab" latency --cyclictest -q -i 1000 -l 20 --dma-latency 0
[ "$code" = 3 ] || contains "--dma-latency 0" "# /dev/cpu_dma_latency set to 0us" "$out"
finish
