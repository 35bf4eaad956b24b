// What the checks say at their limits. Whole machines are in platform's tests.
#include "xrunlab/model/doctor_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace xrunlab {
namespace {

using testing::HasSubstr;

DoctorFinding finding_of(const DoctorFacts& facts, const std::string& check) {
  for (const auto& finding : check_machine(facts)) {
    if (finding.check == check) return finding;
  }
  return {check, DoctorGrade::not_applicable, "there is no such check", ""};
}

std::string graded(const DoctorFacts& facts, const std::string& check) {
  return std::string(to_string(finding_of(facts, check).grade));
}

TEST(DoctorChecks, NothingIsGoodOfWhichNothingIsKnown) {
  for (const auto& finding : check_machine(DoctorFacts{})) {
    EXPECT_EQ(finding.grade, DoctorGrade::not_applicable) << finding.check << ": " << finding.reason;
  }
}

TEST(DoctorChecks, TheHardLimitCountsAndARightAboveIt) {
  DoctorFacts facts;
  facts.rights.process.emplace();
  facts.rights.rtprio = ResourceLimit{0, 70};
  EXPECT_EQ(graded(facts, "rtprio"), "OK") << "play raises the soft limit";
  facts.wanted_priority = 71;
  EXPECT_EQ(graded(facts, "rtprio"), "WARN");
  facts.rights.rtprio = ResourceLimit{0, 0};
  facts.rights.realtime_refusal = "log in again";
  EXPECT_EQ(graded(facts, "rtprio"), "FAIL");
  EXPECT_EQ(finding_of(facts, "rtprio").mend, "log in again");
  facts.rights.process->may_be_realtime = true;
  EXPECT_EQ(graded(facts, "rtprio"), "OK");
}

TEST(DoctorChecks, LockedMemoryIsCountedInTracks) {
  DoctorFacts facts;
  facts.rights.process.emplace();
  constexpr std::int64_t kSixteen = 5 * (256 << 10) + 16 * 720'000;
  facts.rights.memlock_bytes = ResourceLimit{0, kSixteen - 1};
  EXPECT_EQ(graded(facts, "memlock"), "FAIL");
  EXPECT_THAT(finding_of(facts, "memlock").reason, HasSubstr("the rings of 15 tracks"));
  facts.rights.memlock_bytes = ResourceLimit{0, kSixteen};
  EXPECT_EQ(graded(facts, "memlock"), "WARN");
  facts.rights.memlock_bytes = ResourceLimit{0, kUnlimited};
  EXPECT_EQ(graded(facts, "memlock"), "OK");
  facts.rights.memlock_bytes = ResourceLimit{0, 0};
  facts.rights.process->may_lock_memory = true;
  EXPECT_EQ(graded(facts, "memlock"), "OK");
}

TEST(DoctorChecks, OpenFiles) {
  DoctorFacts facts;
  facts.rights.process.emplace();
  facts.rights.nofile = ResourceLimit{40, 40};
  EXPECT_EQ(graded(facts, "nofile"), "FAIL");
  facts.rights.nofile = ResourceLimit{40, 1023};
  EXPECT_EQ(graded(facts, "nofile"), "WARN");
  facts.rights.nr_open = 1048576;
  facts.rights.process->may_exceed_limits = true;
  EXPECT_EQ(graded(facts, "nofile"), "OK");
}

TEST(DoctorChecks, RealTimeGroups) {
  DoctorFacts facts;
  facts.kernel.has_rt_groups = false;
  EXPECT_EQ(graded(facts, "rt-group"), "OK");
  facts.kernel.has_rt_groups = true;
  EXPECT_EQ(graded(facts, "rt-group"), "OK") << "the topmost group";
  facts.kernel.group_share = GroupShare{"/sys/fs/cgroup/cpu/box", 0};
  EXPECT_EQ(graded(facts, "rt-group"), "FAIL");
  facts.kernel.group_share->runtime_us = 400'000;
  EXPECT_EQ(graded(facts, "rt-group"), "OK");
  facts.kernel.group_share->runtime_us.reset();
  EXPECT_EQ(graded(facts, "rt-group"), "FAIL");
}

TEST(DoctorChecks, RealTimeRunTime) {
  DoctorFacts facts;
  for (const auto& [runtime_us, grade] :
       {std::pair{-1, "OK"}, std::pair{950'000, "OK"}, std::pair{700'000, "WARN"}, std::pair{400'000, "FAIL"},
        std::pair{0, "FAIL"}}) {
    facts.kernel.rt_runtime_us = runtime_us;
    EXPECT_EQ(graded(facts, "rt-runtime"), grade) << runtime_us;
  }
  facts.kernel.rt_runtime_us = 95'000;
  facts.kernel.rt_period_us = 100'000;
  EXPECT_EQ(graded(facts, "rt-runtime"), "OK") << "the share counts";
}

TEST(DoctorChecks, PreemptionModels) {
  DoctorFacts facts;
  for (const auto& [model, grade] :
       {std::pair{"rt", "OK"}, std::pair{"full", "OK"}, std::pair{"full (dynamic)", "OK"},
        std::pair{"lazy (dynamic)", "OK"}, std::pair{"voluntary (dynamic)", "WARN"},
        std::pair{"none or voluntary", "WARN"}, std::pair{"unknown (dynamic)", "n-a"},
        std::pair{"", "n-a"}}) {
    facts.system.preempt = model;
    EXPECT_EQ(graded(facts, "preemption"), grade) << model;
  }
  facts.system.preempt = "none (dynamic)";
  EXPECT_THAT(finding_of(facts, "preemption").mend, HasSubstr("echo full"));
}

TEST(DoctorChecks, InterruptsOfCardsAgainstOurs) {
  DoctorFacts facts;
  facts.kernel.processes_listed = true;
  EXPECT_EQ(graded(facts, "irq-threads"), "n-a");
  facts.kernel.irq_threads = {{10, "irq/9-acpi", "SCHED_FIFO", 50, false}};
  EXPECT_EQ(graded(facts, "irq-threads"), "n-a") << "none is a card's";
  facts.kernel.irq_threads.push_back({11, "irq/31-snd_x", "SCHED_FIFO", 71, true});
  EXPECT_EQ(graded(facts, "irq-threads"), "OK");
  facts.kernel.irq_threads.push_back({12, "irq/32-snd_y", "SCHED_FIFO", 70, true});
  EXPECT_EQ(graded(facts, "irq-threads"), "WARN");
  EXPECT_EQ(finding_of(facts, "irq-threads").mend, "sudo chrt -f -p 85 12; for good the package rtirq-init");
  facts.wanted_priority = 60;
  EXPECT_EQ(graded(facts, "irq-threads"), "OK");
}

TEST(DoctorChecks, StolenTime) {
  DoctorFacts facts;
  facts.kernel.usage = MachineUsage{.user_ns = 0, .idle_ns = 1000};
  EXPECT_EQ(graded(facts, "steal"), "n-a") << "the column is not there";
  for (const auto& [steal_ns, grade] :
       {std::pair{0, "OK"}, std::pair{9, "OK"}, std::pair{11, "WARN"}, std::pair{100, "FAIL"}}) {
    facts.kernel.usage->steal_ns = steal_ns;
    EXPECT_EQ(graded(facts, "steal"), grade) << steal_ns;
  }
}

TEST(DoctorChecks, IoUringThatWasTried) {
  DoctorFacts facts;
  facts.uring.tried = true;
  facts.uring.disabled = 2;
  EXPECT_EQ(graded(facts, "io-uring"), "OK") << "it was granted, whatever the file says";
  facts.uring.warnings = {"files were not registered"};
  EXPECT_THAT(finding_of(facts, "io-uring").reason, HasSubstr("files were not registered"));
  facts.uring.problem = "not permitted";
  facts.uring.remedy = "allow it";
  EXPECT_EQ(graded(facts, "io-uring"), "WARN");
  EXPECT_EQ(finding_of(facts, "io-uring").mend, "allow it");
}

TEST(DoctorChecks, IoUringForAGroup) {
  DoctorFacts facts;
  facts.uring.disabled = 1;
  facts.rights.process.emplace();
  facts.rights.process->seccomp_mode = 0;
  EXPECT_EQ(graded(facts, "io-uring"), "WARN");
  facts.rights.process->may_use_any_uring = true;
  EXPECT_EQ(graded(facts, "io-uring"), "OK");
  facts.rights.process->seccomp_mode = 2;
  EXPECT_EQ(graded(facts, "io-uring"), "n-a");
}

DoctorFacts on(const std::string& filesystem, const std::string& options, const std::string& reason = "") {
  DoctorFacts facts;
  facts.disk.files.push_back({.path = "/music", .filesystem = filesystem, .mount_point = "/music"});
  facts.disk.files.front().mount_options = options;
  facts.disk.files.front().reason = reason;
  return facts;
}

TEST(DoctorChecks, SharedMemory) {
  DoctorFacts facts;
  facts.memory.mounts_read = true;
  for (const auto& [type, grade] : {std::pair{"tmpfs", "OK"}, std::pair{"devtmpfs", "OK"},
                                    std::pair{"ext4", "WARN"}, std::pair{"", "WARN"}}) {
    facts.memory.shared_memory_filesystem = type;
    EXPECT_EQ(graded(facts, "shared-memory"), grade) << type;
  }
}

TEST(DoctorChecks, Clocksources) {
  DoctorFacts facts;
  facts.kernel.clocksources = {"hpet", "tsc"};
  for (const auto& [source, grade] :
       {std::pair{"tsc", "OK"}, std::pair{"kvm-clock", "OK"}, std::pair{"arch_sys_counter", "OK"},
        std::pair{"hpet", "WARN"}, std::pair{"jiffies", "FAIL"}}) {
    facts.system.clocksource = source;
    EXPECT_EQ(graded(facts, "clocksource"), grade) << source;
  }
  EXPECT_THAT(finding_of(facts, "clocksource").mend, HasSubstr("echo tsc"));
  facts.kernel.clocksources = {"hpet"};
  EXPECT_THAT(finding_of(facts, "clocksource").mend, HasSubstr("dmesg"));
}

TEST(DoctorChecks, SwapThatIsNotThereNeedsNoSetting) {
  DoctorFacts facts;
  facts.memory.has_swap = true;
  EXPECT_EQ(graded(facts, "swappiness"), "n-a");
  for (const auto& [value, grade] : {std::pair{10, "OK"}, std::pair{11, "WARN"}}) {
    facts.memory.swappiness = value;
    EXPECT_EQ(graded(facts, "swappiness"), grade) << value;
  }
  facts.memory.has_swap = false;
  EXPECT_EQ(graded(facts, "swappiness"), "OK");
}

TEST(DoctorChecks, IdleStates) {
  DoctorFacts facts;
  facts.power.allowed = {{"C1", 2}, {"C6", 130}};
  EXPECT_EQ(graded(facts, "idle-states"), "OK");
  facts.power.allowed.push_back({"C8", 131});
  EXPECT_EQ(graded(facts, "idle-states"), "WARN");
  facts.power.allowed.insert(facts.power.allowed.begin(), {"C9", -1});
  EXPECT_EQ(graded(facts, "idle-states"), "n-a") << "one cannot be read";
}

TEST(DoctorChecks, FileSystems) {
  for (const auto& [type, grade] :
       {std::pair{"ext4", "OK"}, std::pair{"btrfs", "OK"}, std::pair{"tmpfs", "FAIL"},
        std::pair{"nfs4", "WARN"}, std::pair{"fuseblk", "WARN"}, std::pair{"overlay", "WARN"}}) {
    EXPECT_EQ(graded(on(type, "rw,relatime"), "file-system"), grade) << type;
  }
  EXPECT_EQ(graded(on("ext4", "rw", "no block device (zram0, it lives in memory)"), "file-system"), "FAIL");
}

TEST(DoctorChecks, MountOptions) {
  for (const auto& [options, grade] :
       {std::pair{"rw,noatime", "OK"}, std::pair{"rw,nosuid,relatime", "OK"}, std::pair{"ro", "OK"},
        std::pair{"rw", "WARN"}, std::pair{"rw,strictatime", "WARN"}, std::pair{"rw,sync,noatime", "WARN"},
        std::pair{"rw,noatime,discard", "WARN"}, std::pair{"rw,noatime,discard=async", "OK"}}) {
    EXPECT_EQ(graded(on("ext4", options), "mount-options"), grade) << options;
  }
  EXPECT_EQ(graded(on("btrfs", "rw,noatime,compress=zstd:3"), "mount-options"), "WARN");
}

DoctorFacts with_disk(const std::string& name, const std::string& scheduler, std::optional<bool> rotational) {
  DoctorFacts facts = on("ext4", "rw,noatime");
  facts.disk.files.front().schedule_at = {name};
  BlockDeviceInfo device{.name = name, .rotational = rotational};
  device.settings.push_back({"scheduler", scheduler, true, {"none", "bfq"}});
  facts.disk.devices = {device};
  return facts;
}

TEST(DoctorChecks, SchedulersOfDisks) {
  EXPECT_EQ(graded(with_disk("sda", "none", true), "disk-scheduler"), "WARN");
  EXPECT_THAT(finding_of(with_disk("sda", "none", true), "disk-scheduler").mend, HasSubstr("echo bfq"));
  EXPECT_EQ(graded(with_disk("sda", "bfq", true), "disk-scheduler"), "OK");
  EXPECT_EQ(graded(with_disk("nvme0n1", "none", false), "disk-scheduler"), "OK");
  EXPECT_EQ(graded(with_disk("sda", "none", std::nullopt), "disk-scheduler"), "n-a");
  EXPECT_EQ(graded(with_disk("vda", "none", true), "disk-scheduler"), "OK") << "its host has the disk";
}

DoctorFacts with_card(const PcmLimits& limits) {
  DoctorFacts facts;
  facts.cards.in_kernel = {"hw:X"};
  facts.cards.asked = CardsData{.card_count = 1};
  facts.cards.asked->pcms.push_back({.name = "hw:X,0", .kind = "card", .accepts = limits});
  return facts;
}

TEST(DoctorChecks, WhatCardsAccept) {
  const PcmLimits usual{{"S32_LE"}, {44100, 192000}, {44100, 48000}, {2, 2}, {32, 4096}, {64, 8192}};
  EXPECT_EQ(graded(with_card(usual), "card"), "OK");
  EXPECT_EQ(
      finding_of(with_card(usual), "card").reason,
      "hw:X,0: S32_LE, 2 channels, 44100-192000 Hz, periods of 32-4096 frames, buffers of 64-8192 frames");
  PcmLimits limits = usual;
  limits.usual_rates_hz = {96000};
  EXPECT_EQ(graded(with_card(limits), "card"), "WARN");
  limits = usual;
  limits.channels = {10, 10};
  EXPECT_EQ(finding_of(with_card(limits), "card").mend, "play -c 10 -D hw:X,0");
  limits = usual;
  limits.buffer_frames = {64, 1024};
  EXPECT_EQ(graded(with_card(limits), "card"), "WARN");
  DoctorFacts busy = with_card(usual);
  busy.cards.asked->pcms.front() = {.name = "hw:X,0", .kind = "card", .problem = "busy", .remedy = "end it"};
  EXPECT_EQ(finding_of(busy, "card").reason, "hw:X,0: busy");
  busy.cards.asked->pcms.clear();
  EXPECT_EQ(graded(busy, "card"), "WARN") << "it only records";
}

}  // namespace
}  // namespace xrunlab
