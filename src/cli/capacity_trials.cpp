#include "xrunlab/cli/capacity_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/block_device.hpp"
#include "xrunlab/report/capacity_text.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> device_below(const std::string& directory) {
  const std::string device = describe_storage(locate_file(directory)).block_device;
  return device.empty() ? std::vector<std::string>{} : std::vector{device};
}

/// What is over when the rights, the memory or the files of this machine do not reach, however often it is
/// tried. A process that was killed was most likely too large.
bool is_out_of_reach(const ChildRun& child) {
  return child.exit_code == static_cast<int>(ExitCode::system) || child.exit_code > 128;
}

}  // namespace

std::string refusal_of(const ChildRun& child) {
  std::string text = child.errors;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  constexpr std::string_view kMessageStart = "xrunlab: ";
  if (text.starts_with(kMessageStart)) text.erase(0, kMessageStart.size());
  return text.empty() ? fmt::format("play ended with exit code {}", child.exit_code) : text;
}

RunFolder::RunFolder(GuardProcess& guard, const std::string& named)
    : path_(named), kept_(named.empty() ? Kept::no : Kept::yes) {
  if (kept_ == Kept::yes) {
    std::error_code failure;
    if (fs::exists(path_, failure) && !fs::is_empty(path_, failure)) {
      throw Error(ExitCode::usage, "--runs: " + printable_name(path_) + " is there already and not empty",
                  "name a new directory: run files are never overwritten");
    }
    made_ = fs::create_directories(path_, failure);
    if (!failure) return;
    throw Error(ExitCode::system,
                "--runs: cannot make " + printable_name(path_) + ": " + errno_text(failure.value()),
                "name a directory that you may write to");
  }
  std::string name = (fs::temp_directory_path() / "xrunlab-capacity-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(ExitCode::system,
                "cannot make a directory for run files in " + name + ": " + errno_text(errno),
                "give --runs DIR");
  }
  path_ = name;
  guard.remove_at_end(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (kept_ == Kept::no) {
    fs::remove_all(path_, ignored);
  } else if (made_) {
    fs::remove(path_, ignored);  // while it is empty only
  }
}

fs::path RunFolder::unwritten() const {
  return path_ / "check.json";
}

fs::path RunFolder::next(const std::string& what) {
  return path_ / fmt::format("{:03}-{}.json", ++number_, what);
}

CapacityTrials::CapacityTrials(const CapacityRequest& request, CapacitySet& set, PlayChild& child,
                               RunFolder& folder, ShowProgress progress, CapacityData& found)
    : request_(request),
      set_(set),
      child_(child),
      folder_(folder),
      progress_(progress),
      found_(found),
      sampler_(device_below(found.directory)) {}

std::optional<std::int64_t> CapacityTrials::device_busy_ns() {
  const auto busy = sampler_.sample().device_busy_ns;
  return busy.empty() ? std::nullopt : busy.front();
}

std::optional<ChildRun> CapacityTrials::play(std::int64_t tracks, std::vector<std::string> words,
                                             const std::string& name) {
  const Bytes before = set_.written();
  if (!set_.grow_to(tracks)) return std::nullopt;
  found_.written_bytes += set_.written() - before;
  const auto inputs = set_.inputs(tracks);
  words.insert(words.end(), inputs.begin(), inputs.end());
  const fs::path file = folder_.next(name);
  const auto busy_before = device_busy_ns();
  ChildRun played = child_.play(words, fs::path(file).concat(".part"));
  const auto busy_after = device_busy_ns();
  if (played.interrupted) return std::nullopt;
  if (folder_.kept() && played.run) write_run_file(*played.run, file, "--runs");
  run_file_ = folder_.kept() ? file.string() : "";
  device_busy_.reset();
  if (played.run && busy_before && busy_after) {
    const auto time_ns = played.run->throughput.time_ns;
    if (time_ns > 0)
      device_busy_ = static_cast<double>(*busy_after - *busy_before) / static_cast<double>(time_ns);
  }
  return played;
}

void CapacityTrials::take_down(const RunData& run, std::int64_t value) {
  CapacityTrial trial;
  trial.value = value;
  trial.verdict = run.verdict;
  trial.verdict_line = run.verdict_line;
  trial.headroom = run.throughput.headroom;
  trial.ring_needed_frames = run.ring.ring_needed_frames;
  trial.dropouts = run.counters.dropouts;
  trial.run_file = run_file_;
  if (run.verdict == Verdict::fail) limits_[value] = capacity_limit(run, device_busy_);
  if (found_.start.empty()) found_.start = run.start;
  found_.tool = run.tool;
  found_.system = run.system;
  if (request_.by != CapacityBy::fragment) found_.fragment_frames = run.device.fragment_frames;
  for (const auto& warning : run.warnings) {
    if (std::find(found_.warnings.begin(), found_.warnings.end(), warning) == found_.warnings.end())
      found_.warnings.push_back(warning);
  }
  found_.trials.push_back(trial);
  if (progress_ == ShowProgress::no) return;
  fmt::print(stderr, "trial {:>3}   {}\n", found_.trials.size(), capacity_trial_line(found_, trial));
}

/// A ring or a fragment smaller than what has been played, which `play` or the card refuses.
bool CapacityTrials::is_too_small(const ChildRun& child, std::int64_t value) const {
  const bool refused = child.exit_code == static_cast<int>(ExitCode::usage) ||
                       child.exit_code == static_cast<int>(ExitCode::audio_device);
  const auto smaller_than = [value](const CapacityTrial& trial) { return value < trial.value; };
  return request_.by != CapacityBy::tracks && refused && !found_.trials.empty() &&
         std::all_of(found_.trials.begin(), found_.trials.end(), smaller_than);
}

std::optional<TrialView> CapacityTrials::run(std::int64_t value) {
  auto words = request_.words;
  for (auto& word : words_for(request_, value)) words.push_back(std::move(word));
  const std::int64_t tracks = request_.by == CapacityBy::tracks ? value : request_.tracks;
  const auto played = play(tracks, std::move(words), fmt::format("{}", value));
  if (!played) return std::nullopt;
  if (played->run) {
    take_down(*played->run, value);
    return capacity_view(*played->run, request_.by);
  }
  if (!is_out_of_reach(*played) && !is_too_small(*played, value))
    throw Error(static_cast<ExitCode>(played->exit_code), "play: " + refusal_of(*played));
  TrialView view;
  view.outcome = TrialOutcome::impossible;
  view.reason = refusal_of(*played);
  return view;
}

void CapacityTrials::run_unpaced(std::int64_t tracks) {
  const auto played = play(tracks, unpaced_words(request_), "unpaced");
  if (!played || !played->run || !played->run->complete) return;
  const auto& figures = played->run->throughput;
  if (figures.needed_bytes_per_s <= 0) return;
  found_.unpaced = UnpacedReading{
      tracks, figures.bytes_per_s,
      static_cast<double>(tracks) * figures.bytes_per_s / figures.needed_bytes_per_s, run_file_};
}

CapacityLimit CapacityTrials::limit_of(std::int64_t value) const {
  const auto found = limits_.find(value);
  return found == limits_.end() ? CapacityLimit{} : found->second;
}

}  // namespace xrunlab
