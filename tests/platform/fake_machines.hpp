// Eight machines as their /proc, /sys, /dev and /etc show them to a login, for the tests of what is said
// about a machine. The user is 4711, "me"; /music is where the audio files are.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/platform/fake_disks.hpp"

namespace xrunlab::test {

class FakeMachine : public FakeDisks {
 public:
  /// `rights`: of the lines of /proc/self/limits: soft and hard value each.
  struct Limits {
    std::string rtprio = "0 0";
    std::string memlock = "8388608 8388608";
    std::string nofile = "1024 1048576";
    std::string rttime = "unlimited unlimited";
  };

  FakeMachine& limits(const Limits& limits) {
    put("/proc/self/limits", "Limit  Soft Limit  Hard Limit  Units\nMax locked memory " + limits.memlock +
                                 " bytes\nMax open files " + limits.nofile +
                                 " files\nMax realtime priority " + limits.rtprio +
                                 "\nMax realtime timeout " + limits.rttime + " us\n");
    return *this;
  }

  /// `groups` beside the own one; `capabilities` in hexadecimal. What a test makes has the group audio().
  FakeMachine& user(const std::string& groups, const std::string& capabilities = "0",
                    const std::string& seccomp = "0") {
    put("/proc/self/status", "Uid:\t4711\t4711\t4711\t4711\nGid:\t4711\t4711\t4711\t4711\nGroups:\t" +
                                 groups + "\nCapEff:\t" + capabilities + "\nSeccomp:\t" + seccomp + "\n");
    put("/etc/passwd", "root:x:0:0::/root:/bin/sh\nme:x:4711:4711::/home/me:/bin/sh\n");
    put("/etc/group", "audio:x:" + audio() + ":\nme:x:4711:\n");
    return *this;
  }
  static std::string audio() { return std::to_string(::getegid()); }

  FakeMachine& kernel(const std::string& release, const std::string& version, const std::string& cmdline) {
    put("/proc/sys/kernel/osrelease", release);
    put("/proc/sys/kernel/version", version);
    put("/proc/cmdline", cmdline);
    put("/proc/2/comm", "kthreadd");
    put("/proc/sys/kernel/sched_rt_runtime_us", "950000");
    put("/proc/sys/kernel/sched_rt_period_us", "1000000");
    put("/proc/stat", "cpu  100 0 100 9800 0 0 0 0 0 0\n");
    return *this;
  }
  FakeMachine& pc(const std::string& flags, const std::string& clocksource) {
    put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: " + flags + "\n");
    const std::string directory = "/sys/devices/system/clocksource/clocksource0/";
    put(directory + "current_clocksource", clocksource);
    put(directory + "available_clocksource", "tsc hpet acpi_pm");
    return *this;
  }
  FakeMachine& memory(const std::string& swappiness, const std::string& swaps,
                      const std::string& huge_pages) {
    put("/proc/sys/vm/swappiness", swappiness);
    put("/proc/swaps", "Filename Type Size Used Priority\n" + swaps);
    if (!huge_pages.empty()) put("/sys/kernel/mm/transparent_hugepage/enabled", huge_pages);
    return *this;
  }
  FakeMachine& idle_state(const std::string& state, const std::string& name, const std::string& latency_us) {
    const std::string directory = "/sys/devices/system/cpu/cpu0/cpuidle/" + state;
    put("/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle");
    put(directory + "/name", name);
    put(directory + "/latency", latency_us);
    put(directory + "/disable", "0");
    return *this;
  }
  FakeMachine& governor(const std::string& name) {
    put("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", name);
    return *this;
  }
  FakeMachine& irq_thread(const std::string& pid, const std::string& name, const std::string& priority) {
    put("/proc/" + pid + "/comm", name);
    std::string stat = pid + " (" + name + ") S";
    for (int field = 4; field < 40; ++field) stat += " 0";
    put("/proc/" + pid + "/stat", stat + " " + priority + " 1 0 0");
    return *this;
  }
  FakeMachine& card() {
    put("/proc/asound/cards",
        " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      HDA at irq\n");
    link("/sys/class/sound/card0", "../../devices/pci0000:00/0000:00:1f.3/sound/card0");
    return *this;
  }
  FakeMachine& special(const std::string& path, unsigned mode) {
    put(path, "");
    std::filesystem::permissions(directory() + path, std::filesystem::perms(mode));
    return *this;
  }
  /// The disk that /music is on, with /dev/shm beside it.
  FakeMachine& disk(const std::string& name, const std::string& schedulers, const std::string& rotational,
                    const std::string& mount) {
    device("pci/block/" + name, "8:0").queue("pci/block/" + name, schedulers);
    put("/sys/devices/pci/block/" + name + "/queue/rotational", rotational);
    put("/music/a.wav", "");
    mounts("1 0 8:0 / / " + mount + "\n2 1 0:20 / /dev/shm rw - tmpfs tmpfs rw\n");
    return *this;
  }

