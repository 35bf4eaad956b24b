# A card that another process holds: the error names it.
# Programs: aplay
# Modules: snd-aloop snd-dummy
source /tests/devices.sh
load snd-aloop
load snd-dummy
xrunlab gen "$work/set" --tracks 1 -r 48k -f S16_LE -d 300ms -q

aplay -q -D hw:Loopback,0,0 -t raw -f S16_LE -c 2 -r 48000 /dev/zero 2>"$work/holder" &
holder=$!
for _ in $(seq 50); do
  grep -q owner_pid /proc/asound/Loopback/pcm0p/sub0/status && break
  sleep 0.1
done
play busy "$work/set" -D hw:Loopback,0,0
expect "exit code" 5 "$code"
contains "who holds it" "aplay (process $holder) holds it" "$err"
contains "the way out" "stop it" "$err"
play plug "$work/set" -D plughw:Loopback,0,0
contains "who holds it, through plug" "aplay (process $holder) holds it" "$err"
play free "$work/set" -D hw:Loopback,0,1 --buffer-size 16384
expect "the next substream" end "$(field ended_by free)"
play other "$work/set" -D hw:Dummy --buffer-size 16384
expect "another card" end "$(field ended_by other)"
kill "$holder"
wait "$holder"
play after "$work/set" -D hw:Loopback,0,0 --buffer-size 16384
expect "when it has let go" end "$(field ended_by after)"
finish
