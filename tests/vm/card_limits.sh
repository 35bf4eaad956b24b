# What a real driver has is granted, and what it has not is refused with what it has instead.
# Modules: snd-dummy
source /tests/devices.sh
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 300ms -q
xrunlab gen "$work/cd" --tracks 2 -r 44100 -f S16_LE -d 300ms -q
xrunlab gen "$work/high" --tracks 2 -r 96k -f S16_LE -d 300ms -q

granted() { # WHAT TEXT OPTIONS…
  run xrunlab play -D hw:Dummy --dry-run "${@:3}"
  expect "$1: exit code" 0 "$code"
  contains "$1" "$2" "$out"
}
refused() { # WHAT TEXT REMEDY OPTIONS…
  run xrunlab play -D hw:Dummy --dry-run "${@:4}"
  expect "$1: exit code" 5 "$code"
  contains "$1" "$2" "$err"
  contains "$1: the remedy" "$3" "$err"
}

load snd-dummy
granted "the best format it has" "hw:Dummy (hw), S16_LE, 2 channels" "$work/set"
granted "another one" "hw:Dummy (hw), U8, 1 channel" "$work/set" -f U8 -c 1
granted "the period asked for" "period   192 frames" "$work/set" --period-size 192
granted "a longer buffer than it has" "asked for a card buffer of 24000 frames, the card granted" "$work/set" \
  --period-size 6000 --periods 4
refused "a format that it has not" "cannot play S32_LE" "it has U8 S16_LE, 5500 … 48000 Hz" "$work/set" -f S32_LE
refused "six channels" "cannot play 6 channels" "1 … 2 channels" "$work/set" -c 6
refused "a rate that it has not" "at 96000 Hz" "8000 22050 32000 44100 48000" "$work/high"
# plug converts formats and channels; a rate that it converts would be no measurement, so it is not proposed.
contains "six channels: the remedy" "-D plughw:Dummy converts" "$(xrunlab play -D hw:Dummy "$work/set" -c 6 2>&1)"
lacks "a rate that it has not: the remedy" "plughw" "$err"
run xrunlab play -D plughw:Dummy --dry-run "$work/high"
expect "that rate through plug: exit code" 5 "$code"
run xrunlab play -D plughw:Dummy --dry-run "$work/set" -c 6
expect "six channels through plug: exit code" 0 "$code"
run xrunlab play -D hw:Dummy "$work/set" --strict --cache keep --direct off --period-size 6000 --periods 4
expect "another buffer with --strict: exit code" 5 "$code"

load snd-dummy model=ac97
granted "the only rate" "hw:Dummy (hw), S16_LE, 2 channels" "$work/set"
refused "one rate more" "at 44100 Hz" "48000 Hz" "$work/cd"

load snd-dummy model=rme9652
refused "two of 26 channels" "cannot play 2 channels" "26 channels" "$work/set"
granted "all of 26 channels" "S32_LE, 26 channels" "$work/set" -c 26
granted "a third period where there are two" "asked for a card buffer of 1890 frames, the card granted 1260" "$work/set" -c 26 --periods 3
play rme "$work/set" -D hw:Dummy -c 26 --period-size 4096
expect "26 channels: exit code, of a run too short for a verdict" 1 "$code"
expect "26 channels: frames played" 14400 "$(field frames_played rme)"
modprobe -r snd-dummy
finish
