// Plays a set with one slow page and writes the run file; for scripts/truth. Prints when the page was armed,
// in seconds of CLOCK_MONOTONIC. Exit codes are xrunlab's.
//
//   slow_page_play DIRECTORY AT DELAY LENGTH RUN_FILE

#include <cstdio>

#include "tests/engine/timed/slow_page_play.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run_file.hpp"

namespace xrunlab::test {
namespace {

void play(char** arguments) {
  StreamRequest asked;
  for (const auto& file : expand_inputs({arguments[1]})) asked.files.push_back(open_audio_file(file));
  asked.card.device = "sim";
  asked.card.channels = 2;
  asked.card.buffer = 4096;
  asked.duration = parse_duration("LENGTH", arguments[4]);
  const auto played =
      play_with_slow_page(asked, parse_duration("AT", arguments[2]), parse_duration("DELAY", arguments[3]));
  write_run_file(played.run, arguments[5]);
  std::printf("%.6f\n", static_cast<double>(played.armed.count()) * 1e-9);
}

}  // namespace
}  // namespace xrunlab::test

int main(int argc, char** argv) {
  try {
    if (argc != 6) throw xrunlab::Error(xrunlab::ExitCode::usage, "takes DIRECTORY AT DELAY LENGTH RUN_FILE");
    xrunlab::test::play(argv);
    return 0;
  } catch (const xrunlab::Error& error) {
    std::fprintf(stderr, "slow_page_play: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
