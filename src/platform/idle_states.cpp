#include "xrunlab/platform/idle_states.hpp"

#include <algorithm>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr const char* kCpuDirectory = "/sys/devices/system/cpu";

void add_state(std::vector<IdleState>& states, const std::string& directory, const SysRoot& root) {
  if (root.read_integer(directory + "/disable").value_or(0) != 0) return;
  const std::string name = root.read(directory + "/name").value_or(base_name(directory));
  const auto latency = root.read_integer(directory + "/latency").value_or(-1);
  const auto known =
      std::find_if(states.begin(), states.end(), [&name](const auto& state) { return state.name == name; });
  if (known == states.end()) {
    states.push_back({name, latency});
  } else if (known->exit_latency_us >= 0) {
    known->exit_latency_us = latency < 0 ? latency : std::max(known->exit_latency_us, latency);
  }
}

}  // namespace

std::string idle_driver(const SysRoot& root) {
  return root.read(std::string(kCpuDirectory) + "/cpuidle/current_driver").value_or("");
}

std::vector<IdleState> allowed_idle_states(const SysRoot& root) {
  std::vector<IdleState> states;
  for (const std::string& cpu : root.list(kCpuDirectory)) {
    const std::string directory = std::string(kCpuDirectory) + "/" + cpu + "/cpuidle";
    if (!cpu.starts_with("cpu") || cpu == "cpuidle") continue;
    for (const std::string& state : root.list(directory)) add_state(states, directory + "/" + state, root);
  }
  std::stable_sort(states.begin(), states.end(), [](const auto& one, const auto& other) {
    return one.exit_latency_us < other.exit_latency_us;
  });
  return states;
}

}  // namespace xrunlab
