#include <algorithm>
#include <array>

#include "doctor_grading.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kBootMend =
    " into GRUB_CMDLINE_LINUX in /etc/default/grub, sudo update-grub, and a reboot";

DoctorFinding check_preemption(const DoctorFacts& facts) {
  const std::string& model = facts.system.preempt;
  if (model.empty()) return unreadable("preemption", "/proc/sys/kernel/version");
  if (model.starts_with("unknown")) {
    return not_here(
        "preemption",
        "chosen at boot (PREEMPT_DYNAMIC), and neither the command line nor the kernel's configuration "
        "tells what; root sees it in /sys/kernel/debug/sched/preempt");
  }
  if (model == "rt") return good("preemption", "PREEMPT_RT: nearly all of the kernel can be preempted");
  if (model.starts_with("full") || model.starts_with("lazy"))
    return good("preemption", model + ": a real-time thread preempts the kernel wherever it holds no lock");
  const bool dynamic = model.find("(dynamic)") != std::string::npos;
  return poor("preemption",
              model + ": a thread that wakes waits until the kernel's work for another one gives way",
              dynamic ? "echo full | sudo tee /sys/kernel/debug/sched/preempt where debugfs is mounted; for "
                        "good put preempt=full" +
                            std::string(kBootMend)
                      : "a kernel with PREEMPT or PREEMPT_RT (Debian: linux-image-rt-amd64)");
}

DoctorFinding check_threadirqs(const DoctorFacts& facts) {
  if (facts.system.preempt == "rt") return good("threadirqs", "PREEMPT_RT: interrupts are threads");
  if (!facts.kernel.cmdline_read) return unreadable("threadirqs", "/proc/cmdline");
  if (facts.system.threadirqs == true)
    return good("threadirqs", "on the command line: interrupts are threads");
  constexpr KernelVersion kFirst{2, 6, 39};
  if (facts.kernel.version && *facts.kernel.version < kFirst)
    return not_here("threadirqs", "this kernel has none, they came with Linux 2.6.39");
  return poor("threadirqs", "interrupts of all devices come before every thread, also before the playback's",
              "put threadirqs" + std::string(kBootMend));
}

std::string with_priority(const IrqThread& thread) {
  return thread.name + " (" + thread.policy + " " + std::to_string(thread.priority) + ")";
}

DoctorFinding check_irq_threads(const DoctorFacts& facts) {
  if (!facts.kernel.processes_listed)
    return not_here("irq-threads", "/proc does not show the kernel's threads (a container?)");
  if (facts.kernel.irq_threads.empty())
    return not_here("irq-threads", "interrupts have no threads: they come before every thread");
  const std::string ours = std::to_string(facts.wanted_priority);
  std::string below;
  std::string above;
  std::string mend;
  for (const auto& thread : facts.kernel.irq_threads) {
    if (!thread.of_card) continue;
    const bool first = thread.policy != "SCHED_OTHER" && thread.priority > facts.wanted_priority;
    std::string& list = first ? above : below;
    list += (list.empty() ? "" : ", ") + with_priority(thread);
    if (!first) {
      mend += (mend.empty() ? "sudo chrt -f -p " : "; sudo chrt -f -p ") +
              std::to_string(std::min(facts.wanted_priority + 15, 95)) + " " + std::to_string(thread.pid);
    }
  }
  if (below.empty() && above.empty()) {
    return not_here("irq-threads",
                    counted(static_cast<std::int64_t>(facts.kernel.irq_threads.size()), "interrupt thread") +
                        ", none of them a sound card's");
  }
  if (below.empty()) return good("irq-threads", "before the playback thread's " + ours + " comes " + above);
  return poor("irq-threads",
              "the card's interrupt does not come before the playback thread's " + ours + ": " + below,
              mend + "; for good the package rtirq-init");
}

