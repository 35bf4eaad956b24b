#include "xrunlab/cli/run_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/file_text.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

/// Every .json file below, by name. What may not be looked into is passed over.
std::vector<fs::path> json_files_below(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator next(directory, fs::directory_options::skip_permission_denied, error),
       end;
       !error && next != end; next.increment(error)) {
    std::error_code ignored;
    if (next->path().extension() == ".json" && next->is_regular_file(ignored)) files.push_back(next->path());
  }
  if (error) {
    throw Error(ExitCode::input_file,
                printable_name(directory) + ": cannot be looked into: " + errno_text(error.value()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether it says that it is one, near its beginning as all of ours do.
bool claims_to_be_run_file(const std::string& text) {
  return std::string_view(text).substr(0, 256).find(kRunSchema) != std::string_view::npos;
}

void read_directory(const std::string& input, ReadRuns& read) {
  bool any = false;
  for (const auto& path : json_files_below(input)) {
    const std::string text = read_run_text(path);
    if (!claims_to_be_run_file(text)) continue;
    any = true;
    const std::string shown = printable_text(path.string());
    try {
      read.runs.push_back(summarise_run(run_from_json(text, shown), shown, printable_text(input)));
    } catch (const Error& error) {
      read.not_read.push_back({shown, error.what()});
    }
  }
  if (any) return;
  throw Error(ExitCode::input_file, printable_text(input) + ": there is no run file in it",
              "play --json=FILE writes one");
}

}  // namespace

std::string read_run_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // A directory can be opened, but not read.
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) {
    throw Error(ExitCode::input_file, printable_name(path) + ": cannot be read: " + errno_text(errno),
                "name run files that play --json=FILE has written, or directories of them");
  }
  return text;
}

ReadRuns read_run_files(const std::vector<std::string>& inputs) {
  ReadRuns read;
  for (const auto& input : inputs) {
    std::error_code ignored;
    if (fs::is_directory(input, ignored)) {
      read_directory(input, read);
      continue;
    }
    const std::string shown = printable_text(input);
    const auto folder = fs::path(input).parent_path().string();
    read.runs.push_back(summarise_run(run_from_json(read_run_text(input), shown), shown,
                                      folder.empty() ? "." : printable_text(folder)));
  }
  return read;
}

}  // namespace xrunlab
