#include "xrunlab/cli/output_files.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "xrunlab/audio/sim_options.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/timing/trace_format.hpp"

namespace xrunlab {
namespace {

bool is_trace(const std::filesystem::path& path) {
  std::array<char, kTraceMagic.size()> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file && std::string_view(start.data(), start.size()) == kTraceMagic;
}

void check_not_an_input(const char* option, const std::filesystem::path& output,
                        const std::vector<AudioFile>& inputs) {
  for (const auto& input : inputs) check_not_this_input(option, output, input.path);
}

/// Without creating it. `code`: what the run would exit with.
void check_place(const char* option, const std::filesystem::path& output, ExitCode code) {
  if (::access(output.c_str(), W_OK) == 0) return;
  if (errno == ENOENT) {
    const auto folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
    if (::access((folder / "").c_str(), W_OK | X_OK) == 0) return;
  }
  throw Error(
      code,
      std::string(option) + ": cannot write " + printable_text(output.string()) + ": " + errno_text(errno),
      "name a file in a folder that is there and that you may write to");
}

void check_trace_output(const std::filesystem::path& output) {
  std::error_code ignored;
  const auto status = std::filesystem::status(output, ignored);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_character_file(status)) return;  // /dev/null and /dev/full never block
  if (!std::filesystem::is_regular_file(status)) {
    throw Error(ExitCode::usage, "--record: " + printable_name(output) + " is no regular file",
                "give a file to write to");
  }
  if (std::filesystem::file_size(output, ignored) > 0 && !is_trace(output)) {
    throw Error(ExitCode::usage, "--record: " + printable_name(output) + " is there already and is no trace",
                "remove it, or give another name");
  }
}

}  // namespace

void check_not_this_input(const char* option, const std::filesystem::path& output,
                          const std::filesystem::path& input) {
  std::error_code ignored;
  if (!std::filesystem::equivalent(output, input, ignored)) return;
  throw Error(ExitCode::usage, std::string(option) + ": " + printable_name(output) + " is one of the inputs",
              "give a file of another name: it would be overwritten");
}

void check_outputs(const PlayOptions& options, const std::vector<AudioFile>& inputs) {
  if (names_file(options.json)) check_not_an_input("--json", options.json, inputs);
  if (!options.record.empty()) {
    check_not_an_input("--record", options.record, inputs);
    check_trace_output(options.record);
    check_place("--record", options.record, ExitCode::system);
  }
  constexpr std::string_view kSimulated = "sim:";
  if (options.device.starts_with(kSimulated)) {
    const auto capture =
        parse_sim_options(std::string_view(options.device).substr(kSimulated.size())).capture;
    if (capture.empty()) return;
    check_not_an_input("capture=", capture, inputs);
    std::error_code ignored;
    const auto status = std::filesystem::status(capture, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      throw Error(ExitCode::usage, "capture=: " + printable_text(capture) + " is no regular file",
                  "give a file to write to");
    }
    check_place("capture=", capture, ExitCode::audio_device);
  }
}

}  // namespace xrunlab
