# A run file says what machine it is from: virtual, and which kernel; `xrunlab doctor` judges the same.
source /tests/devices.sh
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 300ms -q
play machine "$work/set"
release=$(uname -r)
xrunlab doctor "$work" --json="$results/doctor.json"
expect "doctor: exit code, as its directory is in memory" 1 $?
grade_of() { # CHECK
  sed -n "/\"check\": \"$1\"/{n;s/.*\"grade\": \"\(.*\)\",/\1/p}" "$results/doctor.json"
}
for check in rtprio memlock io-uring rt-runtime; do expect "doctor: $check of root" OK "$(grade_of $check)"; done
expect "doctor: virtual-machine" WARN "$(grade_of virtual-machine)"
expect "doctor: file-system" FAIL "$(grade_of file-system)"
contains "the kernel" "$release" "$(field kernel machine)"
case $(field virt machine) in
  qemu | kvm) ;;
  *) expect "virt" "qemu or kvm" "$(field virt machine)" ;;
esac
case $release in
  *-rt-*)
    expect "preemption" rt "$(field preempt machine)"
    expect "threaded interrupts" true "$(field threadirqs machine)"
    expect "doctor: preemption and threadirqs" "OK OK" "$(grade_of preemption) $(grade_of threadirqs)"
    contains "doctor: interrupts have threads" "none of them a sound card's" "$(cat "$results/doctor.json")"
    ;;
  *)
    contains "preemption" "voluntary" "$(field preempt machine)"
    expect "threaded interrupts" false "$(field threadirqs machine)"
    expect "doctor: preemption and threadirqs" "WARN WARN" "$(grade_of preemption) $(grade_of threadirqs)"
    contains "doctor: interrupts have no threads" "interrupts have no threads" "$(cat "$results/doctor.json")"
    ;;
esac
expect "processors" 2 "$(field cpus machine)"
[ -c /dev/rtc0 ] || expect "/dev/rtc0" "there" "missing"
xrunlab play "$work/set" -q --redact --json="$results/redacted.json" >/dev/null 2>&1
lacks "--redact: the boot id" "$(cat /proc/sys/kernel/random/boot_id)" "$(cat "$results/redacted.json")"
finish
