#include "tests/structure/layer_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace xrunlab::structure {
namespace {

using Rooms = std::set<std::string>;

const std::map<std::string, Rooms>& allowed_rooms() {
  static const std::map<std::string, Rooms> table{
      {"ringbuffer", {}},
      {"core", {}},
      {"timing", {"core", "ringbuffer"}},
      {"model", {"core", "timing"}},
      {"platform", {"core", "model"}},
      {"disk", {"core", "ringbuffer", "timing", "model"}},
      {"audio", {"core", "timing", "model"}},
      {"jack", {"core", "timing", "model", "platform", "audio"}},
      {"load", {"core", "ringbuffer", "model", "platform", "disk", "jack"}},
      {"engine", {"core", "ringbuffer", "timing", "model", "platform", "disk", "audio", "jack"}},
      {"import", {"core", "timing", "model"}},
      {"experiment", {"core", "timing", "model"}},
      {"report", {"core", "timing", "model"}},
      {"cli",
       {"core", "ringbuffer", "timing", "model", "platform", "disk", "audio", "jack", "load", "engine",
        "import", "experiment", "report"}},
  };
  return table;
}

struct Library {
  std::string name;
  std::regex header;
  Rooms rooms;
  bool in_headers = false;  // may also stand in a public header of its rooms
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> table{
      // Header-only rings have no .cpp to hide it in, and a stranger to ringbuffer needs it anyway.
      {"Boost.Lockfree", std::regex("boost/lockfree/.*"), {"ringbuffer"}, true},
      {"Boost.Math", std::regex("boost/math/.*"), {"model", "experiment"}},
      {"Boost", std::regex("boost/.*"), {}},
      {"alsa-lib", std::regex("alsa/.*|asoundlib\\.h"), {"audio"}},
      {"libjack", std::regex("jack/.*"), {}},  // found at run time, by declarations of our own
      {"Highway", std::regex("hwy/.*"), {"audio"}},
      {"liburing", std::regex("liburing(\\.h|/.*)"), {"disk", "load"}},
      {"libsndfile", std::regex("sndfile\\.(h|hh)"), {"disk"}},
      {"zlib", std::regex("zlib\\.h"), {"platform"}},
      {"nlohmann-json", std::regex("nlohmann/.*"), {"model", "import", "report"}},
      {"fmt", std::regex("fmt/.*"), {"report", "cli"}},
      {"CLI11", std::regex("CLI/.*"), {"cli"}, true},
      {"libfuse3", std::regex("fuse.*"), {}},
      {"GoogleTest", std::regex("g(test|mock)/.*"), {}},
  };
  return table;
}

struct Include {
  std::string header;
  bool quoted = false;
};

std::optional<Include> parse_include(const std::string& line) {
  static const std::regex pattern("\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

// The room that an included header of ours belongs to; empty for anything else.
std::string included_room(const std::string& header) {
  if (header.starts_with("ringbuffer/")) return "ringbuffer";
  if (header.starts_with("src/")) return room_of(header);
  return room_of("include/" + header);
}

// A private header, written from beside its source ("x.hpp", "../x.hpp") or from src/ ("ROOM/x.hpp"), as the
// path of the tree; other headers stay as they are.
std::string resolve_private(const std::string& path, const std::string& header, const SourceTree& tree) {
  const auto beside = (std::filesystem::path(path).parent_path() / header).lexically_normal().string();
  for (const auto& candidate : {beside, "src/" + header}) {
    if (tree.find(candidate) != nullptr) return candidate;
  }
  return header;
}

std::string check_own(const std::string& path, const Include& include, const SourceTree& tree) {
  const auto room = room_of(path);
  const auto header = include.quoted ? resolve_private(path, include.header, tree) : include.header;
  const auto target = included_room(header);
  if (target.empty()) {
    if (!include.quoted) return {};
    return "\"" + include.header + "\" is no header of ours: use <…>, or \"xrunlab/ROOM/x.hpp\"";
  }
  const auto& allowed = allowed_rooms().at(room);
  if (target != room && !allowed.contains(target)) return room + " must not include " + target;
  const auto target_path = header.starts_with("xrunlab/") ? "include/" + header : header;
  return tree.find(target_path) == nullptr ? include.header + " does not exist" : std::string();
}

std::string check_library(const std::string& room, const std::string& path, const std::string& header) {
  for (const auto& library : libraries()) {
    if (!std::regex_match(header, library.header)) continue;
    if (!library.rooms.contains(room)) return room + " must not include " + library.name;
    const bool is_public = !path.starts_with("src/");
    if (is_public && !library.in_headers) return library.name + " must not be seen in a public header";
    return {};
  }
  return {};
}

}  // namespace

Findings check_layers(const SourceTree& tree) {
  Findings findings;
  for (const auto& file : tree.files()) {
    const auto room = room_of(file.path);
    if (room.empty() || !is_cpp(file)) continue;
    if (!allowed_rooms().contains(room)) {
      findings.push_back({file.path, 0, "there is no room '" + room + "'"});
      continue;
    }
    for (std::size_t index = 0; index < file.lines.size(); ++index) {
      const auto include = parse_include(file.lines[index]);
      if (!include) continue;
      for (const auto& rule :
           {check_own(file.path, *include, tree), check_library(room, file.path, include->header)}) {
        if (!rule.empty()) findings.push_back({file.path, index + 1, rule});
      }
    }
  }
  return findings;
}

}  // namespace xrunlab::structure
