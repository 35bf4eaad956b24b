// What is said about eight made-up machines, from their files to the findings.
#include "xrunlab/platform/machine_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/platform/fake_machines.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

using test::FakeMachine;
using testing::HasSubstr;
using testing::Not;

std::vector<DoctorFinding> findings_of(const FakeMachine& machine) {
  const SysRoot root = machine.root();
  return check_machine(read_machine_facts(locate_file("/music", root), root));
}

/// "rtprio OK, memlock FAIL, …" of those with that grade: the names alone.
std::string names(const std::vector<DoctorFinding>& findings, DoctorGrade grade) {
  std::string text;
  for (const auto& finding : findings) {
    if (finding.grade == grade) text += (text.empty() ? "" : " ") + finding.check;
  }
  return text;
}

struct Verdicts {
  std::string ok;
  std::string warn;
  std::string fail;
  std::string not_applicable;
};

/// What is said about one machine.
class Checkup {
 public:
  explicit Checkup(void (*make)(FakeMachine&)) {
    FakeMachine machine;
    make(machine);
    findings_ = findings_of(machine);
  }
  void expect(const Verdicts& wanted) const {
    EXPECT_EQ(names(findings_, DoctorGrade::ok), wanted.ok);
    EXPECT_EQ(names(findings_, DoctorGrade::warn), wanted.warn);
    EXPECT_EQ(names(findings_, DoctorGrade::fail), wanted.fail);
    EXPECT_EQ(names(findings_, DoctorGrade::not_applicable), wanted.not_applicable);
    for (const auto& finding : findings_) {
      const bool trouble = finding.grade == DoctorGrade::warn || finding.grade == DoctorGrade::fail;
      EXPECT_EQ(finding.mend.empty(), !trouble) << finding.check << ": " << finding.mend;
      EXPECT_FALSE(finding.reason.empty()) << finding.check;
    }
  }
  /// "REASON | MEND".
  std::string of(const std::string& check) const {
    for (const auto& finding : findings_) {
      if (finding.check == check) return finding.reason + " | " + finding.mend;
    }
    return "";
  }

 private:
  std::vector<DoctorFinding> findings_;
};

TEST(MachineFacts, ATunedStudioMachine) {
  const Checkup said(test::make_studio);
  said.expect(
      {.ok = "rtprio rttime rt-group memlock nofile limits-files groups dma-latency rtc io-uring preemption "
             "threadirqs irq-threads rt-runtime clocksource virtual-machine steal governor idle-states "
             "swappiness huge-pages shared-memory file-system mount-options disk-scheduler",
       .not_applicable = "card"});
  EXPECT_THAT(said.of("irq-threads"), HasSubstr("irq/126-snd_hda_intel:card0 (SCHED_FIFO 90)"));
}

TEST(MachineFacts, AnUntunedLaptop) {
  const Checkup said(test::make_laptop);
  said.expect(
      {.ok = "rttime rt-group nofile rt-runtime virtual-machine steal shared-memory file-system",
       .warn = "limits-files dma-latency rtc io-uring preemption threadirqs clocksource governor idle-states "
               "swappiness huge-pages mount-options disk-scheduler",
       .fail = "rtprio memlock groups",
       .not_applicable = "irq-threads card"});
  EXPECT_THAT(said.of("rtprio"), HasSubstr("/etc/security/limits.d/audio.cnf sets rtprio"));
  EXPECT_THAT(said.of("limits-files"), HasSubstr("limits.conf:1: 'rtpio' is no limit"));
  EXPECT_THAT(said.of("limits-files"), HasSubstr("limits.conf:2: there is no group pulse"));
  EXPECT_THAT(said.of("limits-files"),
              HasSubstr("sudo mv /etc/security/limits.d/audio.cnf /etc/security/limits.d/audio.conf"));
  EXPECT_THAT(said.of("idle-states"), HasSubstr("C10 (intel_idle), takes 890us"));
  EXPECT_THAT(said.of("mount-options"), HasSubstr("discard: "));
  EXPECT_THAT(said.of("disk-scheduler"), HasSubstr("echo mq-deadline"));
}

