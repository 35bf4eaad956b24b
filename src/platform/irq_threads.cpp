#include "xrunlab/platform/irq_threads.hpp"

#include <sched.h>

#include <algorithm>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kIrqPrefix = "irq/";  // "irq/31-snd_hda_intel:card0", older kernels cut it off

/// Which buses sound cards are on that share their host's interrupt.
struct CardBuses {
  bool usb = false;
  bool firewire = false;
};

CardBuses buses_of_cards(const SysRoot& root) {
  CardBuses buses;
  constexpr std::string_view kCards = "/sys/class/sound";
  for (const std::string& name : root.list(kCards)) {
    if (!name.starts_with("card")) continue;
    const auto link = root.read_link(std::string(kCards) + "/" + name);
    if (!link) continue;
    buses.usb = buses.usb || link->find("/usb") != std::string::npos;
    buses.firewire = buses.firewire || link->find("/fw") != std::string::npos;
  }
  return buses;
}

/// The drivers of an interrupt, "31: 12 34 PCI-MSI 1-edge snd_hda_intel:card0": the whole line will do.
std::string line_of_interrupt(std::int64_t number, std::string_view interrupts) {
  return std::string(value_of(interrupts, std::to_string(number)).value_or(""));
}

bool serves_card(const std::string& names, const CardBuses& buses) {
  const auto has = [&names](std::string_view part) { return names.find(part) != std::string::npos; };
  return has("snd") || (buses.usb && (has("hcd") || has("dwc"))) || (buses.firewire && has("firewire"));
}

std::string policy_text(std::int64_t policy) {
  switch (policy) {
    case SCHED_FIFO:
      return "SCHED_FIFO";
    case SCHED_RR:
      return "SCHED_RR";
    case SCHED_OTHER:
      return "SCHED_OTHER";
    default:
      return "policy " + std::to_string(policy);
  }
}

/// Fields 40 and 41 of proc(5)'s stat; the name in brackets may hold anything, so counted from its end.
void read_priority(const std::string& directory, IrqThread& thread, const SysRoot& root) {
  constexpr std::size_t kPriority = 40 - 3;
  constexpr std::size_t kPolicy = 41 - 3;
  const std::string stat = root.read(directory + "/stat").value_or("");
  const auto words = split_words(std::string_view(stat).substr(std::min(stat.rfind(')') + 1, stat.size())));
  thread.priority = number_at(words, kPriority).value_or(0);
  thread.policy = policy_text(number_at(words, kPolicy).value_or(0));
}

}  // namespace

bool kernel_threads_listed(const SysRoot& root) {
  return root.read("/proc/2/comm") == "kthreadd";
}

std::vector<IrqThread> read_irq_threads(const SysRoot& root) {
  const CardBuses buses = buses_of_cards(root);
  // The numbers are indented.
  std::string interrupts;
  const std::string table = root.read("/proc/interrupts").value_or("");
  for (const std::string_view line : split_at(table, '\n')) {
    interrupts.append(line.substr(std::min(line.find_first_not_of(' '), line.size()))).append("\n");
  }
  std::vector<IrqThread> threads;
  for (const std::string& entry : root.list("/proc")) {
    const auto pid = leading_number(entry);
    if (!pid) continue;
    IrqThread thread{.pid = *pid};
    thread.name = root.read("/proc/" + entry + "/comm").value_or("");
    const auto number =
        leading_number(std::string_view(thread.name).substr(std::min(kIrqPrefix.size(), thread.name.size())));
    if (!thread.name.starts_with(kIrqPrefix) || !number) continue;
    read_priority("/proc/" + entry, thread, root);
    thread.of_card = serves_card(thread.name + " " + line_of_interrupt(*number, interrupts), buses);
    threads.push_back(std::move(thread));
  }
  std::sort(threads.begin(), threads.end(),
            [](const auto& one, const auto& other) { return one.pid < other.pid; });
  return threads;
}

}  // namespace xrunlab
