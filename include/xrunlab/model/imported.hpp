// Where the figures of a run came from that xrunlab did not measure: the listing of another program, made a
// run file by `import`. Hangs on RunData. Plain data, and what is known of a run.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

struct RunData;

struct ImportInfo {
  std::string format;   ///< "cyclictest", "jack_test3", "three timers", "figures"
  std::string title;    ///< what the source calls the run; empty: nothing
  std::string origin;   ///< who published it, where
  std::string date;     ///< as exactly as it is known: "2011-06", "2000-11-22"
  std::string machine;  ///< in words
  std::vector<std::string> notes;
  std::vector<std::string> listing;  ///< the source's lines, unbroken
  /// Numbers that the source gives, by the path of their key ("timers.outside.max_ns"): all others of the run
  /// are nothing. Not in the file, where a number that is not known has no key.
  std::set<std::string, std::less<>> stated;
  friend bool operator==(const ImportInfo&, const ImportInfo&) = default;
};

/// Whether the number at this key says anything: always in a run of our own.
bool is_stated(const RunData& run, std::string_view path);

}  // namespace xrunlab
