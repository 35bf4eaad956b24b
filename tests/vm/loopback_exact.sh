# A real driver gets what stands in the files, to the last frame: played into one end of ALSA's loopback card, captured at
# the other.
# Programs: arecord
# Modules: snd-aloop
source /tests/devices.sh
load snd-aloop

exact() { # FORMAT CHANNELS SAMPLE_BYTES
  local name=$1-$2 frame_bytes=$(($2 * $3)) track=$work/$1-$2/track-001.wav captured=$work/$1-$2.raw recorder bytes start exact
  xrunlab gen "$work/$name" --tracks 1 -f "$1" --channels "$2" -r 48k -d 1537ms --signal ramp -q
  arecord -q -D hw:Loopback,1,0 -t raw -f "$1" -c "$2" -r 48000 --buffer-time=2000000 "$captured" 2>"$work/recorder" &
  recorder=$!
  sleep 0.5
  play "$name" "$track" -D hw:Loopback,0,0 -f "$1" -c "$2" --map direct --gain 0dB --buffer-size 24576 --cache keep
  sleep 0.5
  kill -INT "$recorder"
  wait "$recorder"
  [ -s "$captured" ] || cat "$work/recorder"
  expect "$name: exit code, of a run too short for a verdict" 1 "$code"
  expect "$name: stderr" "" "$err"
  expect "$name: format" "$1" "$(field_in device format "$name")"
  expect "$name: its end" "end" "$(field ended_by "$name")"
  expect "$name: frames played" 73776 "$(field frames_played "$name")"
  # The capture began before and ended after: it is the same from its first sound on, and silence follows.
  bytes=$((73776 * frame_bytes))
  start=$(cmp "$captured" /dev/zero | sed -E 's/.*(char|byte) ([0-9]+),.*/\2/')
  start=$(((${start:-1} - 1) / frame_bytes * frame_bytes))
  tail -c "+$(($(field data_offset "$name") + 1))" "$track" | head -c "$bytes" >"$work/source"
  tail -c "+$((start + 1))" "$captured" | head -c "$bytes" >"$work/sound"
  expect "$name: bytes of sound after the end" 0 "$(tail -c "+$((start + bytes + 1))" "$captured" | tr -d '\0' | wc -c)"
  # This driver blanks some of what it copied last before a drained card ends (copy_play_buf clears at the wrong place).
  exact=$((65536 * frame_bytes))
  expect "$name: samples" "$(head -c "$exact" "$work/source" | md5sum)" "$(head -c "$exact" "$work/sound" | md5sum)"
  expect "$name: the last of them, but for blanks" 0 "$(cmp -l "$work/source" "$work/sound" | awk '$3 != 0' | wc -l)"
  expect "$name: length" "$bytes" "$(stat -c %s "$work/sound")"
}
# The first frame of a ramp is no silence from two channels on.
exact S16_LE 2 2
exact S24_3LE 3 3
exact S32_LE 4 4
exact FLOAT_LE 2 4
finish
