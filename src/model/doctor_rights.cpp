#include <algorithm>

#include "doctor_grading.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

// A track's ring as `play` makes it unless told otherwise: 5 s of 24 bits at 48 kHz.
constexpr std::int64_t kTrackRingBytes = 5 * 48'000 * 3;
// What else is locked when not all can be: the stacks of four threads, and room for one more.
constexpr std::int64_t kOtherLockedBytes = 5 * (256 << 10);
// Tracks that any machine for audio must carry.
constexpr std::int64_t kFewTracks = 16;
// The whole program with its libraries, which is 40 MiB, and the rings of 128 tracks, 88 MiB.
constexpr std::int64_t kAllLockedBytes = 160 << 20;
// Descriptors beside one for each track: card, queues, output files.
constexpr std::int64_t kOtherFiles = 32;
constexpr std::int64_t kEnoughFiles = 1024;
// The highest rate of the device.
constexpr std::int64_t kRtcHz = 8192;

bool has_right(const DoctorFacts& facts, bool ProcessRights::*right) {
  return facts.rights.process && (*facts.rights.process).*right;
}

std::string user_of(const DoctorFacts& facts) {
  return facts.rights.process && !facts.rights.process->user.empty() ? facts.rights.process->user : "USER";
}

/// The soft limit is raised to the hard one by whoever needs it.
bool hard_allows(const ResourceLimit& limit, std::int64_t amount) {
  return limit.hard == kUnlimited || limit.hard >= amount;
}

DoctorFinding check_rtprio(const DoctorFacts& facts) {
  const std::string wanted = std::to_string(facts.wanted_priority);
  if (has_right(facts, &ProcessRights::may_be_realtime))
    return good("rtprio", "CAP_SYS_NICE: no limit of priorities applies");
  if (!facts.rights.rtprio) return unreadable("rtprio", "/proc/self/limits");
  const ResourceLimit& limit = *facts.rights.rtprio;
  if (hard_allows(limit, facts.wanted_priority)) {
    const std::int64_t highest = limit.hard == kUnlimited ? 99 : limit.hard;
    return good("rtprio",
                "priorities up to " + std::to_string(highest) + " (RLIMIT_RTPRIO), play asks for " + wanted);
  }
  if (limit.hard == 0) {
    return bad("rtprio", "no thread may be real-time (RLIMIT_RTPRIO is 0), play asks for " + wanted,
               facts.rights.realtime_refusal);
  }
  return poor("rtprio",
              "priorities up to " + std::to_string(limit.hard) + " (RLIMIT_RTPRIO), play asks for " + wanted +
                  " and is lowered",
              "\"@audio - rtprio 95\" in /etc/security/limits.d/audio.conf and a new login");
}

DoctorFinding check_rttime(const DoctorFacts& facts) {
  if (!facts.rights.rttime_us) return unreadable("rttime", "/proc/self/limits, or its line on it,");
  const std::int64_t limit = facts.rights.rttime_us->soft;
  if (limit == kUnlimited) return good("rttime", "a real-time thread may run as long as it needs");
  return poor("rttime",
              "a real-time thread that runs " + short_duration(limit * 1000) +
                  " without a wait gets SIGXCPU (RLIMIT_RTTIME), which ends a program",
              "`ulimit -R unlimited` before the start; in a systemd service LimitRTTIME=infinity");
}

DoctorFinding check_group_share(const DoctorFacts& facts) {
  if (!facts.kernel.has_rt_groups) {
    return not_here("rt-group",
                    "neither the kernel's configuration nor its control groups tell whether it "
                    "has RT_GROUP_SCHED");
  }
  if (!*facts.kernel.has_rt_groups)
    return good("rt-group", "the kernel has no RT_GROUP_SCHED: control groups limit no real-time thread");
  if (!facts.kernel.group_share)
    return good("rt-group", "RT_GROUP_SCHED, but this process is in no group with a share of its own");
  const GroupShare& share = *facts.kernel.group_share;
  if (!share.runtime_us) {
    return bad("rt-group",
               "the kernel has RT_GROUP_SCHED, and in control groups of version 2 only the topmost may "
               "have real-time threads; this process is in " +
                   share.group,
               "as root: echo PID > /sys/fs/cgroup/cgroup.procs, or boot a kernel without RT_GROUP_SCHED");
  }
  if (*share.runtime_us != 0) {
    return good("rt-group", "RT_GROUP_SCHED gives " + share.group + " " +
                                short_duration(*share.runtime_us * 1000) + " of each real-time period");
  }
  return bad("rt-group", "the kernel has RT_GROUP_SCHED and gives the group " + share.group + " no run time",
             "as root: echo 950000 > " + share.group + "/cpu.rt_runtime_us (its parents first)");
}

