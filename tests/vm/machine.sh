# A run file says what machine it is from: virtual, and which kernel.
source /tests/devices.sh
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 300ms -q
play machine "$work/set"
release=$(uname -r)
contains "the kernel" "$release" "$(field kernel machine)"
case $(field virt machine) in
  qemu | kvm) ;;
  *) expect "virt" "qemu or kvm" "$(field virt machine)" ;;
esac
case $release in
  *-rt-*)
    expect "preemption" rt "$(field preempt machine)"
    expect "threaded interrupts" true "$(field threadirqs machine)"
    ;;
  *)
    contains "preemption" "voluntary" "$(field preempt machine)"
    expect "threaded interrupts" false "$(field threadirqs machine)"
    ;;
esac
expect "processors" 2 "$(field cpus machine)"
[ -c /dev/rtc0 ] || expect "/dev/rtc0" "there" "missing"
xrunlab play "$work/set" -q --redact --json="$results/redacted.json" >/dev/null 2>&1
lacks "--redact: the boot id" "$(cat /proc/sys/kernel/random/boot_id)" "$(cat "$results/redacted.json")"
finish
