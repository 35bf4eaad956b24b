#include "xrunlab/cli/play_child.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

// Asking the guard more often would itself be a load.
constexpr Nanoseconds kPlayLook = std::chrono::milliseconds{100};
// From SIGTERM: it writes its run file and removes what it made.
constexpr Nanoseconds kPlayPatience = std::chrono::seconds{10};
constexpr const char* kMessageStart = "xrunlab: ";

std::string text_printed(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return {};
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string last_message(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  if (text.starts_with(kMessageStart)) text.erase(0, std::string(kMessageStart).size());
  return text;
}

std::optional<RunData> read_played(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return run_from_json(text, path.string());
}

}  // namespace

std::optional<PlayedRun> PlayChild::play(const std::vector<std::string>& words,
                                         const std::filesystem::path& run_file) {
  const UniqueFd messages(::memfd_create("xrunlab-play-messages", MFD_CLOEXEC));
  if (!messages)
    throw Error(ExitCode::system, "cannot make memory for a run's messages: " + errno_text(errno));
  std::error_code ignored;
  std::filesystem::remove(run_file, ignored);
  ProgramStart start;
  start.program = "/proc/self/exe";
  start.argv = {"xrunlab", "play"};
  start.argv.insert(start.argv.end(), words.begin(), words.end());
  start.argv.insert(start.argv.end(), {"--quiet", "--json=" + run_file.string()});
  start.err = messages.get();
  start.patience = kPlayPatience;
  const ProgramId program = guard_.start(start);
  ProgramState state = guard_.state(program);
  while (state.alive) {
    if (signals_.wait_for(kPlayLook)) {
      guard_.stop(program);
      return std::nullopt;
    }
    state = guard_.state(program);
  }
  if (signals_.caught() != 0) return std::nullopt;
  return PlayedRun{read_played(run_file), state.exit_code, last_message(text_printed(messages.get()))};
}

}  // namespace xrunlab