TEST(MachineFacts, AVirtualMachine) {
  const Checkup said(test::make_virtual_machine);
  said.expect({.ok =
                   "rttime nofile limits-files groups io-uring rt-runtime clocksource swappiness huge-pages "
                   "shared-memory file-system mount-options disk-scheduler",
               .warn = "rtprio memlock dma-latency rtc preemption threadirqs virtual-machine steal",
               .not_applicable = "rt-group irq-threads governor idle-states card"});
  EXPECT_THAT(said.of("virtual-machine"), HasSubstr("kvm: the hypervisor"));
  EXPECT_THAT(said.of("steal"), HasSubstr("3.00 %"));
  EXPECT_THAT(said.of("memlock"), HasSubstr("the rings of 91 tracks"));
}

TEST(MachineFacts, AContainer) {
  const Checkup said(test::make_container);
  said.expect({.ok = "rttime nofile groups preemption rt-runtime clocksource steal swappiness shared-memory "
                     "mount-options",
               .warn = "threadirqs virtual-machine governor huge-pages file-system",
               .fail = "rtprio memlock",
               .not_applicable = "rt-group limits-files dma-latency rtc io-uring irq-threads idle-states "
                                 "disk-scheduler card"});
  EXPECT_THAT(said.of("rtprio"), HasSubstr("--cap-add=SYS_NICE"));
  EXPECT_THAT(said.of("io-uring"), HasSubstr("a seccomp filter"));
}

TEST(MachineFacts, AnArmBoard) {
  const Checkup said(test::make_arm_board);
  said.expect(
      {.ok = "rtprio rttime memlock nofile limits-files groups dma-latency preemption rt-runtime clocksource "
             "virtual-machine steal huge-pages shared-memory file-system mount-options disk-scheduler",
       .warn = "threadirqs governor swappiness",
       .not_applicable = "rt-group rtc io-uring irq-threads idle-states card"});
  EXPECT_THAT(said.of("card"), HasSubstr("hw:USB"));
}

TEST(MachineFacts, APreemptRtBox) {
  const Checkup said(test::make_preempt_rt);
  said.expect(
      {.ok = "rtprio rttime rt-group memlock nofile limits-files groups dma-latency rtc io-uring preemption "
             "threadirqs rt-runtime clocksource virtual-machine steal governor idle-states swappiness "
             "shared-memory file-system mount-options disk-scheduler",
       .warn = "irq-threads",
       .not_applicable = "huge-pages card"});
  EXPECT_THAT(said.of("irq-threads"), HasSubstr("irq/126-xhci_hcd (SCHED_FIFO 50)"));
  EXPECT_THAT(said.of("irq-threads"), HasSubstr("sudo chrt -f -p 85 126;"));
}

TEST(MachineFacts, AServerWithRealTimeGroups) {
  const Checkup said(test::make_server);
  said.expect({.ok = "rtprio memlock nofile clocksource virtual-machine steal governor swappiness huge-pages "
                     "shared-memory file-system mount-options",
               .warn = "rttime groups io-uring preemption threadirqs idle-states disk-scheduler card",
               .fail = "rt-group rt-runtime",
               .not_applicable = "limits-files dma-latency rtc irq-threads"});
  EXPECT_THAT(said.of("rt-group"), HasSubstr("this process is in /sys/fs/cgroup/user.slice |"));
  EXPECT_THAT(said.of("disk-scheduler"), HasSubstr("sda: mq-deadline (rotating); sdb: none"));
  EXPECT_THAT(said.of("disk-scheduler"), HasSubstr("/sys/block/sdb/queue/scheduler"));
  EXPECT_THAT(said.of("rttime"), HasSubstr("runs 200ms without a wait"));
}

TEST(MachineFacts, AnOldKernel) {
  const Checkup said(test::make_old);
  said.expect(
      {.ok = "rtprio rttime memlock limits-files groups rt-runtime virtual-machine swappiness shared-memory "
             "file-system disk-scheduler",
       .warn = "nofile rtc io-uring preemption clocksource governor mount-options",
       .not_applicable = "rt-group dma-latency threadirqs irq-threads steal idle-states huge-pages card"});
  EXPECT_THAT(said.of("mount-options"), HasSubstr("neither noatime nor relatime"));
  EXPECT_THAT(said.of("io-uring"), HasSubstr("it came with Linux 5.1"));
}

