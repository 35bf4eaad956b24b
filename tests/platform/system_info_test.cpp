#include "xrunlab/platform/system_info.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(SystemInfo, FillsEveryField) {
  FakeTree tree;
  tree.file("/proc/sys/kernel/hostname", "studio\n").file("/proc/sys/kernel/osrelease", "6.1.0-rt\n");
  tree.file("/proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian 6.1\n");
  tree.file("/proc/cmdline", "root=/dev/sda2 quiet\n");
  tree.file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU\nflags\t\t: fpu sse\n");
  tree.file("/sys/devices/system/cpu/online", "0-3\n");
  tree.file("/proc/self/status", "Name:\txrunlab\nCpus_allowed_list:\t1-2,7\n");
  tree.file("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
  tree.file("/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  tree.file("/sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "powersave\n");
  tree.file("/proc/meminfo", "MemTotal:       16000 kB\n");
  tree.file("/proc/self/limits",
            "Max locked memory         unlimited            unlimited            bytes     \n"
            "Max realtime priority     95                   95                   \n");
  tree.file("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
  tree.file("/proc/sys/kernel/random/boot_id", "abc-def\n").file("/proc/uptime", "123.45 200.00\n");
  tree.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  tree.file("/sys/devices/system/cpu/vulnerabilities/mds", "Not affected\n");
  tree.file("/sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines\n");
  const SystemInfo info = describe_system(tree.root());
  EXPECT_EQ(info.host, "studio");
  EXPECT_EQ(info.kernel, "6.1.0-rt #1 SMP PREEMPT_RT Debian 6.1");
  EXPECT_EQ(info.cmdline, "root=/dev/sda2 quiet");
  EXPECT_EQ(info.preempt, "rt");
  EXPECT_EQ(info.cpu_model, "Fast CPU");
  EXPECT_EQ(info.cpus, 4);
  EXPECT_EQ(info.cpus_allowed, "1-2") << "there is no CPU 7";
  EXPECT_EQ(info.governor, "performance, powersave");
  EXPECT_EQ(info.memory_bytes, 16000 * 1024);
  EXPECT_EQ(info.rtprio_limit, 95);
  EXPECT_EQ(info.memlock_limit_bytes, -1);
  EXPECT_EQ(info.rt_runtime_us, 950000);
  EXPECT_EQ(info.boot_id, "abc-def");
  EXPECT_EQ(info.uptime_s, 123.45);
  EXPECT_EQ(info.virt, "none");
  EXPECT_EQ(info.clocksource, "tsc");
  EXPECT_EQ(info.mitigations, "spectre_v2: Mitigation: Retpolines");
  EXPECT_EQ(info.threadirqs, true) << "PREEMPT_RT threads its interrupts";
}

TEST(SystemInfo, AnEmptyMachineThrowsNothing) {
  FakeTree tree;
  const SystemInfo info = describe_system(tree.root());
  EXPECT_EQ(info.kernel, "");
  EXPECT_EQ(info.preempt, "");
  EXPECT_EQ(info.virt, "none");
  EXPECT_EQ(info.cpus_allowed, "");
  EXPECT_EQ(info.memory_bytes, std::nullopt);
  EXPECT_EQ(info.threadirqs, false);
}

TEST(SystemInfo, ReadsCommandLineSwitches) {
  FakeTree tree;
  tree.file("/proc/cmdline", "mitigations=off threadirqs\n");
  EXPECT_EQ(describe_system(tree.root()).threadirqs, true);
  EXPECT_EQ(describe_system(tree.root()).mitigations, "off");
}

TEST(SystemInfo, OfThisMachineAgreesWithUname) {
  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  const SystemInfo info = describe_system(SysRoot(""));
  EXPECT_EQ(info.kernel, std::string(name.release) + " " + name.version);
  EXPECT_GT(info.memory_bytes, 0);
  EXPECT_GT(info.cpus, 0);
  EXPECT_GT(info.uptime_s, 0);
}

TEST(Preemption, EveryModel) {
  const auto model = [](std::string_view version, auto&&... add) {
    FakeTree tree;
    tree.file("/proc/sys/kernel/osrelease", "6.1\n").file("/proc/sys/kernel/version", version);
    (add(tree), ...);
    return describe_preemption(tree.root());
  };
  const auto debugfs = [](FakeTree& tree) {
    tree.file("/sys/kernel/debug/sched/preempt", "none (voluntary) full\n");
  };
  const auto cmdline = [](FakeTree& tree) { tree.file("/proc/cmdline", "quiet preempt=full\n"); };
  const auto config = [](FakeTree& tree) {
    tree.file("/boot/config-6.1", "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n");
  };
  EXPECT_EQ(model("#1 SMP PREEMPT_RT"), "rt");
  EXPECT_EQ(model("#1 SMP PREEMPT RT Fri"), "rt") << "as kernels before 5.x had it";
  EXPECT_EQ(model("#1 SMP PREEMPT Fri"), "full");
  EXPECT_EQ(model("#1 SMP Fri"), "none or voluntary");
  EXPECT_EQ(model("#1 SMP Fri", config), "voluntary");
  EXPECT_EQ(model("#1 SMP PREEMPT_DYNAMIC Fri"), "unknown (dynamic)");
  EXPECT_EQ(model("#1 SMP PREEMPT_DYNAMIC Fri", config), "voluntary (dynamic)");
  EXPECT_EQ(model("#1 SMP PREEMPT_DYNAMIC Fri", cmdline, config), "full (dynamic)");
  EXPECT_EQ(model("#1 SMP PREEMPT_DYNAMIC Fri", debugfs, cmdline), "voluntary (dynamic)");
}

}  // namespace
}  // namespace xrunlab
