#include "xrunlab/cli/disk.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/block_device.hpp"
#include "xrunlab/report/disk_text.hpp"

namespace xrunlab {
namespace {

/// Without it nothing could be told of any file.
void check_mount_table() {
  constexpr const char* kMounts = "/proc/self/mountinfo";
  const SysRoot root;
  if (root.exists(kMounts)) return;
  throw Error(ExitCode::input_file, root.path(kMounts) + " is not there",
              root.is_fake() ? "XRUNLAB_SYSROOT names a copy of a machine's /proc and /sys" : "mount /proc");
}

}  // namespace

CLI::App* add_disk(CLI::App& app, DiskOptions& options) {
  auto* const disk = app.add_subcommand("disk", "Show which file system and disks files are on");
  disk->add_option("FILE", options.files, "Files, directories, or disks themselves (/dev/sda)")->required();
  add_json_option(*disk, options.json, "As JSON");
  disk->footer(
      "Tells the file system with its options, the way from there to the disks (through\n"
      "partitions, LVM, RAID, loop devices, btrfs), and every setting of each queue.\n"
      "The files are not read, nothing is changed. docs/disk.md explains the JSON.\n"
      "Exit codes: 0 all files were found, on a disk or not; 2 usage; 3 the output\n"
      "failed; 4 a file cannot be looked at.\n"
      "\n"
      "Example:\n"
      "  xrunlab disk ~/music --json | jq -r '.devices[].settings.scheduler'\n");
  return disk;
}

ExitCode run_disk(const DiskOptions& options) {
  const bool to_file = names_file(options.json);
  check_json_option(options.json);
  check_mount_table();
  ExitCode code = ExitCode::ok;
  std::string troubles;
  std::vector<FileLocation> found;
  for (const auto& file : options.files) {
    if (file.empty()) throw Error(ExitCode::usage, "FILE is an empty name", "name a file or a directory");
    if (to_file) check_not_this_input("--json", options.json, file);
    try {
      found.push_back(locate_file(file));
    } catch (const Error& error) {
      code = error.code();
      troubles += fmt::format("xrunlab: {}\n", error.what());
    }
  }
  DiskData disks = describe_disks(found);
  disks.version = XRUNLAB_VERSION;
  if (options.json == "-") print_out(to_json(disks));
  if (options.json.empty()) print_out(disk_text(disks));
  flush_out();
  fmt::print(stderr, "{}", troubles);
  if (to_file) write_json_file(to_json(disks), options.json);
  return exit_code_after_output(code);
}

}  // namespace xrunlab
