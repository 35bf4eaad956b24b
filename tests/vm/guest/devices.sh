# Read by the tests of the virtual machine (source): its sound cards and disks. A test begins with
#   source /tests/devices.sh
# and ends with `finish`. What it leaves in $results is brought back to the host.
# Programs: setpriv prlimit
source /tests/expectations.sh
export DM_DISABLE_UDEV=1 # dmsetup makes the device files itself
time_limit_s=90          # an emulated machine on a busy one is slow

# Loads a sound driver anew, so that a test depends on no other's options.
load() { # MODULE OPTIONS…
  modprobe -r "$1" 2>/dev/null
  modprobe "$@" || expect "modprobe $*" 0 $?
}

# Leaves no sound driver loaded, whatever tests before this one have left: a card just closed is busy for a moment.
unload_cards() {
  local attempt
  for attempt in $(seq 50); do
    [ -e /proc/asound/cards ] && grep -q '\[' /proc/asound/cards || return
    modprobe -r snd-aloop 2>/dev/null
    modprobe -r snd-dummy 2>/dev/null
    sleep 0.1
  done
  expect "cards of earlier tests" "gone" "$(cat /proc/asound/cards)"
}

# Exit code in $code, stdout in $out, stderr in $err; the run file is $results/NAME.json.
play() { # NAME OPTIONS…
  local name=$1
  shift
  run xrunlab play -q --json="$results/$name.json" "$@"
}

# The same in the background, also several at once; `played` waits for one, without a name for the last.
declare -A players=()
start_play() { # NAME OPTIONS…
  latest=$1
  xrunlab play -q --json="$results/$1.json" "${@:2}" >"$work/$1.out" 2>"$work/$1.err" &
  player=$!
  players[$1]=$player
}
played() { # [NAME]
  local name=${1:-$latest}
  code=0
  wait "${players[$name]}" || code=$?
  out=$(cat "$work/$name.out")
  err=$(cat "$work/$name.err")
}

# Until substreams of a card, the first unless named, have played for a while, or the player that was started last is gone.
wait_until_it_plays() { # CARD [SUBSTREAM…]
  local attempt state card=$1 substream
  shift
  for substream in "${@:-0}"; do
    for attempt in $(seq 400); do
      read -r state <"/proc/asound/$card/pcm0p/sub$substream/status"
      [[ $state != *RUNNING* ]] || break
      kill -0 "$player" 2>/dev/null || return
      sleep 0.1
    done
  done
  sleep 0.7
}

field() { # KEY NAME
  value_of "$1" "$results/$2.json"
}

# A key inside an object of a run file.
field_in() { # OBJECT KEY NAME
  sed -n "/^ *\"$1\": {/,/^ *}/p" "$results/$3.json" >"$work/.object"
  value_of "$2" "$work/.object"
}

# The largest value of a key that comes more than once.
largest() { # KEY NAME
  grep -oE "\"$1\": *[0-9]+" "$results/$2.json" | grep -oE '[0-9]+$' | sort -n | tail -n 1
}

# What the longest episode of a kind was put down to, and the sentence of its evidence.
cause_of() { # KIND NAME
  of_longest_episode "$1" cause "$2"
}
detail_of() { # KIND NAME
  of_longest_episode "$1" detail "$2"
}
of_longest_episode() { # KIND KEY NAME
  awk -F '": ' -v kind="\"$1\"" -v key="\"$2" '
    /^ "/ { mine = 0 } # a key of the run itself
    /"kind": / { mine = index($2, kind) == 1 }
    mine && /"duration_ns": / { longest = $2 + 0 >= most + 0; if (longest) most = $2 }
    mine && longest && $1 ~ key "$" { value = $2 }
    END { gsub(/^"|",?$/, "", value); print value }' "$results/$3.json"
}

at_least() { # WHAT LEAST GOT
  [ "${3:-0}" -ge "$2" ] 2>/dev/null && return
  echo "FAILED: $1: wanted at least $2, got '$3'"
  failures=$((failures + 1))
}

wait_for() { # PATH
  local attempt
  for attempt in $(seq 100); do
    [ -e "$1" ] && return
    sleep 0.1
  done
  expect "$1" "there" "missing"
}

# An ext4 with a set of test tracks on it, mounted read-only: nothing writes behind the test's back.
disk_with_set() { # DEVICE TRACKS DURATION
  mkfs.ext4 -q -F -E nodiscard -O ^has_journal -N 64 "$1" 65536 &&
    mount -t ext4 "$1" /mnt &&
    xrunlab gen /mnt/set --tracks "$2" -r 48k -f S16_LE -d "$3" -q &&
    umount /mnt &&
    mount -t ext4 -o ro "$1" /mnt ||
    expect "a set on $1" "written" "an error"
  mounted=/mnt
}

# Puts a device-mapper table in the place of another while it is in use.
switch_table() { # NAME TABLE
  dmsetup suspend --nolockfs --noflush "$1" && dmsetup load "$1" --table "$2" && dmsetup resume "$1" ||
    expect "a new table for $1" "loaded" "an error"
}
