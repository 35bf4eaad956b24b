// What a machine's files and devices say about its fitness for audio: all that the checks of `xrunlab doctor`
// look at. Filled by platform (and of cards and io_uring by whoever asked those), read by doctor_checks.
// Absent means that the machine does not tell: no check may call that good.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/cards.hpp"
#include "xrunlab/model/resource_limit.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/model/storage.hpp"
#include "xrunlab/model/usage.hpp"

namespace xrunlab {

/// Who this process is, from /proc/self/status.
struct ProcessRights {
  std::int64_t uid = -1;  ///< the effective one
  std::string user;       ///< its name, else its number
  bool in_audio_group = false;
  bool may_be_realtime = false;     ///< CAP_SYS_NICE
  bool may_lock_memory = false;     ///< CAP_IPC_LOCK
  bool may_exceed_limits = false;   ///< CAP_SYS_RESOURCE
  bool may_use_any_uring = false;   ///< CAP_SYS_ADMIN, or in kernel.io_uring_group
  std::optional<int> seccomp_mode;  ///< 0 none, 1 strict, 2 a filter
};

/// What is wrong with a line of /etc/security/limits.conf or limits.d, or with a file there.
struct LimitsFlaw {
  std::string place;  ///< "/etc/security/limits.d/audio.conf:3"
  std::string what;
  std::string mend;
};

enum class DeviceAccess { absent, refused, granted };

struct RightsFacts {
  std::optional<ProcessRights> process;
  std::optional<ResourceLimit> rtprio;
  std::optional<ResourceLimit> rttime_us;
  std::optional<ResourceLimit> memlock_bytes;
  std::optional<ResourceLimit> nofile;
  std::string realtime_refusal;         ///< why there is no real-time priority; empty where there is one
  std::optional<std::int64_t> nr_open;  ///< the most descriptors that the kernel gives any process
  int limits_files = 0;                 ///< that set something or try to
  std::vector<LimitsFlaw> limits_flaws;
  bool has_audio_group = false;                       ///< /etc/group has one
  bool listed_in_audio_group = false;                 ///< /etc/group has the user in it: a new login would be
  DeviceAccess sound_devices = DeviceAccess::absent;  ///< the PCMs in /dev/snd, granted when one is
  DeviceAccess dma_latency = DeviceAccess::absent;
  DeviceAccess rtc = DeviceAccess::absent;
  std::optional<std::int64_t> rtc_user_hz;  ///< the most that others than root may ask for
};

/// Real-time run time of this process's control group, on a kernel with RT_GROUP_SCHED.
struct GroupShare {
  std::string group;                       ///< its directory
  std::optional<std::int64_t> runtime_us;  ///< version 1; absent in version 2, which gives none
};

/// An interrupt's thread in the kernel.
struct IrqThread {
  std::int64_t pid = 0;
  std::string name;  ///< "irq/31-snd_hda_intel"
  std::string policy;
  std::int64_t priority = 0;
  bool of_card = false;  ///< a sound card's, or that of a bus on which one is
};

struct KernelVersion {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::int64_t patch = 0;
  friend auto operator<=>(const KernelVersion&, const KernelVersion&) = default;
};

struct KernelFacts {
  std::optional<KernelVersion> version;
  bool cmdline_read = false;
  bool cpuinfo_read = false;
  std::optional<std::int64_t> rt_runtime_us;
  std::optional<std::int64_t> rt_period_us;
  std::optional<bool> has_rt_groups;  ///< whether it schedules control groups in real time
  std::optional<GroupShare> group_share;
  bool processes_listed = false;  ///< /proc shows the kernel's threads
  std::vector<IrqThread> irq_threads;
  std::vector<std::string> clocksources;  ///< that could be chosen
  std::optional<MachineUsage> usage;      ///< since boot
};

struct IdleState {
  std::string name;                  ///< "C6"
  std::int64_t exit_latency_us = 0;  ///< −1: not known
};

struct PowerFacts {
  std::string idle_driver;         ///< "intel_idle", "none"; empty without cpuidle
  std::vector<IdleState> allowed;  ///< states that are not switched off on every CPU, by latency
};

struct MemoryFacts {
  std::optional<std::int64_t> swappiness;
  std::optional<bool> has_swap;
  std::string huge_pages;  ///< "always", "madvise", "never"; empty: the kernel has none, or does not tell
  std::string shared_memory_filesystem;  ///< of /dev/shm; empty when the mounts cannot be read or have none
  bool mounts_read = false;
};

struct UringFacts {
  std::optional<std::int64_t> disabled;  ///< kernel.io_uring_disabled
  bool tried = false;                    ///< whether a ring was asked for
  std::string problem;                   ///< why it was refused; empty: it was made
  std::string remedy;
  std::vector<std::string> warnings;  ///< what it was granted less
};

struct CardFacts {
  std::optional<std::vector<std::string>> in_kernel;  ///< names by /proc/asound; absent: no ALSA
  std::optional<CardsData> asked;                     ///< what each accepts; absent: not to be asked
};

struct DoctorFacts {
  int wanted_priority = 70;  ///< of the playback thread
  SystemInfo system;
  RightsFacts rights;
  KernelFacts kernel;
  PowerFacts power;
  MemoryFacts memory;
  UringFacts uring;
  DiskData disk;  ///< of one directory
  CardFacts cards;
};

}  // namespace xrunlab