DoctorFinding check_rt_runtime(const DoctorFacts& facts) {
  if (!facts.kernel.rt_runtime_us) return unreadable("rt-runtime", "/proc/sys/kernel/sched_rt_runtime_us");
  const std::int64_t runtime = *facts.kernel.rt_runtime_us;
  if (runtime < 0) {
    return good("rt-runtime",
                "-1: real-time threads are never held up (one that does not end takes its CPU for good)");
  }
  const std::int64_t period = facts.kernel.rt_period_us.value_or(1'000'000);  // the kernel's default
  const double share = period > 0 ? 100.0 * static_cast<double>(runtime) / static_cast<double>(period) : 0;
  const std::string reason = "real-time threads get at most " + three_digits(share) + " % of a CPU";
  const std::string mend = "sudo sysctl kernel.sched_rt_runtime_us=950000";
  if (runtime == 0) return bad("rt-runtime", "real-time threads get no run time at all", mend);
  // Half: a graph of clients at its limit takes most of a period.
  if (share < 50) return bad("rt-runtime", reason, mend);
  return share < 90 ? poor("rt-runtime", reason, mend) : good("rt-runtime", reason);
}

DoctorFinding check_clocksource(const DoctorFacts& facts) {
  // Each reading asks a chip, for half a microsecond to several, in the kernel.
  static constexpr std::array<std::string_view, 4> kSlow{"hpet", "acpi_pm", "pit", "i8253"};
  static constexpr std::array<std::string_view, 2> kCoarse{"jiffies", "refined-jiffies"};
  const std::string& source = facts.system.clocksource;
  if (source.empty())
    return unreadable("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const auto& offered = facts.kernel.clocksources;
  const bool has_tsc = std::find(offered.begin(), offered.end(), "tsc") != offered.end();
  const std::string mend =
      has_tsc
          ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
          : "dmesg | grep -i tsc tells why the TSC is not used; tsc=reliable on the kernel's command line "
            "overrules it";
  if (std::find(kCoarse.begin(), kCoarse.end(), source) != kCoarse.end())
    return bad("clocksource", source + ": time goes on in steps of a tick, figures are worth nothing", mend);
  if (std::find(kSlow.begin(), kSlow.end(), source) != kSlow.end())
    return poor("clocksource", source + ": each time stamp asks a chip and takes a microsecond or more",
                mend);
  return good("clocksource", source);
}

DoctorFinding check_virtual_machine(const DoctorFacts& facts) {
  const std::string& virt = facts.system.virt;
  if (virt.empty() || virt == "none") {
    if (!facts.kernel.cpuinfo_read) return unreadable("virtual-machine", "/proc/cpuinfo");
    return good("virtual-machine", "no sign of a hypervisor or a container");
  }
  if (virt.starts_with("container") && virt.find('(') == std::string::npos) {
    return poor("virtual-machine", virt + ": kernel, limits and devices are those that its host gives it",
                "measure outside; or start it with --cap-add=SYS_NICE --ulimit rtprio=95 --ulimit memlock=-1 "
                "--device /dev/snd");
  }
  return poor("virtual-machine", virt + ": the hypervisor may stop a CPU for milliseconds at any time",
              "measure on a real machine; here give the card 100 ms: play --buffer-size 5120");
}

DoctorFinding check_steal(const DoctorFacts& facts) {
  if (!facts.kernel.usage || !facts.kernel.usage->steal_ns)
    return unreadable("steal", "the column of stolen time in /proc/stat");
  const MachineUsage& usage = *facts.kernel.usage;
  std::int64_t all = 0;
  for (const auto& part : {usage.user_ns, usage.nice_ns, usage.system_ns, usage.idle_ns, usage.iowait_ns,
                           usage.irq_ns, usage.softirq_ns, usage.steal_ns}) {
    all += part.value_or(0);
  }
  if (all == 0) return not_here("steal", "/proc/stat has counted no time yet");
  const double share = 100.0 * static_cast<double>(*usage.steal_ns) / static_cast<double>(all);
  const std::string reason = fixed(share, 2) + " % of the CPUs' time since boot was taken by the hypervisor";
  const std::string mend = "fewer virtual machines on the host, or CPUs of the host's for this one alone";
  if (share >= 5) return bad("steal", reason, mend);
  return share >= 1 ? poor("steal", reason, mend) : good("steal", reason);
}

}  // namespace

std::vector<DoctorFinding> check_kernel(const DoctorFacts& facts) {
  return {check_preemption(facts), check_threadirqs(facts),  check_irq_threads(facts),
          check_rt_runtime(facts), check_clocksource(facts), check_virtual_machine(facts),
          check_steal(facts)};
}

}  // namespace xrunlab
