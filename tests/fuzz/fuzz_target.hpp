// What a fuzz target consists of: in NAME_fuzz.cpp a function that gives its bytes to a parser and requires
// what must hold whatever they are, and the seeds to begin with. All are in one program, which runs the one
// that is named: under libFuzzer or, in ordinary tests, with our own plain main; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/error.hpp"

namespace xrunlab::fuzz {

struct Target {
  std::string_view name;
  std::vector<std::string> (*seeds)();  // from which the mutations begin
  void (*run)(const std::uint8_t* data, std::size_t size);
};

/// Makes a target known, before main.
class Registered {
 public:
  explicit Registered(const Target& target);
};

/// The target of this name. Throws Error (usage), which lists those that there are.
const Target& target_named(std::string_view name);

/// Says what went wrong and aborts.
[[noreturn]] void fail(std::string_view what) noexcept;

inline void require(bool condition, std::string_view what) {
  if (!condition) fail(what);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What `parse` refused its input with; empty when it took it. Only an Error of this code may come out of it,
/// with something to say, and in one line where it is about a file.
template <typename Parse>
std::string refusal_of(ExitCode code, const Parse& parse) {
  try {
    parse();
    return {};
  } catch (const Error& error) {
    const std::string said = error.what();
    require(error.code() == code, "refused with the exit code of something else: " + said);
    require(!said.empty(), "refused without a word");
    require(code != ExitCode::input_file || said.find_first_of("\n\r\t\x1b") == std::string::npos,
            "refused with more than plain text in one line: " + said);
    return said;
  } catch (const std::exception& error) {
    fail(std::string("threw something else than Error: ") + error.what());
  }
}

/// While it lives, operator new aborts the program once more than `most_bytes` are held: what a parser takes
/// depends on the size of its input, never on a number in it.
class AllocationLimit {
 public:
  explicit AllocationLimit(std::size_t most_bytes) noexcept;
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;
  ~AllocationLimit();
};

}  // namespace xrunlab::fuzz
