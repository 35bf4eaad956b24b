#!/usr/bin/env bash
# `xrunlab import`: listings as mailed become run files, those of data/history are made again, and `compare` prints the
# published figures and sets a run of today beside them.
#   import_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
history=$4/data/history
source "$(dirname "$0")/expectations.sh"
cd "$work" || exit 1

# What is published is what its listings say.
mkdir again
run "$xrunlab" import "$history"/listings/*.txt -o again
expect "the listings: exit code" 0 "$code"
contains "what was found" "2011-06-cyclictest-2.6.34.8-68.fc13.i686.pae.json: latency, 12 rounds, median of maxima 358 us, largest 17789 us" "$out"
for file in "$history"/*.json; do
  cmp -s "$file" "again/$(basename "$file")" || expect "made again" "$(basename "$file")" "another"
done
expect "how many" "$(ls "$history"/*.json | wc -l)" "$(ls again | wc -l)"
run "$xrunlab" import "$history"/listings/*.txt -o again
expect "nothing is overwritten" 2 "$code"
contains "nothing is overwritten" "is there already" "$err"

# The kernels of 2011: rounds, median of maxima, largest maximum.
run "$xrunlab" compare "$history"/*2011*
expect "2011: exit code" 0 "$code"
row() { sed -n "s/^$1  *//p" "$work/.out" | tr -s ' '; }
expect "the order" "2.6.33.13-149.rt31.2.fc13.ccrma.i686.rtPAE 2.6.34.8-68.fc13.i686.PAE \
2.6.34.8-68.rt0.3.fc13.ccrma.i686.rtPAE 2.6.39.1-1.threadirqs.1.fc14.ccrma.i686.PAE " \
  "$(sed -n 's/^([1-4])  kernel //p' "$work/.out" | tr '\n' ' ')"
expect "rounds" "13 12 5 9" "$(row rounds)"
expect "partial rounds" "1 0 0 0" "$(row 'partial rounds')"
expect "medians of maxima" "141us 357.5us 134us 1326us" "$(row 'median of maxima')"
expect "largest maxima" "148us/1296s* 17789us/1200s* 143us/500s* 17692us/900s*" "$(row 'latency max')"
contains "the partial round" "has 9573 of 10000 wake-ups" "$(tr -s ' \n' ' ' <"$work/.out")"
contains "unequal lengths" "maxima over unequal lengths" "$out"
contains "boots" "one boot each: not separable from boot to boot" "$out"
run "$xrunlab" compare "$history"/*2004*
expect "the table of 2004" "217 2.20" "$(row 'xruns\/h')"
expect "the table of 2004: delays" "4.32ms 308us" "$(row 'delay max')"

# Today beside 2000: three timers in one table, the peaks of the RTC loop in another.
"$xrunlab" gen set --tracks 1 -r 48k -f S16_LE -d 1s -q
"$xrunlab" play set -q -d 300ms --json=my-run.json >/dev/null
run "$xrunlab" compare "$history"/2000* my-run.json --include
expect "2000: exit code" 0 "$code"
contains "kinds" "3 runs of kind latency by kernel, preempt, title" "$out"
contains "kinds" "4 runs by kernel, preempt, title" "$out"
contains "a peak" "66000us" "$out"
contains "a listing" "loaded, no ring, SCHED_FIFO" "$(tr -s ' \n' ' ' <"$work/.out")"
expect "T3" "169ms 971ms 1.86ms" "$(sed -n 's/^T3 out max  *//p' "$work/.out" | tr -s ' ' | cut -d' ' -f1-3 | tr -d '*')"
lacks "what 2000 does not say" "xruns                              0" "$out"

# A mail: wrapped, quoted, with a kernel named by uname.
cat >mail.txt <<'MAIL'
On Monday somebody wrote:
> Linux studio 6.1.0-rt #1 SMP PREEMPT_RT x86_64 GNU/Linux
> $ cyclictest -q -p 80 -i 10000 -l 10000
> policy: fifo: loadavg: 0.02 0.20 0.11 1/405 7024
>
> T: 0 ( 7024) P:80 I:10000 C:   9999 Min:      3 Act:   75 Avg:   54
> Max:     121
MAIL
run "$xrunlab" import - -o mail --fact machine=studio <mail.txt
expect "no directory" 3 "$code"
mkdir mail
run "$xrunlab" import - -o mail --fact machine=studio <mail.txt
expect "a mail: exit code" 0 "$code"
expect "a mail" "mail/cyclictest-6.1.0-rt.json: latency, 1 round, median of maxima 121 us, largest 121 us" "$out"
expect "the largest" 121000 "$(value_of max_ns mail/cyclictest-6.1.0-rt.json)"
expect "the round" false "$(value_of whole mail/cyclictest-6.1.0-rt.json)"
expect "the preemption" rt "$(value_of preempt mail/cyclictest-6.1.0-rt.json)"
expect "no zero for what was not said" "" "$(value_of missed mail/cyclictest-6.1.0-rt.json)"

# What is refused.
echo 'no listing' >prose.txt
run "$xrunlab" import prose.txt
expect "no listing" 4 "$code"
contains "no listing" "prose.txt: there is no listing in it that xrunlab knows (" "$err"
run "$xrunlab" import nowhere.txt
expect "no file" 4 "$code"
run "$xrunlab" import .
expect "a directory" 4 "$code"
run "$xrunlab" import mail.txt --fact colour=red
expect "no such fact" 2 "$code"
run "$xrunlab" import mail.txt --dry-run
expect "--dry-run" "0 ./cyclictest-6.1.0-rt.json: latency, 1 round, median of maxima 121 us, largest 121 us" "$code $out"
expect "--dry-run writes nothing" "" "$(ls cyclictest* 2>/dev/null)"
finish
