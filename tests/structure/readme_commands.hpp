// The commands that README.md shows and that a test runs: ```sh blocks under a line `<!-- run -->` (must exit
// 0) or
// `<!-- run exit=0,1 -->` (one of these).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

struct ReadmeBlock {
  std::size_t line = 0;  ///< of its first command, counted from 1
  std::string script;
  std::vector<int> exit_codes;
};

std::vector<ReadmeBlock> find_run_blocks(const SourceFile& readme);

/// Runs the blocks one after another with bash -eu in `directory`, with `program_directory` first in PATH;
/// what a block left there, the next one finds.
Findings run_blocks(const std::string& readme_path, const std::vector<ReadmeBlock>& blocks,
                    const std::filesystem::path& directory, const std::filesystem::path& program_directory);

}  // namespace xrunlab::structure
