#!/usr/bin/env bash
# `xrunlab cards`, with a configuration of alsa-lib of our own.
#   cards_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
cat >"$work/asound.conf" <<END
pcm.null { type null }
pcm.copied { type file slave.pcm null format raw file "$work/copy.raw" }
pcm.absent { type hw card 31 device 7 }
END
export ALSA_CONFIG_PATH=$work/asound.conf

run "$xrunlab" cards
expect "the list: exit code" 0 "$code"
expect "the list: stderr" "" "$err"
contains "the list" "simulated card" "$out"
contains "the list" "copied" "$out"
contains "the list" "cannot open 'absent'" "$out"
expect "the list: lines of more than 80 columns" "" "$(LC_ALL=C.UTF-8 grep -E '^.{81}' "$work/.out")"
if ! grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null; then
  contains "without a card" "no sound card" "$out"
  contains "without a card" "snd-aloop" "$out"
fi
expect "nothing was written" "" "$(ls "$work" | grep copy)"

run "$xrunlab" cards --json
expect "--json: exit code" 0 "$code"
expect "--json: first and last letter" "{}" "$(head -c 1 "$work/.out")$(tail -n 1 "$work/.out")"
expect "--json: its schema" "xrunlab/cards/1" "$(value_of schema "$work/.out")"
run "$xrunlab" cards --json="$work/cards.json" -D sim:channels=6
expect "--json=FILE: exit code" 0 "$code"
expect "--json=FILE: stdout" "" "$out"
expect "-D: how many" 1 "$(grep -c '"name"' "$work/cards.json")"
expect "-D: its channels" 6 "$(value_of channels_least "$work/cards.json")"

run "$xrunlab" cards -D absent
expect "-D of what cannot be opened: exit code" 5 "$code"
contains "-D of what cannot be opened" "cannot open 'absent'" "$out"
run "$xrunlab" cards -D sim:colour=red
expect "-D of a wrong option: exit code" 2 "$code"
run "$xrunlab" cards --bogus
expect "an unknown option: exit code" 2 "$code"
run "$xrunlab" cards --json="$work/none/cards.json"
expect "an output that cannot be written: exit code" 3 "$code"
finish
