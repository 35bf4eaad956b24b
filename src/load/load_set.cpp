#include "xrunlab/load/load_set.hpp"

#include "running_load.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kLook = std::chrono::milliseconds{10};
// Long enough to see that a load works, and whether it keeps its rate.
constexpr Nanoseconds kTrial = std::chrono::milliseconds{500};

[[noreturn]] void refuse(RunningLoad& load, const std::string& fault) {
  throw Error(ExitCode::system, "the load '" + load.spec().text + "' is dead: " + fault, load.remedy());
}

}  // namespace

LoadSet::LoadSet(GuardProcess& guard, std::vector<LoadSpec> specs, LoadSettings settings)
    : guard_(guard), specs_(std::move(specs)), settings_(std::move(settings)) {}

LoadSet::~LoadSet() = default;

bool LoadSet::start(const std::function<bool(Nanoseconds)>& interrupted_within) {
  // One after the other: each sees the room on the disk that those before it have left.
  for (const auto& spec : specs_) {
    running_.push_back(
        std::make_unique<RunningLoad>(guard_, spec, settings_, static_cast<int>(running_.size())));
    RunningLoad& load = *running_.back();
    while (!load.at_work()) {
      if (const std::string fault = load.fault(); !fault.empty()) refuse(load, fault);
      settings_.preparing(spec.text, load.prepared_bytes());
      if (interrupted_within(kLook)) return false;
    }
  }
  begin();
  if (interrupted_within(kTrial)) return false;
  for (const auto& load : running_) {
    // Idle for long counts as a fault.
    do {
      if (const std::string fault = load->data().error; !fault.empty()) refuse(*load, fault);
    } while (!load->has_worked() && !interrupted_within(kLook));
    if (!load->has_worked()) return false;
  }
  return true;
}

void LoadSet::begin() {
  for (const auto& load : running_) load->begin();
}

std::string LoadSet::dead() {
  for (const auto& load : running_) {
    if (const std::string fault = load->fault(); !fault.empty()) return fault;
  }
  return {};
}

std::vector<std::string> LoadSet::shortfalls() {
  std::vector<std::string> lines;
  for (const auto& load : running_) {
    if (!load->fault().empty()) continue;
    if (const std::string line = load->shortfall(); !line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<LoadData> LoadSet::finish() {
  // All are counted before the first is stopped: none is alone at work for a while.
  std::vector<LoadData> loads;
  for (const auto& load : running_) loads.push_back(load->data());
  for (std::size_t index = 0; index < loads.size(); ++index) {
    running_[index]->stop();
    if (!is_own(running_[index]->spec().kind)) loads[index].output = running_[index]->output();
  }
  return loads;
}

std::string LoadSet::name() const {
  std::string text;
  for (const auto& spec : specs_) text += (text.empty() ? "" : " + ") + spec.text;
  return text;
}

}  // namespace xrunlab
