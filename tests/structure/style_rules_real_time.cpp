#include <algorithm>
#include <array>
#include <regex>
#include <vector>

#include "tests/structure/function_lengths.hpp"
#include "tests/structure/style_rules.hpp"

namespace xrunlab::structure {
namespace {

constexpr std::array<std::string_view, 2> kBanners{
    "// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make "
    "unplanned system calls.",
    "// Real-time: this file runs on JACK's process thread; it must not allocate, lock, print or make "
    "unplanned system calls."};

constexpr std::array kRequired{
    "ringbuffer/block_ring.hpp",  "src/audio/convert.cpp",         "src/audio/mix.cpp",
    "src/audio/pcm_writer.cpp",   "src/engine/playback_loop.cpp",  "src/timing/recorder.cpp",
    "src/jack/output_cycles.cpp", "src/engine/cycle_playback.cpp",
};

struct Ban {
  const char* what;
  std::regex pattern;
};

const std::vector<Ban>& bans() {
  static const std::vector<Ban> table{
      {"allocates",
       std::regex("\\b(new|make_unique|make_shared)\\b|\\b(malloc|calloc|realloc|free|aligned_alloc)\\(")},
      {"grows a container",
       std::regex("(\\.|->)(push_back|emplace_back|resize|reserve|insert|emplace|append)\\(")},
      {"builds a string", std::regex("\\bstd::(string|to_string|format|\\w*stringstream)\\b")},
      {"locks", std::regex("\\bstd::(mutex|recursive_mutex|shared_mutex|lock_guard|unique_lock|scoped_lock|"
                           "condition_variable)\\b|\\bpthread_mutex_lock\\b")},
      {"prints", std::regex("\\b(v?f?printf|puts|fputs|std::cout|std::cerr|std::clog|fmt::print)\\b")},
      {"throws", std::regex("\\bthrow\\b")},
  };
  return table;
}

bool says_set_up(const std::string& comment) {
  static const std::regex allocates("\\b[Aa]llocates?\\b");
  static const std::regex denied("\\b([Nn]ever|[Nn]ot|[Nn]othing)( is)? allocate");
  return comment.find("et-up") != std::string::npos ||
         (std::regex_search(comment, allocates) && !std::regex_search(comment, denied));
}

// Lines that belong to a function whose comment says that it runs in set-up or allocates.
std::vector<bool> set_up_lines(const SourceFile& file) {
  std::vector<bool> exempt(file.lines.size() + 1, false);
  for (const auto& function : find_functions(file)) {
    std::string comment;
    for (auto line = function.first - 1; line > 0; --line) {
      const auto& text = file.lines[line - 1];
      const auto begin = text.find_first_not_of(' ');
      if (begin == std::string::npos || text.compare(begin, 2, "//") != 0) break;
      if (text.starts_with("// Real-time:")) break;
      comment = text + " " + comment;
    }
    const bool set_up = says_set_up(comment);
    for (auto line = function.first; set_up && line <= function.last; ++line) exempt[line] = true;
  }
  return exempt;
}

// The first line, or the first two where a formatter has wrapped it.
bool has_banner(const SourceFile& file) {
  if (file.lines.empty()) return false;
  const bool goes_on = file.lines.size() > 1 && file.lines[1].starts_with("// ");
  const std::string wrapped = goes_on ? file.lines[0] + file.lines[1].substr(2) : std::string();
  return std::any_of(kBanners.begin(), kBanners.end(), [&](std::string_view banner) {
    return file.lines[0] == banner || wrapped.starts_with(banner);
  });
}

}  // namespace

Findings check_real_time(const SourceTree& tree) {
  Findings findings;
  for (const auto* path : kRequired) {
    const auto* file = tree.find(path);
    if (file != nullptr && !has_banner(*file)) {
      findings.push_back({path, 1, "runs on the playback thread and must open with the real-time banner"});
    }
  }
  for (const auto& file : tree.files()) {
    if (!is_cpp(file)) continue;
    const bool opens_alike = !file.lines.empty() && file.lines.front().starts_with("// Real-time:");
    if (opens_alike && !has_banner(file))
      findings.push_back({file.path, 1, "the real-time banner is misspelt"});
    if (!opens_alike) continue;
    const auto exempt = set_up_lines(file);
    for (std::size_t index = 0; index < file.code.size(); ++index) {
      if (exempt[index + 1] || file.code[index].starts_with('#')) continue;
      for (const auto& ban : bans()) {
        std::smatch match;
        if (!std::regex_search(file.code[index], match, ban.pattern)) continue;
        findings.push_back(
            {file.path, index + 1, "real-time code " + std::string(ban.what) + ": " + match.str()});
      }
    }
  }
  return findings;
}

}  // namespace xrunlab::structure
