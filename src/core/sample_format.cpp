#include "xrunlab/core/sample_format.hpp"

#include <strings.h>

#include <array>

namespace xrunlab {
namespace {

struct Entry {
  std::string_view name;
  int bytes;
  int bits;
  bool floating;
};

// In the order of the enum.
constexpr std::array<Entry, 13> kEntries{{
    {"U8", 1, 8, false},
    {"S8", 1, 8, false},
    {"S16_LE", 2, 16, false},
    {"S16_BE", 2, 16, false},
    {"S24_3LE", 3, 24, false},
    {"S24_3BE", 3, 24, false},
    {"S24_LE", 4, 24, false},
    {"S32_LE", 4, 32, false},
    {"S32_BE", 4, 32, false},
    {"FLOAT_LE", 4, 32, true},
    {"FLOAT_BE", 4, 32, true},
    {"FLOAT64_LE", 8, 64, true},
    {"FLOAT64_BE", 8, 64, true},
}};

const Entry& entry(SampleFormat format) noexcept {
  return kEntries[static_cast<std::size_t>(format)];
}

}  // namespace

int bytes_per_sample(SampleFormat format) noexcept {
  return entry(format).bytes;
}
int significant_bits(SampleFormat format) noexcept {
  return entry(format).bits;
}
bool is_float(SampleFormat format) noexcept {
  return entry(format).floating;
}
std::string_view to_string(SampleFormat format) noexcept {
  return entry(format).name;
}

std::optional<SampleFormat> sample_format_from(std::string_view name) noexcept {
  for (std::size_t index = 0; index < kEntries.size(); ++index) {
    const auto& known = kEntries[index].name;
    if (known.size() == name.size() && strncasecmp(known.data(), name.data(), name.size()) == 0) {
      return static_cast<SampleFormat>(index);
    }
  }
  return std::nullopt;
}

}  // namespace xrunlab
