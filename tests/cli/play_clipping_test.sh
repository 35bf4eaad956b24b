#!/usr/bin/env bash
# Float samples beyond full scale are clipped on their way to an integer card, and counted; a card that takes floats gets
# them as they are, counted too.
#   play_clipping_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"

# Mono, 48 kHz, 32-bit float: 0.5, -1, 1.5, -2.
{
  printf 'RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\x03\0\x01\0\x80\xbb\0\0\0\xee\x02\0\x04\0\x20\0data\x10\0\0\0'
  printf '\0\0\0\x3f\0\0\x80\xbf\0\0\xc0\x3f\0\0\0\xc0'
} >"$work/float.wav"

to_card() { # FORMAT
  run "$xrunlab" play "$work/float.wav" -q -c 1 --map direct -f "$1" -D "sim:capture=$work/capture.wav" --json="$work/run.json"
  expect "$1: complete" true "$(value_of complete "$work/run.json")"
  clipped=$(value_of clipped_samples "$work/run.json")
}
last_bytes() { # COUNT
  tail -c "$1" "$work/capture.wav" | od -An -v -tx1 | tr -d ' \n'
}
to_card S16_LE
expect "16 bits: clipped" 2 "$clipped"
expect "16 bits" 00400080ff7f0080 "$(last_bytes 8)"
to_card S32_LE
expect "32 bits: clipped" 2 "$clipped"
expect "32 bits" 0000004000000080ffffff7f00000080 "$(last_bytes 16)"
to_card FLOAT_LE
expect "a float card: beyond full scale" 2 "$clipped"
expect "a float card" 0000003f000080bf0000c03f000000c0 "$(last_bytes 16)"

# Doubles reach the bits of a 32-bit card that floats have not: 2^-31, 0.5 + 2^-31, 1.5, -2.
{
  printf 'RIFF\x44\0\0\0WAVEfmt \x10\0\0\0\x03\0\x01\0\x80\xbb\0\0\0\xdc\x05\0\x08\0\x40\0data\x20\0\0\0'
  printf '\0\0\0\0\0\0\0\x3e\0\0\x40\0\0\0\xe0\x3f\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\xc0'
} >"$work/double.wav"
run "$xrunlab" play "$work/double.wav" -q -c 1 --map direct -f S32_LE -D "sim:capture=$work/capture.wav" --json="$work/run.json"
expect "doubles: clipped" 2 "$(value_of clipped_samples "$work/run.json")"
expect "doubles" 0100000001000040ffffff7f00000080 "$(last_bytes 16)"

# Mixed down, two of them together share full scale: only what is beyond it then is clipped.
run "$xrunlab" play "$work/float.wav" "$work/float.wav" -q -c 1 -f S16_LE --json="$work/run.json"
expect "two tracks mixed: clipped" 2 "$(value_of clipped_samples "$work/run.json")"
finish