TEST(MachineFacts, AMachineThatTellsNothingIsGoodAtNothing) {
  FakeMachine machine;
  machine.put("/music/a.wav", "");
  for (const auto& finding : findings_of(machine)) {
    EXPECT_EQ(finding.grade, DoctorGrade::not_applicable) << finding.check << ": " << finding.reason;
  }
}

/// Each file of a machine away in turn: nothing throws, and what no longer tells is not OK.
TEST(MachineFacts, WithoutAnyOneFile) {
  FakeMachine machine;
  test::make_laptop(machine);
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(machine.directory())) {
    if (entry.is_regular_file() && entry.path().filename() != "a.wav") files.push_back(entry.path());
  }
  const auto before = findings_of(machine);
  ASSERT_GT(files.size(), 30u);
  for (const auto& file : files) {
    const fs::path aside = machine.directory() + "/aside";
    fs::rename(file, aside);
    const auto after = findings_of(machine);
    ASSERT_EQ(after.size(), before.size()) << file;
    for (std::size_t index = 0; index < after.size(); ++index) {
      const bool became_good =
          after[index].grade == DoctorGrade::ok && before[index].grade != DoctorGrade::ok;
      EXPECT_FALSE(became_good) << after[index].check << " without " << file << ": " << after[index].reason;
    }
    fs::rename(aside, file);
  }
}

/// Of the well-tuned machine, whose checks are all OK: each without what it looks at.
TEST(MachineFacts, NoCheckIsGoodWithoutWhatItLooksAt) {
  FakeMachine machine;
  test::make_studio(machine);
  const auto ok = [&machine] { return " " + names(findings_of(machine), DoctorGrade::ok) + " "; };
  for (const auto& [file, checks] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"/proc/self/limits", {"rtprio", "rttime", "memlock", "nofile"}},
           {"/boot", {"rt-group"}},
           {"/etc/security", {"limits-files"}},
           {"/dev", {"dma-latency", "rtc"}},
           {"/sys/class/rtc", {"rtc"}},
           {"/proc/sys/kernel/io_uring_disabled", {"io-uring"}},
           {"/proc/self/status", {"groups", "io-uring"}},
           {"/proc/sys/kernel/version", {"preemption"}},
           {"/proc/cmdline", {"threadirqs"}},
           {"/proc/2", {"irq-threads"}},
           {"/proc/126", {"irq-threads"}},
           {"/proc/sys/kernel/sched_rt_runtime_us", {"rt-runtime"}},
           {"/sys/devices/system/clocksource", {"clocksource"}},
           {"/proc/cpuinfo", {"virtual-machine"}},
           {"/proc/stat", {"steal"}},
           {"/sys/devices/system/cpu", {"governor", "idle-states"}},
           {"/proc/sys/vm", {"swappiness"}},
           {"/sys/kernel/mm", {"huge-pages"}},
           {"/proc/self/mountinfo", {"shared-memory", "file-system", "mount-options", "disk-scheduler"}},
           {"/sys/devices/pci/block/nvme0n1/queue/rotational", {"disk-scheduler"}}}) {
    for (const auto& check : checks) EXPECT_THAT(ok(), HasSubstr(" " + check + " "));
    std::filesystem::rename(machine.directory() + file, machine.directory() + "/aside");
    for (const auto& check : checks) EXPECT_THAT(ok(), Not(HasSubstr(" " + check + " "))) << file;
    std::filesystem::rename(machine.directory() + "/aside", machine.directory() + file);
  }
}

TEST(MachineFacts, OfThisMachine) {
  const SysRoot root("");
  const auto findings = check_machine(read_machine_facts(locate_file("/", root), root));
  EXPECT_GE(findings.size(), 26u);
}

}  // namespace
}  // namespace xrunlab
