#include "tests/structure/readme_commands.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace xrunlab::structure {
namespace {

std::vector<int> parse_codes(const std::string& text) {
  std::vector<int> codes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) codes.push_back(std::stoi(word));
  return codes.empty() ? std::vector<int>{0} : codes;
}

std::string quoted(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

std::string last_lines(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  constexpr std::size_t kShown = 1500;
  return text.substr(text.size() > kShown ? text.size() - kShown : 0);
}

}  // namespace

std::vector<ReadmeBlock> find_run_blocks(const SourceFile& readme) {
  static const std::regex marker("<!-- run(?: exit=([0-9,]+))? -->");
  std::vector<ReadmeBlock> blocks;
  for (std::size_t index = 0; index + 1 < readme.lines.size(); ++index) {
    std::smatch match;
    if (!std::regex_match(readme.lines[index], match, marker) || readme.lines[index + 1] != "```sh") continue;
    ReadmeBlock block{index + 3, {}, parse_codes(match[1])};
    for (index += 2; index < readme.lines.size() && readme.lines[index] != "```"; ++index) {
      block.script += readme.lines[index] + "\n";
    }
    blocks.push_back(block);
  }
  return blocks;
}

Findings run_blocks(const std::string& readme_path, const std::vector<ReadmeBlock>& blocks,
                    const std::filesystem::path& directory, const std::filesystem::path& program_directory) {
  Findings findings;
  const auto script = directory / ".block.sh";
  const auto output = directory / ".block.out";
  for (const auto& block : blocks) {
    std::ofstream(script) << block.script;
    const auto command = "cd " + quoted(directory) + " && PATH=" + quoted(program_directory) +
                         ":\"$PATH\" bash -eu " + quoted(script) + " >" + quoted(output) + " 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (std::find(block.exit_codes.begin(), block.exit_codes.end(), code) != block.exit_codes.end()) continue;
    findings.push_back({readme_path, block.line,
                        "the commands exit with " + std::to_string(code) + ":\n" + last_lines(output)});
  }
  return findings;
}

}  // namespace xrunlab::structure
