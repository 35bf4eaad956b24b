# Read by the tests of the command line (source): counts what is not as wanted. Each test begins with
#   source "$(dirname "$0")/expectations.sh"
# which makes the directory $work, removed at the end, and ends with `finish`.
work=$(mktemp -d)
failures=0

clean_up() {
  [ -z "${mounted:-}" ] || umount -l "$mounted"
  rm -rf "$work"
}
trap clean_up EXIT

expect() { # WHAT WANTED GOT
  if [ "$2" != "$3" ]; then
    echo "FAILED: $1: wanted '$2', got '$3'"
    failures=$((failures + 1))
  fi
}

contains() { # WHAT NEEDLE HAYSTACK
  case $3 in *"$2"*) ;; *)
    echo "FAILED: $1: '$2' is not in '$3'"
    failures=$((failures + 1)) ;;
  esac
}

lacks() { # WHAT NEEDLE HAYSTACK
  case $3 in *"$2"*)
    echo "FAILED: $1: '$2' is in '$3'"
    failures=$((failures + 1)) ;;
  esac
}

# Skips the test where one of these programs is not installed.
needs() { # PROGRAM…
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null && continue
    echo "needs $program"
    exit 77
  done
}

finish() {
  [ "$failures" = 0 ]
  exit
}

# Runs a command with a time limit, 30 s unless $time_limit_s says otherwise: exit code in $code, stdout in $out, stderr in
# $err. A hang is code 124.
run() {
  code=0
  timeout -k 5 "${time_limit_s:-30}" "$@" >"$work/.out" 2>"$work/.err" || code=$?
  out=$(cat "$work/.out")
  err=$(cat "$work/.err")
}

# A key of a run file: the first "KEY": VALUE in it.
value_of() { # KEY FILE
  sed -n "/\"$1\":/{s/.*\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}.*/\1/p;q}" "$2"
}
