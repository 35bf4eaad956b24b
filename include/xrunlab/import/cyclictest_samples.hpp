// The lines that cyclictest -v prints, one for each wake-up: "       0:      17:      42" is thread, cycle
// and lateness. Used by parse_cyclictest_text; pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/import/cyclictest.hpp"

namespace xrunlab {

class CyclictestSamples {
 public:
  /// Whether the line is a sample; what is none ends nothing. (Of "Thread 0 Interval:" above them nothing is
  /// taken: rt-tests prints the next thread's there.)
  bool take(std::string_view line);

  bool empty() const { return rounds_.empty(); }

  /// A round for each call of cyclictest. Throws Error{input_file} naming `source` when each line is the
  /// largest of several wake-ups (-o), which no figure can be made of.
  std::vector<CyclictestRound> finish(const std::string& source) const;

 private:
  struct Thread {
    std::int64_t count = 0;
    std::int64_t cycle = 0;  ///< of the last line
    std::int64_t leaps = 0;  ///< lines that are not of the cycle behind the one before
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::int64_t last = 0;
    double sum = 0;
  };
  struct Round {
    std::map<std::int64_t, Thread> threads;
    std::map<std::int64_t, std::int64_t> histogram;
  };

  static CyclictestRound finished(const Round& round, const std::string& source);

  std::vector<Round> rounds_;
};

}  // namespace xrunlab