DoctorFinding check_memlock(const DoctorFacts& facts) {
  if (has_right(facts, &ProcessRights::may_lock_memory))
    return good("memlock", "CAP_IPC_LOCK: no limit of locked memory applies");
  if (!facts.rights.memlock_bytes) return unreadable("memlock", "/proc/self/limits");
  const ResourceLimit& limit = *facts.rights.memlock_bytes;
  if (limit.hard == kUnlimited) return good("memlock", "all memory may be locked");
  const std::string amount = binary_bytes(limit.hard) + " may be locked (RLIMIT_MEMLOCK)";
  if (hard_allows(limit, kAllLockedBytes)) return good("memlock", amount);
  const std::string mend =
      "\"@audio - memlock unlimited\" in /etc/security/limits.d/audio.conf and a new login";
  const std::int64_t tracks = std::max<std::int64_t>(0, limit.hard - kOtherLockedBytes) / kTrackRingBytes;
  const std::string rings =
      amount + ", enough for the rings of " + counted(tracks, "track") + " (5 s, 48 kHz, 24 bits)";
  if (tracks < kFewTracks) return bad("memlock", rings, mend);
  return poor("memlock", rings + "; the program itself stays unlocked", mend);
}

DoctorFinding check_nofile(const DoctorFacts& facts) {
  if (!facts.rights.nofile) return unreadable("nofile", "/proc/self/limits");
  ResourceLimit limit = *facts.rights.nofile;
  if (has_right(facts, &ProcessRights::may_exceed_limits) && facts.rights.nr_open)
    limit.hard = *facts.rights.nr_open;
  if (limit.hard == kUnlimited) return good("nofile", "any number of open files");
  const std::string amount = counted(limit.hard, "open file");
  if (hard_allows(limit, kEnoughFiles)) return good("nofile", amount + ", one a track is needed");
  const std::int64_t tracks = std::max<std::int64_t>(0, limit.hard - kOtherFiles);
  const std::string reason = amount + " (RLIMIT_NOFILE): at most " + counted(tracks, "track");
  const std::string mend = "\"* - nofile 65536\" in /etc/security/limits.d/nofile.conf and a new login";
  return tracks < kFewTracks ? bad("nofile", reason, mend) : poor("nofile", reason, mend);
}

DoctorFinding check_limits_files(const DoctorFacts& facts) {
  const RightsFacts& rights = facts.rights;
  if (rights.limits_files == 0)
    return not_here("limits-files",
                    "nothing that can be read is set in /etc/security/limits.conf or limits.d");
  if (rights.limits_flaws.empty())
    return good("limits-files", "every line of " + counted(rights.limits_files, "file") + " is understood");
  std::string reason;
  std::string mend;
  for (const auto& flaw : rights.limits_flaws) {
    reason += (reason.empty() ? "" : "; ") + flaw.place + ": " + flaw.what;
    if (mend.find(flaw.mend) == std::string::npos) mend += (mend.empty() ? "" : "; ") + flaw.mend;
  }
  return poor("limits-files", reason, mend + "; then log in again");
}

DoctorFinding check_groups(const DoctorFacts& facts) {
  const RightsFacts& rights = facts.rights;
  if (!rights.process) return unreadable("groups", "/proc/self/status");
  if (rights.process->uid == 0) return good("groups", "root needs no group");
  if (rights.process->in_audio_group) return good("groups", user_of(facts) + " is in the group audio");
  if (rights.sound_devices == DeviceAccess::granted) {
    return good("groups", user_of(facts) +
                              " is not in the group audio, but may open the cards (a login at "
                              "the machine itself, or free for all)");
  }
  if (rights.listed_in_audio_group) {
    return poor("groups", "/etc/group has " + user_of(facts) + " in audio, this login began before that",
                "log in again");
  }
  if (!rights.has_audio_group) return not_here("groups", "/etc/group has no group audio");
  const std::string mend = "sudo usermod -aG audio " + user_of(facts) + ", and a new login";
  const std::string reason = user_of(facts) + " is not in the group audio";
  if (rights.sound_devices == DeviceAccess::refused)
    return bad("groups", reason + " and may not open the cards in /dev/snd", mend);
  return poor("groups", reason, mend);
}

