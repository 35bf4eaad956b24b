# A real driver gets what stands in the files, to the last frame: played into one end of ALSA's loopback card, captured at
# the other. Four formats at once, each on a pair of substreams of its own.
# Programs: arecord
# Modules: snd-aloop
source /tests/devices.sh
load snd-aloop
frames=73776
declare -A recorders=()

record() { # NAME SUBSTREAM FORMAT CHANNELS
  xrunlab gen "$work/$1" --tracks 1 -f "$3" --channels "$4" -r 48k -d 1537ms --signal ramp -q
  arecord -q -D "hw:Loopback,1,$2" -t raw -f "$3" -c "$4" -r 48000 --buffer-time=2000000 "$work/$1.raw" 2>"$work/$1.recorder" &
  recorders[$1]=$!
}

play_into() { # NAME SUBSTREAM FORMAT CHANNELS
  start_play "$1" "$work/$1/track-001.wav" -D "hw:Loopback,0,$2" -f "$3" -c "$4" --map direct --gain 0dB \
    --buffer-size 24576 --cache keep
}

ended() { # NAME
  played "$1"
  expect "$1: exit code, of a run too short for a verdict" 1 "$code"
  expect "$1: stderr" "" "$err"
}

exact() { # NAME FORMAT FRAME_BYTES
  local name=$1 frame_bytes=$3 track=$work/$1/track-001.wav captured=$work/$1.raw bytes start exact
  [ -s "$captured" ] || cat "$work/$name.recorder"
  expect "$name: format" "$2" "$(field_in device format "$name")"
  expect "$name: its end" "end" "$(field ended_by "$name")"
  expect "$name: frames played" $frames "$(field frames_played "$name")"
  # The capture began before and ended after: it is the same from its first sound on, and silence follows.
  bytes=$((frames * frame_bytes))
  start=$(cmp "$captured" /dev/zero | sed -E 's/.*(char|byte) ([0-9]+),.*/\2/')
  start=$(((${start:-1} - 1) / frame_bytes * frame_bytes))
  tail -c "+$(($(field data_offset "$name") + 1))" "$track" | head -c "$bytes" >"$work/source"
  tail -c "+$((start + 1))" "$captured" | head -c "$bytes" >"$work/sound"
  expect "$name: bytes of sound after the end" 0 "$(tail -c "+$((start + bytes + 1))" "$captured" | tr -d '\0' | wc -c)"
  # This driver blanks some of what it copied last before a drained card ends (copy_play_buf clears at the wrong place, and
  # leaves what stood behind it: so the recorder's buffer is longer than the sound).
  exact=$((65536 * frame_bytes))
  expect "$name: samples" "$(head -c "$exact" "$work/source" | md5sum)" "$(head -c "$exact" "$work/sound" | md5sum)"
  expect "$name: the last of them, but for blanks" 0 "$(cmp -l "$work/source" "$work/sound" | awk '$3 != 0' | wc -l)"
  expect "$name: length" "$bytes" "$(stat -c %s "$work/sound")"
}

# NAME SUBSTREAM FORMAT CHANNELS SAMPLE_BYTES; the first frame of a ramp is no silence from two channels on.
pairs=("s16 0 S16_LE 2 2" "s24 1 S24_3LE 3 3" "s32 2 S32_LE 4 4" "float 3 FLOAT_LE 2 4")
for pair in "${pairs[@]}"; do
  read -r name substream format channels _ <<<"$pair"
  record "$name" "$substream" "$format" "$channels"
done
for pair in "${pairs[@]}"; do
  read -r name substream _ <<<"$pair"
  for attempt in $(seq 100); do
    read -r state <"/proc/asound/Loopback/pcm1c/sub$substream/status"
    [[ $state != *RUNNING* ]] || break
    sleep 0.1
  done
  expect "$name: the recorder" "state: RUNNING" "$state"
done
for pair in "${pairs[@]}"; do
  read -r name substream format channels _ <<<"$pair"
  play_into "$name" "$substream" "$format" "$channels"
done
for pair in "${pairs[@]}"; do ended "${pair%% *}"; done
sleep 0.5
for recorder in "${recorders[@]}"; do
  kill -INT "$recorder"
  wait "$recorder"
done
for pair in "${pairs[@]}"; do
  read -r name _ format channels sample_bytes <<<"$pair"
  exact "$name" "$format" $((channels * sample_bytes))
done
finish
