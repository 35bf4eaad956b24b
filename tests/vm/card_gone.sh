# A card that vanishes while it plays ends the run with exit code 5 and a report. (rmmod is refused while it is open.)
# Modules: snd-aloop
source /tests/devices.sh
load snd-aloop
driver=/sys/bus/platform/drivers/snd_aloop
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 10 -q

for how in "--ring 2s" --no-ring; do
  name=gone${how%% *}
  # shellcheck disable=SC2086
  start_play "$name" "$work/set" -D hw:Loopback,0,0 $how
  wait_until_it_plays Loopback
  modprobe -r snd-aloop 2>/dev/null
  expect "the driver of an open card" "there" "$([ -e "$driver" ] && echo there)"
  # Returns when the card has been closed.
  echo snd_aloop.0 >"$driver/unbind" &
  played
  wait
  expect "$name: exit code" 5 "$code"
  contains "$name" "hw:Loopback,0,0: the card has gone" "$err"
  expect "$name: its end" device "$(field ended_by "$name")"
  expect "$name: complete" false "$(field complete "$name")"
  at_least "$name: frames played until then" 24000 "$(field frames_played "$name")"
  echo snd_aloop.0 >"$driver/bind"
done

play back "$work/set" -D hw:Loopback,0,0 -d 300ms --buffer-size 16384
expect "when it is back: its end" duration "$(field ended_by back)"
finish
