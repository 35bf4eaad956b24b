#include "doctor_grading.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

// A tenth of the time between interrupts of a card with periods of 64 frames at 48 kHz.
constexpr std::int64_t kLongExitUs = 130;

DoctorFinding check_governor(const DoctorFacts& facts) {
  const std::string& governor = facts.system.governor;
  if (governor.empty()) {
    return not_here("governor",
                    "no cpufreq in /sys: the clock is fixed, or the firmware or a hypervisor "
                    "chooses it");
  }
  if (governor == "performance") return good("governor", "performance on every CPU");
  return poor("governor", governor + ": a CPU that was idle begins at a low clock",
              "sudo cpupower frequency-set -g performance (Debian: linux-cpupower)");
}

DoctorFinding check_idle_states(const DoctorFacts& facts) {
  const auto& allowed = facts.power.allowed;
  if (allowed.empty()) {
    return not_here("idle-states",
                    "no idle states in /sys: idle=poll, or the firmware or a hypervisor decides");
  }
  if (allowed.front().exit_latency_us < 0)
    return not_here("idle-states", "how long " + allowed.front().name + " takes to leave cannot be read");
  const IdleState& deepest = allowed.back();
  const std::string reason = "the deepest that is allowed, " + deepest.name + " (" + facts.power.idle_driver +
                             "), takes " + short_duration(deepest.exit_latency_us * 1000) + " to leave";
  if (deepest.exit_latency_us <= kLongExitUs) return good("idle-states", reason);
  return poor("idle-states", reason,
              "play --dma-latency 20 for the time of a run; for good intel_idle.max_cstate=1 or "
              "processor.max_cstate=1 on the kernel's command line");
}

DoctorFinding check_swappiness(const DoctorFacts& facts) {
  const MemoryFacts& memory = facts.memory;
  if (memory.has_swap == false) return good("swappiness", "there is no swap: nothing is put out");
  if (!memory.swappiness) return unreadable("swappiness", "/proc/sys/vm/swappiness");
  const std::string value = std::to_string(*memory.swappiness);
  if (*memory.swappiness <= 10) return good("swappiness", value + ": programs' memory is put out last");
  return poor("swappiness",
              value + ": under reads from disk the memory of programs that wait is put out to swap",
              "sudo sysctl vm.swappiness=10; for good in /etc/sysctl.d/audio.conf");
}

DoctorFinding check_huge_pages(const DoctorFacts& facts) {
  const std::string& mode = facts.memory.huge_pages;
  constexpr const char* kFile = "/sys/kernel/mm/transparent_hugepage/enabled";
  if (mode.empty()) return unreadable("huge-pages", kFile);
  if (mode != "always")
    return good("huge-pages", mode + ": only programs that ask get transparent huge pages");
  return poor("huge-pages",
              "always: the kernel moves memory together for huge pages at any time, page faults wait for it",
              "echo madvise | sudo tee " + std::string(kFile) +
                  "; for good transparent_hugepage=madvise on the kernel's command line");
}

DoctorFinding check_shared_memory(const DoctorFacts& facts) {
  const MemoryFacts& memory = facts.memory;
  if (!memory.mounts_read) return unreadable("shared-memory", "/proc/self/mountinfo");
  const std::string& type = memory.shared_memory_filesystem;
  for (const char* const in_memory : {"tmpfs", "ramfs", "devtmpfs"}) {
    if (type == in_memory) return good("shared-memory", "/dev/shm is in memory (" + type + ")");
  }
  return poor("shared-memory",
              type.empty() ? "there is no /dev/shm, where JACK's clients share their buffers"
                           : "/dev/shm is on " + type + ": what JACK's clients share is written to a disk",
              "tmpfs /dev/shm tmpfs defaults 0 0 in /etc/fstab, then sudo mount /dev/shm");
}

}  // namespace

std::vector<DoctorFinding> check_power_and_memory(const DoctorFacts& facts) {
  return {check_governor(facts), check_idle_states(facts), check_swappiness(facts), check_huge_pages(facts),
          check_shared_memory(facts)};
}

}  // namespace xrunlab
