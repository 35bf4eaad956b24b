#include "xrunlab/load/load_worker.hpp"

#include <sys/prctl.h>

#include <exception>

#include "xrunlab/cli/load.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/load/load_figures.hpp"

namespace xrunlab {
namespace {

constexpr int kFigures = 3;
constexpr std::int64_t kMostIndex = 1'000'000;

LoadTask task_of(const std::vector<std::string>& command) {
  LoadTask task;
  task.spec = parse_load_spec(kWorkerCommand, command.at(2));
  task.seed = static_cast<std::uint64_t>(parse_integer(kWorkerCommand, command.at(3), 0, INT64_MAX));
  task.index = static_cast<int>(parse_integer(kWorkerCommand, command.at(4), 0, kMostIndex));
  return task;
}

}  // namespace

int run_load_worker(const std::vector<std::string>& command) {
  if (command.size() == 4 && command[2] == "touch") {
    touch_own_program(static_cast<std::uint64_t>(parse_integer(kWorkerCommand, command[3], 0, INT64_MAX)));
    return 0;
  }
  if (command.size() != 5) {
    throw Error(ExitCode::usage, "load-worker is started by xrunlab itself", "use xrunlab load");
  }
  ::prctl(PR_SET_NAME, "xrunlab-load");
  const SharedFigures figures{UniqueFd(kFigures)};
  const std::atomic<bool> never{false};
  try {
    do_load(task_of(command), *figures, never);
  } catch (const Error& error) {
    figures->fail(error);
  } catch (const std::exception& error) {
    figures->fail(Error(ExitCode::system, error.what()));
  }
  return static_cast<int>(ExitCode::system);
}

}  // namespace xrunlab
