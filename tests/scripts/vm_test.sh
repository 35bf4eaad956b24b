#!/usr/bin/env bash
# scripts/vm against stand-ins for QEMU, the build and the packages: wrong use, and what it makes of what a machine
# reports, or does not.
set -euo pipefail
source_dir=$1
for program in cpio busybox modprobe depmod bash; do command -v "$program" >/dev/null || exit 77; done
[[ $(uname -m) == x86_64 && -e /usr/share/alsa/alsa.conf ]] || exit 77
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree"/{bin,scripts,tests/cli,tests/vm,build/release/src,build/release/tests/fixtures}
cp "$source_dir"/scripts/{vm,steps.sh} "$tree/scripts/"
cp "$source_dir/tests/cli/expectations.sh" "$tree/tests/cli/"
cp -r "$source_dir/tests/vm/guest" "$tree/tests/vm/guest"
sed -i '/^# \(Modules\|Programs\):/d' "$tree"/tests/vm/guest/{init,devices.sh}
for name in one two; do echo "true" >"$tree/tests/vm/$name.sh"; done
cp "$(command -v bash)" "$tree/build/release/src/xrunlab"
cp "$(command -v bash)" "$tree/build/release/tests/fixtures/change_settings"
printf '#!/bin/sh\nexit 0\n' | tee "$tree/bin/cmake" "$tree/bin/depmod" >"$tree/scripts/install-deps"
printf '#!/bin/sh\necho "  Depends: linux-image-6.1.0-1-amd64"\n' >"$tree/bin/apt-cache"
# What a machine would write into its share.
cat >"$tree/bin/qemu-system-x86_64" <<'STAND_IN'
#!/bin/bash
for argument in "$@"; do
  [[ $argument != local,path=* ]] || results=${argument#local,path=}
done
results=${results%%,*}
echo "the console"
for verdict in $VERDICTS; do
  grep -qs " ${verdict#*:} " "$results/verdicts" && continue
  echo "${verdict%:*} ${verdict#*:} 1 s" >>"$results/verdicts"
  [[ $RESETS == yes && ! -e $results/was_reset ]] || continue
  touch "$results/was_reset" "$results/reset"
  exit
done
echo "what two said" >"$results/two.out"
[[ $HANGS == no ]] || exec sleep 60
[[ $REPORTS == no ]] || touch "$results/done"
STAND_IN
chmod +x "$tree"/bin/* "$tree/scripts/install-deps"
kernel=$tree/cache/xrunlab/vm/6.1.0-1-amd64
mkdir -p "$kernel/boot" "$kernel/lib/modules/6.1.0-1-amd64"
touch "$kernel"/boot/{config,vmlinuz}-6.1.0-1-amd64 "$kernel"/lib/modules/6.1.0-1-amd64/modules.{order,builtin,builtin.modinfo}

# expect CODE TEXT ARGUMENTS…
expect() {
  local wanted=$1 text=$2 output code=0
  shift 2
  output=$(PATH=$tree/bin:$PATH XDG_CACHE_HOME=$tree/cache "$tree/scripts/vm" --kernel amd64 "$@" 2>&1) || code=$?
  if [[ $code != "$wanted" || $output != *"$text"* ]]; then
    printf 'vm %s: got exit %s, wanted %s and "%s", and\n%s\n' "$*" "$code" "$wanted" "$text" "$output"
    exit 1
  fi
}

export VERDICTS="passed:one passed:two" HANGS=no REPORTS=yes RESETS=no
expect 0 "vm: 2 passed, 0 failed, 0 skipped"
expect 2 "scripts/vm [" --kernel sid
expect 2 "scripts/vm [" --bogus
expect 2 "no test is called 'three'; there are: one two" three
VERDICTS=passed:one expect 0 "vm: 1 passed, 0 failed" one
VERDICTS="passed:one skipped:two" expect 0 "vm: 1 passed, 0 failed, 1 skipped"
VERDICTS="passed:one FAILED:two" expect 1 "-- two: FAILED
what two said"
VERDICTS=passed:one expect 1 "-- two: no report"
RESETS=yes expect 0 "  passed one 1 s
  passed two 1 s
== kernel amd64"
VERDICTS="" REPORTS=no expect 1 "vm: 0 passed, 2 failed"
REPORTS=no expect 1 "the console"
HANGS=yes expect 1 "ended after 1 s" --limit 1
left=$(find "$tree/build/vm" -name '*-machine')
[[ -z $left ]] || { echo "left behind: $left" && exit 1; }
expect 0 "-virtfs" --keep
[[ -s $tree/build/vm/amd64-machine/initrd ]] || { echo "--keep kept no machine" && exit 1; }

# A kernel that holds itself as xz is unpacked beforehand; anything else is left to unpack itself.
expect 0 "/boot/vmlinuz-6.1.0-1-amd64" --keep
if command -v xz >/dev/null; then
  payload=$tree/payload packed=$kernel/boot/vmlinuz-6.1.0-1-amd64
  echo "the kernel itself" | xz --check=crc32 >"$payload"
  size=$(($(stat -c %s "$payload") + 4))
  {
    head -c $((0x1f1)) /dev/zero && printf '\x01' # setup_sects
    head -c $((0x24c - 0x1f2)) /dev/zero && printf "\\x$(printf %02x $size)\\0\\0\\0"
    head -c $((1024 - 0x250)) /dev/zero && cat "$payload" && printf '\x12\0\0\0' && head -c 100 /dev/zero
  } >"$packed"
  expect 0 "/boot/vmlinux-6.1.0-1-amd64" --keep
  [[ $(cat "$kernel/boot/vmlinux-6.1.0-1-amd64") == "the kernel itself" ]] || { echo "the kernel was not unpacked whole" && exit 1; }
fi
