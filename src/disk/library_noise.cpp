#include "library_noise.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "xrunlab/disk/printable_name.hpp"

namespace xrunlab {
namespace {

thread_local std::string* collector = nullptr;

/// Enough for the last words; a file of nothing but broken frames has thousands of them.
constexpr std::size_t kMostKept = 4096;

ssize_t take(void*, const char* bytes, std::size_t size) {
  if (collector == nullptr) return ::write(STDERR_FILENO, bytes, size);
  if (collector->size() + size > kMostKept) collector->clear();
  collector->append(bytes, std::min(size, kMostKept));
  return static_cast<ssize_t>(size);
}

/// In the GNU C library stderr is a variable that a program may set. Ours writes to descriptor 2 as the old
/// one did, but for threads that collect; to turn descriptor 2 itself aside would swallow what other threads
/// print meanwhile.
void put_stream_in_place() noexcept {
  std::FILE* const stream =
      ::fopencookie(nullptr, "w", {.read = nullptr, .write = take, .seek = nullptr, .close = nullptr});
  if (stream == nullptr) return;
  std::setvbuf(stream, nullptr, _IONBF, 0);
  stderr = stream;
}

}  // namespace

LibraryNoise::LibraryNoise() noexcept : outer_(collector) {
  static std::once_flag once;
  std::call_once(once, put_stream_in_place);
  collector = &text_;
}

LibraryNoise::~LibraryNoise() {
  collector = outer_;
}

std::string LibraryNoise::last_line() const {
  const auto end = text_.find_last_not_of("\n\r ");
  if (end == std::string::npos) return {};
  const auto before = text_.rfind('\n', end);
  const auto start = before == std::string::npos ? 0 : before + 1;
  return printable_text(text_.substr(start, end + 1 - start));
}

std::string LibraryNoise::remark() const {
  const std::string line = last_line();
  return line.empty() ? std::string() : " (it says: " + line + ")";
}

}  // namespace xrunlab