  FakeMachine& put(const std::string& path, const std::string& text) {
    file(path, text + "\n");
    return *this;
  }
};

inline void make_studio(FakeMachine& pc) {
  pc.limits({.rtprio = "95 95", .memlock = "unlimited unlimited"}).user(FakeMachine::audio());
  pc.put("/etc/security/limits.d/audio.conf", "# JACK\n@audio - rtprio 95\n@audio - memlock unlimited");
  pc.kernel("6.1.0-13-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.55",
            "root=/dev/sda1 threadirqs preempt=full");
  pc.put("/boot/config-6.1.0-13-amd64", "CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_RT_GROUP_SCHED is not set");
  pc.irq_thread("126", "irq/126-snd_hda_intel:card0", "90").irq_thread("99", "irq/16-ahci", "50");
  pc.pc("fpu tsc", "tsc").memory("10", "/dev/sda2 partition 8 0 -2", "always [madvise] never");
  pc.governor("performance").idle_state("state0", "POLL", "0").idle_state("state1", "C1", "2");
  pc.special("/dev/cpu_dma_latency", 0660).special("/dev/rtc0", 0660).special("/dev/snd/pcmC0D0p", 0660);
  pc.put("/sys/class/rtc/rtc0/max_user_freq", "8192").put("/proc/sys/kernel/io_uring_disabled", "0");
  pc.disk("nvme0n1", "[none] mq-deadline", "0", "rw,noatime - ext4 /dev/nvme0n1 rw").card();
}

inline void make_laptop(FakeMachine& laptop) {
  laptop.limits({}).user("24");
  laptop.put("/etc/security/limits.d/audio.cnf", "@audio - rtprio 95");
  laptop.put("/etc/security/limits.conf", "@audio - rtpio 95\n@pulse - nice -11");
  laptop.kernel("6.1.0-13-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.55", "root=/dev/sda1 quiet");
  laptop.put("/boot/config-6.1.0-13-amd64", "CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_RT_GROUP_SCHED is not set");
  laptop.pc("fpu tsc", "hpet").memory("60", "/dev/sda2 partition 8 0 -2", "[always] madvise never");
  laptop.governor("powersave").idle_state("state1", "C1", "2").idle_state("state4", "C10", "890");
  laptop.special("/dev/cpu_dma_latency", 0600).special("/dev/rtc0", 0600).special("/dev/snd/pcmC0D0p", 0600);
  laptop.put("/proc/sys/kernel/io_uring_disabled", "1");
  laptop.disk("sda", "[none] mq-deadline bfq", "1", "rw,relatime - ext4 /dev/sda rw,discard").card();
}

inline void make_virtual_machine(FakeMachine& machine) {
  machine.limits({.rtprio = "60 60", .memlock = "67108864 67108864"}).user(FakeMachine::audio());
  machine.put("/etc/security/limits.d/audio.conf", "@audio - rtprio 60");
  machine.kernel("6.1.0-13-cloud-amd64", "#1 SMP Debian 6.1.55", "root=/dev/vda1");
  machine.pc("fpu hypervisor", "kvm-clock").memory("60", "", "always [madvise] never");
  machine.put("/sys/class/dmi/id/sys_vendor", "QEMU").put("/sys/class/dmi/id/product_name", "KVM");
  machine.put("/proc/stat", "cpu  100 0 100 9500 0 0 0 300 0 0");
  machine.put("/sys/devices/system/cpu/cpuidle/current_driver", "none");
  machine.special("/dev/cpu_dma_latency", 0600).special("/dev/rtc", 0600);
  machine.put("/proc/sys/kernel/io_uring_disabled", "0");
  machine.disk("vda", "[none] mq-deadline", "1", "rw,relatime - ext4 /dev/vda rw");
}

inline void make_container(FakeMachine& container) {
  container.limits({.memlock = "65536 65536", .nofile = "1024 4096"});
  container.user("", "00000000a80425fb", "2");
  container.put("/proc/self/status",
                "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t0\n"
                "CapEff:\t00000000a80425fb\nSeccomp:\t2");
  container.kernel("6.1.0-13-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.55", "root=/dev/sda1 preempt=full");
  container.put("/proc/2/comm", "sh").put("/proc/1/cgroup", "0::/docker/4f2c");
  container.pc("fpu tsc", "tsc").memory("60", "", "[always] madvise never");
  container.put("/proc/sys/kernel/io_uring_disabled", "0").governor("schedutil");
  container.put("/music/a.wav", "");
  container.mounts(
      "1 0 0:40 / / rw,relatime - overlay overlay rw,upperdir=/u\n2 1 0:41 / /dev/shm rw - tmpfs shm rw\n");
}

inline void make_arm_board(FakeMachine& board) {
  board.limits({.rtprio = "95 95", .memlock = "536870912 536870912"}).user(FakeMachine::audio());
  board.put("/etc/security/limits.d/audio.conf", "@audio - rtprio 95\n@audio - memlock 524288");
  board.kernel("6.1.21-v8+", "#1642 SMP PREEMPT Mon Apr  3", "root=PARTUUID=2 rootwait");
  board.put("/proc/cpuinfo",
            "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd\nModel\t: Raspberry Pi 4");
  board.put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter");
  board.memory("60", "/var/swap file 102396 0 -2", "always [madvise] never").governor("ondemand");
  board.special("/dev/cpu_dma_latency", 0660).special("/dev/snd/pcmC1D0p", 0660);
  board.put("/proc/asound/cards", " 1 [USB            ]: USB-Audio - Scarlett 2i2 USB\n");
  board.link("/sys/class/sound/card1", "../../devices/platform/scb/fd500000.pcie/usb1/1-1/sound/card1");
  board.disk("mmcblk0", "none [mq-deadline]", "0", "rw,noatime - ext4 /dev/mmcblk0 rw");
}

inline void make_preempt_rt(FakeMachine& box) {
  make_studio(box);
  box.kernel("6.1.0-13-rt-amd64", "#1 SMP PREEMPT_RT Debian 6.1.55", "root=/dev/sda1");
  box.put("/boot/config-6.1.0-13-rt-amd64", "CONFIG_PREEMPT_RT=y\n# CONFIG_RT_GROUP_SCHED is not set");
  // An interrupt's thread has 50 until someone changes it; the card is on USB.
  box.irq_thread("126", "irq/126-xhci_hcd", "50").irq_thread("99", "irq/16-ahci", "50");
  std::filesystem::remove(box.directory() + "/sys/class/sound/card0");
  box.link("/sys/class/sound/card0", "../../devices/pci0000:00/0000:00:14.0/usb1/1-4/sound/card0");
  std::filesystem::remove_all(box.directory() + "/sys/kernel/mm");
}

inline void make_server(FakeMachine& server) {
  server.limits({.rtprio = "95 95",
                 .memlock = "unlimited unlimited",
                 .nofile = "65536 65536",
                 .rttime = "200000 200000"});
  server.user("");
  server.kernel("6.6.7-server", "#1 SMP", "root=/dev/sda1");
  server.put("/boot/config-6.6.7-server", "CONFIG_PREEMPT_NONE=y\nCONFIG_RT_GROUP_SCHED=y");
  server.put("/proc/self/cgroup", "0::/user.slice/user-4711.slice/session-2.scope");
  server.put("/sys/fs/cgroup/user.slice/cpu.weight", "100");
  server.put("/sys/fs/cgroup/user.slice/user-4711.slice/session-2.scope/memory.max", "max");
  server.pc("fpu tsc", "tsc").memory("60", "", "always [madvise] never").governor("performance");
  server.idle_state("state3", "C6", "133");
  server.put("/proc/sys/kernel/io_uring_disabled", "2").put("/proc/asound/cards", "--- no soundcards ---");
  server.put("/proc/sys/kernel/sched_rt_runtime_us", "0");
  for (const std::string disk : {"sda", "sdb"}) {
    server.device("pci/block/" + disk, disk == "sda" ? "8:0" : "8:16");
    server.queue("pci/block/" + disk, disk == "sda" ? "none [mq-deadline]" : "[none] mq-deadline");
  }
  server.device("virtual/block/md0", "9:0").slaves("virtual/block/md0", {"sda", "sdb"});
  server.put("/sys/devices/virtual/block/md0/md/level", "raid1").put("/music/a.wav", "");
  server.mounts("1 0 9:0 / / rw,relatime - xfs /dev/md0 rw\n2 1 0:20 / /dev/shm rw - tmpfs tmpfs rw\n");
}

inline void make_old(FakeMachine& old) {
  old.limits({.rtprio = "80 80", .memlock = "unlimited unlimited", .nofile = "512 512"});
  old.user(FakeMachine::audio());
  old.put("/proc/self/status", "Uid:\t4711\t4711\t4711\t4711\nGid:\t4711\t4711\t4711\t4711\nGroups:\t" +
                                   FakeMachine::audio() + "\nCapEff:\t0000000000000000");
  old.put("/etc/security/limits.conf", "@audio - rtprio 80\n@audio - memlock unlimited");
  old.kernel("2.6.32-5-686", "#1 SMP Mon Mar 26 05:20:33 UTC 2012", "root=/dev/hda1");
  old.pc("fpu tsc", "acpi_pm").memory("0", "/dev/hda2 partition 8 0 -1", "");
  old.put("/proc/stat", "cpu  100 0 100 9800 0 0 0");
  old.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "ondemand");
  old.special("/dev/rtc", 0660).put("/sys/class/rtc/rtc0/max_user_freq", "64");
  old.special("/dev/snd/pcmC0D0p", 0660);
  old.disk("hda", "noop anticipatory deadline [cfq]", "1", "rw - ext3 /dev/hda rw,data=journal").card();
}

}  // namespace xrunlab::test
