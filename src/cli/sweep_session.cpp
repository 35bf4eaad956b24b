#include "xrunlab/cli/sweep_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "xrunlab/cli/sweep_request.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/setting_catalogue.hpp"

namespace xrunlab {
namespace {

std::vector<std::string> first_combination(const SweepManifest& sweep) {
  std::vector<std::string> values;
  for (const auto& axis : sweep.axes) values.push_back(axis.values.front());
  return values;
}

/// `scheduler=all`, by the disks below what the first combination plays.
void resolve_schedulers(SweepManifest& sweep) {
  for (auto& axis : sweep.axes) {
    if (axis.key != "scheduler" || axis.values != std::vector<std::string>{"all"}) continue;
    const auto words = sweep_play_words(sweep.play, settings_of(sweep, first_combination(sweep)));
    const auto targets = targets_of_files(preview_play(words).files);
    axis.values = scheduler_choices(targets.disks);
  }
}

/// A line of the child without what every process says before one, and with the option that gave it its
/// place.
std::string in_our_words(std::string line) {
  constexpr std::string_view kName = "xrunlab: ";
  if (line.starts_with(kName)) line.erase(0, kName.size());
  const std::string_view option = kJsonOption;
  if (const auto at = line.find(option); at != std::string::npos) line.replace(at, option.size(), "-o");
  return line;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// What the same words for play come to.
struct RehearsedWords {
  SweepPreview preview;
  SettingContext context;
};

RehearsedWords rehearse_words(const std::vector<std::string>& words,
                              const std::function<void()>& checkpoint) {
  RehearsedWords rehearsed;
  rehearsed.preview = preview_play(words, checkpoint);
  rehearsed.context = {targets_of_files(rehearsed.preview.files),
                       rehearsed.preview.reads == SweepReads::direct ? ReadKind::direct : ReadKind::buffered};
  return rehearsed;
}

}  // namespace

SweepSetup set_up_sweep(const SweepManifest& manifest, const std::function<void()>& checkpoint) {
  SweepSetup setup;
  setup.manifest = manifest;
  resolve_schedulers(setup.manifest);
  setup.plan = plan_sweep(setup.manifest);
  std::map<std::vector<std::string>, RehearsedWords> rehearsed;
  std::vector<std::filesystem::path> files;
  Nanoseconds length{};
  bool all_too_short = true;
  for (const auto& combination : setup.plan.combinations) {
    checkpoint();
    const auto settings = settings_of(setup.manifest, combination);
    const auto words = sweep_play_words(setup.manifest.play, settings);
    const auto [place, is_new] = rehearsed.try_emplace(words);
    auto& [preview, context] = place->second;
    try {
      if (is_new) place->second = rehearse_words(words, checkpoint);
      const auto machine = machine_settings(settings);
      setup.inert.push_back(check_inert(machine, context, setup.manifest.force_inert));
      setup.settings.push_back(settable_settings(machine, setup.inert.back()));
    } catch (const Error& error) {
      const auto text = combination_text(setup.manifest, combination);
      if (setup.manifest.axes.empty() || std::string_view(error.what()).starts_with(text + " ")) throw;
      throw Error(error.code(), text + ": " + error.what(), error.remedy());
    }
    if (is_new) files.insert(files.end(), preview.files.begin(), preview.files.end());
    setup.words.push_back(words);
    length += preview.length;
    all_too_short = all_too_short && preview.length.count() > 0 && preview.length < preview.least;
    setup.least_length = std::max(setup.least_length, preview.least);
  }
  if (!all_too_short) setup.least_length = {};
  setup.targets = targets_of_files(files);
  setup.run_length = length / static_cast<std::int64_t>(setup.plan.combinations.size());
  return setup;
}

SweepSession::SweepSession(const SweepSetup& setup, const SweepDirectory& directory, SweepMachine& machine,
                           GuardProcess& guard, const Signals& signals, SweepReport& report)
    : setup_(setup),
      directory_(directory),
      signals_(signals),
      report_(report),
      machine_(machine),
      child_(guard, signals, [&report] { report.look(); }) {}

std::string SweepSession::name_of_run(const SweepRun& run) const {
  return sweep_file_name(setup_.plan, run);
}

std::string SweepSession::combination_of(const SweepRun& run) const {
  return combination_text(setup_.manifest, setup_.plan.combinations[run.combination]);
}

std::set<int> SweepSession::recorded() const {
  std::set<int> numbers;
  for (const auto& run : setup_.plan.runs) {
    if (directory_.holds(name_of_run(run))) numbers.insert(run.number);
  }
  return numbers;
}

ExperimentInfo SweepSession::info(const SweepRun& run) const {
  ExperimentInfo info;
  info.sweep_id = setup_.manifest.id;
  info.seed = setup_.manifest.seed;
  info.block = run.block - 1;
  info.combination = static_cast<std::int64_t>(run.combination);
  info.planned_runs = setup_.manifest.runs;
  info.warmup = run.phase == SweepPhase::warm_up;
  const auto settings = settings_of(setup_.manifest, setup_.plan.combinations[run.combination]);
  for (std::size_t index = 0; index < settings.size(); ++index) {
    auto& list = index < setup_.manifest.axes.size() ? info.varied : info.fixed;
    list.push_back(machine_.describe(settings[index], setup_.inert[run.combination]));
  }
  return info;
}

SweepEnd SweepSession::fail(const SweepRun& run, const ChildRun& child, const std::string& command) {
  const auto lines = lines_of(child.errors);
  std::string text = fmt::format("run: {} ({})\ncommand: {}\nexit code: {}\n", run.number,
                                 combination_of(run), command, child.exit_code);
  if (child.run) text += "result: " + child.run->verdict_line + "\n";
  directory_.record_failure(name_of_run(run), text + child.errors);
  const std::string why = lines.empty() ? "" : ": " + in_our_words(lines.back());
  failure_.emplace(
      static_cast<ExitCode>(child.exit_code == 0 ? static_cast<int>(ExitCode::system) : child.exit_code),
      fmt::format("run {} ({}) failed with exit code {}{}", run.number, combination_of(run), child.exit_code,
                  why));
  return SweepEnd::failed;
}

SweepEnd SweepSession::make(const SweepRun& run, const SweepProgress& progress) {
  report_.begin(run, progress, combination_of(run));
  const auto granted_otherwise = machine_.apply(run.combination);
  for (const auto& line : granted_otherwise) report_.warn(line);
  if (!setup_.manifest.prepare.empty()) {
    ChildRun prepared = child_.prepare(setup_.manifest.prepare);
    if (prepared.interrupted) return SweepEnd::interrupted;
    if (prepared.exit_code != 0) {
      const auto end = fail(run, prepared, "--prepare " + setup_.manifest.prepare);
      failure_.emplace(ExitCode::system, fmt::format("run {} ({}): --prepare failed with exit code {}",
                                                     run.number, combination_of(run), prepared.exit_code));
      return end;
    }
  }
  const auto& words = setup_.words[run.combination];
  ChildRun child = child_.play(words, directory_.draft(name_of_run(run)));
  if (child.interrupted || signals_.caught() != 0) return SweepEnd::interrupted;
  constexpr int kLimitBroken = static_cast<int>(ExitCode::limit_broken);
  if (!child.run || child.exit_code < 0 || child.exit_code > kLimitBroken) {
    std::string command = "xrunlab play";
    for (const auto& word : words) command += " " + word;
    return fail(run, child, command);
  }
  constexpr std::string_view kWarning = "xrunlab: warning: ";
  for (const auto& line : lines_of(child.errors)) {
    if (line.starts_with(kWarning)) report_.warn(line.substr(kWarning.size()));
  }
  child.run->cmdline = {"xrunlab", "play"};
  child.run->cmdline.insert(child.run->cmdline.end(), words.begin(), words.end());
  child.run->experiment = info(run);
  child.run->warnings.insert(child.run->warnings.end(), granted_otherwise.begin(), granted_otherwise.end());
  directory_.record(name_of_run(run), *child.run);
  report_.end(child.run->verdict_line);
  return SweepEnd::complete;
}

}  // namespace xrunlab
