#include "xrunlab/platform/virtualization.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cstring>

#include "xrunlab/platform/container.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

struct Sign {
  std::string_view text;
  std::string_view name;
};

/// The hypervisor's signature in CPUID leaf 0x40000000; "" without one, or where there is no CPUID.
std::string_view from_cpuid() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned eax = 0;
  unsigned words[3] = {};
  __cpuid(0x40000000u, eax, words[0], words[1], words[2]);
  char signature[13] = {};
  std::memcpy(signature, words, 12);
  constexpr Sign kSigns[] = {{"KVMKVMKVM", "kvm"},       {"TCGTCGTCGTCG", "qemu"},
                             {"VMwareVMware", "vmware"}, {"VBoxVBoxVBox", "virtualbox"},
                             {"Microsoft Hv", "hyperv"}, {"XenVMMXenVMM", "xen"},
                             {"bhyve bhyve ", "bhyve"}};
  for (const Sign& sign : kSigns) {
    if (sign.text == std::string_view(signature)) return sign.name;
  }
#endif
  return "";
}

/// The names that a virtual machine's firmware gives itself.
std::string_view from_firmware(const SysRoot& root) {
  constexpr Sign kSigns[] = {{"Amazon EC2", "kvm"},
                             {"KVM", "kvm"},
                             {"Google Compute", "kvm"},
                             {"OpenStack", "kvm"},
                             {"QEMU", "qemu"},
                             {"VMware", "vmware"},
                             {"VirtualBox", "virtualbox"},
                             {"innotek GmbH", "virtualbox"},
                             {"Xen", "xen"},
                             {"BHYVE", "bhyve"},
                             {"Virtual Machine", "hyperv"},
                             {"Parallels", "parallels"}};
  for (const char* const file : {"product_name", "sys_vendor", "board_vendor", "bios_vendor"}) {
    const auto text = root.read(std::string("/sys/class/dmi/id/") + file);
    if (!text) continue;
    for (const Sign& sign : kSigns) {
      if (text->find(sign.text) != std::string::npos) return sign.name;
    }
  }
  return "";
}

bool is_firecracker(const SysRoot& root) {
  const std::string table = root.read("/sys/firmware/acpi/tables/FACP").value_or("");
  return table.find("FIRECK") != std::string::npos ||
         root.read("/proc/cmdline").value_or("").find("firecracker") != std::string::npos;
}

bool has_hypervisor_flag(const SysRoot& root) {
  const std::string text = root.read("/proc/cpuinfo").value_or("");
  const auto flags = split_words(value_of(text, "flags").value_or(""));
  return std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
}

std::string hypervisor(const SysRoot& root) {
  const bool flagged = has_hypervisor_flag(root);
  if (flagged && is_firecracker(root)) return "firecracker";
  if (flagged && !root.is_fake()) {
    if (const auto name = from_cpuid(); !name.empty()) return std::string(name);
  }
  // EC2's bare-metal machines call themselves "Amazon EC2" too; they have no hypervisor flag.
  const std::string_view firmware = from_firmware(root);
  const bool x86 = root.read("/proc/cpuinfo").value_or("").find("\nflags") != std::string::npos;
  if (!firmware.empty() && (flagged || !x86)) return std::string(firmware);
  if (root.read("/sys/hypervisor/type").value_or("") == "xen") return "xen";
  return flagged ? "vm" : "none";
}

}  // namespace

std::string describe_virtualization(const SysRoot& root) {
  const std::string machine = hypervisor(root);
  const auto container = container_name(root);
  if (!container) return machine;
  return "container " + *container + (machine == "none" ? "" : " (" + machine + ")");
}

}  // namespace xrunlab
