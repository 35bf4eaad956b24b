#!/usr/bin/env bash
# `xrunlab inspect`: what it prints, how it exits, and that one bad file hides no other.
#   inspect_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
needs python3
"$xrunlab" gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 100ms --channels 2 --signal tone -q
"$xrunlab" gen "$work/other" --tracks 1 -r 44.1k -f float_le -d 100ms -q
set=$work/set
file=$set/track-001.wav

# query EXPRESSION: of the JSON array `all` in $work/.out.
query() {
  python3 -c 'import json, sys; all = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$work/.out" "$1"
}

run "$xrunlab" inspect "$set" "$work/other"
expect "two rates: exit code" 0 "$code"
expect "stderr of files in order" "" "$err"
contains "the table" "track-002.wav  wav   S16_LE      16  48000 Hz   2    4800" "$out"
contains "its last line" "3 files, 3 playable" "$out"

run "$xrunlab" inspect "$set" "$work/other" --json
expect "--json: exit code" 0 "$code"
expect "--json: keys" \
  "path container format rate_hz channels frames frames_known data_offset valid_bits playable warnings error" \
  "$(query '" ".join(all[2])')"
expect "--json: a file" "['$file', 'wav', 'S16_LE', 48000, 2, 4800, True, 44, 16, True, [], None]" \
  "$(query 'list(all[0].values())')"
expect "--json: rates" "[48000, 48000, 44100]" "$(query '[file["rate_hz"] for file in all]')"
run "$xrunlab" inspect "$set" --json="$work/found.json"
contains "--json=FILE: stdout" "2 files, 2 playable" "$out"
cp "$work/found.json" "$work/.out"
expect "--json=FILE" 2 "$(query 'len(all)')"

# What cannot be played: exit 4, a line each, and all others are shown.
echo "this is text" >"$work/text.wav"
head -c 10000 "$file" >"$work/short.wav"
{ head -c 40 "$file" && head -c 4 /dev/zero && tail -c +45 "$file"; } >"$work/died.wav"
mkfifo "$work/fifo.wav"
ln -s loop.wav "$work/loop.wav"
: >"$work/nothing.wav"
bad=("$work/text.wav" "$work/died.wav" "$work/fifo.wav" "$work/loop.wav" "$work/nothing.wav" "$work/nowhere.wav" -)
run "$xrunlab" inspect "${bad[@]}" "$file"
expect "bad files: exit code" 4 "$code"
expect "bad files: lines about them" "${#bad[@]}" "$(grep -c . "$work/.err")"
contains "text" "xrunlab: text.wav: not an audio file (starts with 'this')" "$err"
contains "a recorder that died" "(--ignore-length plays the 4800 frames" "$err"
contains "a FIFO" "fifo.wav: is a FIFO: not seekable (copy it to a regular file first)" "$err"
contains "the others" "track-001.wav  wav" "$out"
contains "the last line" "8 files, 1 playable" "$out"
run "$xrunlab" inspect "${bad[@]}" "$file" --json
expect "bad files, --json: exit code" 4 "$code"
expect "bad files, --json: playable" "[False, False, False, False, False, False, False, True]" \
  "$(query '[file["playable"] for file in all]')"
expect "a refused file" "['$work/text.wav', None, None, None, None, None, False, None, None, False, []]" \
  "$(query 'list(all[0].values())[:-1]')"
contains "its error" "not an audio file (starts with 'this')" "$(query 'all[0]["error"]')"
run "$xrunlab" inspect "$work/died.wav" --ignore-length --json
expect "--ignore-length: exit code" 0 "$code"
expect "--ignore-length: frames" 4800 "$(query 'all[0]["frames"]')"

# A warning is an error with --strict only.
run "$xrunlab" inspect "$work/short.wav" "$file"
expect "a warning: exit code" 0 "$code"
contains "a warning" "xrunlab: warning: short.wav: cut off: the data chunk says 19200 bytes" "$err"
contains "a warning: the table" "2 files, 2 playable (1 with warnings)" "$out"
run "$xrunlab" inspect --strict "$work/short.wav" "$file"
expect "--strict: exit code" 4 "$code"
contains "--strict" "xrunlab: short.wav: cut off" "$err"
run "$xrunlab" inspect --strict "$file"
expect "--strict without a warning: exit code" 0 "$code"

# Reading all samples, and where they lie.
run "$xrunlab" inspect "$set" --scan
contains "--scan" "  4800 frames read, peak -6.02 dBFS, 0 samples clipped" "$out"
run "$xrunlab" inspect "$set" --scan -v --json
expect "--scan: keys" "['frames', 'peak_dbfs', 'clipped_samples']" "$(query 'list(all[0]["scan"])')"
expect "--scan: a file" "[4800, -6.021, 0]" "$(query 'list(all[0]["scan"].values())')"
expect "-v: keys" "['error', 'scan', 'extents', 'extent_median_bytes']" "$(query 'list(all[0])[-4:]')"
run "$xrunlab" inspect "$set" -v
contains "-v" "extent" "$out"

# A signal ends a long scan; what was found until then is printed.
head -c 44 "$file" >"$work/long.wav"
printf '\0\0\0\300' | dd of="$work/long.wav" bs=1 seek=40 conv=notrunc status=none
truncate -s 3221225516 "$work/long.wav"
run timeout --preserve-status -s INT 2 "$xrunlab" inspect "$file" "$work/long.wav" "$file" --scan --json
expect "a signal: exit code" 130 "$code"
expect "a signal: findings" "[True, False]" "$(query '[file["scan"] is not None for file in all]')"
contains "a signal" "interrupted" "$err"

# Names of any bytes: one line each in text, exact in JSON.
odd=$work/$'o, "\n\xe6\\.wav'
cp "$file" "$odd"
run "$xrunlab" inspect "$odd"
contains "an odd name in the table" 'o, "\n\xe6\\.wav' "$out"
expect "an odd name: lines" 3 "$(wc -l <"$work/.out")"
run "$xrunlab" inspect "$odd" --json
expect "an odd name in JSON" "'o, \"\\n\\ufffdE6\\\\.wav'" "$(query 'ascii(all[0]["path"].rsplit("/")[-1])')"
cp "$file" "$work/-dash.wav"
code=0
out=$(cd "$work" && "$xrunlab" inspect -- -dash.wav) || code=$?
expect "a name with a leading dash: exit code" 0 "$code"
contains "a name with a leading dash" "-dash.wav  wav" "$out"

# Usage, and outputs that fail.
run "$xrunlab" inspect
expect "no file: exit code" 2 "$code"
run "$xrunlab" inspect "$file" --bogus
expect "an unknown option: exit code" 2 "$code"
before=$(cksum <"$file")
run "$xrunlab" inspect "$set" --json="$file"
expect "JSON over an input: exit code" 2 "$code"
contains "JSON over an input" "--json: track-001.wav is one of the inputs" "$err"
expect "the input" "$before" "$(cksum <"$file")"
run "$xrunlab" inspect "$set" --json="$work/no/such/place.json"
expect "JSON where there is no directory: exit code" 3 "$code"
finish
