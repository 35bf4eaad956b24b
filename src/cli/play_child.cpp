#include "xrunlab/cli/play_child.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/file_text.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kChildLook = std::chrono::milliseconds{100};
// Time for a report while a read hangs; what is left then is killed.
constexpr Nanoseconds kChildPatience = std::chrono::seconds{10};

/// Takes what a process prints, in memory: nothing is written to the disk that is measured.
UniqueFd text_in_memory() {
  UniqueFd fd(::memfd_create("xrunlab-play-messages", MFD_CLOEXEC));
  if (!fd) throw Error(ExitCode::system, "cannot keep a run's messages in memory: " + errno_text(errno));
  return fd;
}

std::string text_in(const UniqueFd& fd) {
  std::string text;
  std::array<char, 4096> part{};
  ssize_t got = 0;
  while ((got = ::pread(fd.get(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

std::optional<RunData> take_run(const std::filesystem::path& draft) {
  const auto text = file_text(draft.c_str());
  if (!text) return std::nullopt;
  std::filesystem::remove(draft);
  return run_from_json(*text, draft.string());
}

}  // namespace

PlayChild::PlayChild(GuardProcess& guard, const Signals& signals, std::function<void()> looking)
    : guard_(guard), signals_(signals), looking_(std::move(looking)) {}

ChildRun PlayChild::play(const std::vector<std::string>& words, const std::filesystem::path& draft) {
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  const UniqueFd errors = text_in_memory();
  ProgramStart start;
  start.argv = {"xrunlab", "play", "--quiet", "--json=" + draft.string()};
  start.argv.insert(start.argv.end(), words.begin(), words.end());
  // Whatever is installed over the program meanwhile: all runs are made by the same one.
  start.program = "/proc/self/exe";
  start.err = errors.get();
  start.patience = kChildPatience;
  ChildRun result = wait_for(guard_.start(start));
  result.errors = text_in(errors);
  result.run = take_run(draft);
  return result;
}

ChildRun PlayChild::prepare(const std::string& command) {
  ProgramStart start;
  start.argv = {"/bin/sh", "-c", command};
  start.out = STDERR_FILENO;
  start.err = STDERR_FILENO;
  return wait_for(guard_.start(start));
}

ChildRun PlayChild::wait_for(ProgramId program) {
  ChildRun result;
  ProgramState state = guard_.state(program);
  while (state.alive) {
    if (signals_.wait_for(kChildLook)) {
      result.interrupted = true;
      state = guard_.stop(program);
      break;
    }
    if (looking_) looking_();
    state = guard_.state(program);
  }
  result.exit_code = state.exit_code;
  return result;
}

}  // namespace xrunlab