DoctorFinding check_dma_latency(const DoctorFacts& facts) {
  switch (facts.rights.dma_latency) {
    case DeviceAccess::granted:
      return good("dma-latency", "/dev/cpu_dma_latency may be held: --dma-latency works");
    case DeviceAccess::refused:
      return poor("dma-latency", "no right to /dev/cpu_dma_latency: --dma-latency is refused",
                  "KERNEL==\"cpu_dma_latency\", GROUP=\"audio\", MODE=\"0660\" in "
                  "/etc/udev/rules.d/99-cpu-dma-latency.rules, then sudo udevadm trigger");
    case DeviceAccess::absent:
      break;
  }
  return not_here("dma-latency", "there is no /dev/cpu_dma_latency");
}

DoctorFinding check_rtc(const DoctorFacts& facts) {
  const RightsFacts& rights = facts.rights;
  if (rights.rtc == DeviceAccess::absent) return not_here("rtc", "there is no /dev/rtc");
  if (rights.rtc == DeviceAccess::refused) {
    return poor("rtc", "no right to /dev/rtc, which can pace threads at up to 8192 Hz",
                "KERNEL==\"rtc0\", GROUP=\"audio\", MODE=\"0660\" in /etc/udev/rules.d/99-rtc.rules, then "
                "sudo udevadm trigger");
  }
  if (has_right(facts, &ProcessRights::may_exceed_limits))
    return good("rtc", "/dev/rtc may be opened, at any rate");
  if (!rights.rtc_user_hz)
    return not_here("rtc", "/dev/rtc may be opened, but nothing tells at which rates (max_user_freq)");
  const std::string rate = "/dev/rtc may be opened, up to " + std::to_string(*rights.rtc_user_hz) + " Hz";
  if (*rights.rtc_user_hz >= kRtcHz) return good("rtc", rate);
  return poor("rtc", rate + "; up to 8192 can be asked for",
              "echo 8192 | sudo tee /sys/class/rtc/rtc0/max_user_freq (on kernels before 2.6.20 sudo sysctl "
              "dev.rtc.max-user-freq=8192)");
}

/// From what is written alone, where no ring can be asked for.
DoctorFinding uring_by_files(const DoctorFacts& facts) {
  constexpr KernelVersion kFirst{5, 1};
  const std::string mend = "--io pread reads without it";
  if (facts.kernel.version && *facts.kernel.version < kFirst)
    return poor("io-uring", "this kernel has none, it came with Linux 5.1", "a newer kernel; " + mend);
  if (!facts.uring.disabled)
    return not_here("io-uring", "it could not be tried, and there is no kernel.io_uring_disabled");
  const bool forbidden = *facts.uring.disabled >= 2 ||
                         (*facts.uring.disabled == 1 && !has_right(facts, &ProcessRights::may_use_any_uring));
  if (forbidden) {
    return poor("io-uring",
                "forbidden by kernel.io_uring_disabled = " + std::to_string(*facts.uring.disabled),
                "sudo sysctl kernel.io_uring_disabled=0; " + mend);
  }
  if (!facts.rights.process || !facts.rights.process->seccomp_mode)
    return not_here("io-uring", "it could not be tried, and nothing tells whether there is a seccomp filter");
  if (*facts.rights.process->seccomp_mode != 0) {
    return not_here("io-uring",
                    "it could not be tried, and a seccomp filter (a container's?) decides what is "
                    "allowed");
  }
  return good("io-uring", "kernel.io_uring_disabled = " + std::to_string(*facts.uring.disabled) +
                              " allows it, and there is no seccomp filter");
}

DoctorFinding check_uring(const DoctorFacts& facts) {
  if (!facts.uring.tried) return uring_by_files(facts);
  if (!facts.uring.problem.empty()) return poor("io-uring", facts.uring.problem, facts.uring.remedy);
  if (facts.uring.warnings.empty())
    return good("io-uring", "a ring was granted, with all that play asks for");
  std::string less;
  for (const auto& warning : facts.uring.warnings) less += (less.empty() ? "" : "; ") + warning;
  return good("io-uring", "a ring was granted; " + less);
}

}  // namespace

std::vector<DoctorFinding> check_rights(const DoctorFacts& facts) {
  return {check_rtprio(facts), check_rttime(facts),       check_group_share(facts), check_memlock(facts),
          check_nofile(facts), check_limits_files(facts), check_groups(facts),      check_dma_latency(facts),
          check_rtc(facts),    check_uring(facts)};
}

}  // namespace xrunlab
