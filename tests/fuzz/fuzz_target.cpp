#include "tests/fuzz/fuzz_target.hpp"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "tests/sanitized.hpp"
#if XRUNLAB_SANITIZED
#include <sanitizer/allocator_interface.h>
#endif

namespace xrunlab::fuzz {
namespace {

thread_local bool limited = false;
thread_local std::int64_t most_held = 0;
thread_local std::int64_t held = 0;

void count_taken(std::size_t size) noexcept {
  if (!limited) return;
  held += static_cast<std::int64_t>(size);
  if (held <= most_held) return;
  limited = false;  // to say so may need memory
  fail("more memory is held than the input explains");
}

void count_given_back(std::size_t size) noexcept {
  if (limited) held -= static_cast<std::int64_t>(size);
}

std::vector<Target>& targets() {
  static std::vector<Target> known;
  return known;
}

}  // namespace

Registered::Registered(const Target& target) {
  targets().push_back(target);
}

const Target& target_named(std::string_view name) {
  std::string names;
  for (const Target& target : targets()) {
    if (target.name == name) return target;
    names += std::string(names.empty() ? "" : ", ") + std::string(target.name);
  }
  throw Error(ExitCode::usage, "there is no target '" + std::string(name) + "'", "there are " + names);
}

void fail(std::string_view what) noexcept {
  std::fprintf(stderr, "fuzz target: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

AllocationLimit::AllocationLimit(std::size_t most_bytes) noexcept {
#if XRUNLAB_SANITIZED
  [[maybe_unused]] static const int installed = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t size) { count_taken(size); },
      [](const volatile void* memory) {
        count_given_back(__sanitizer_get_allocated_size(const_cast<const void*>(memory)));
      });
#endif
  most_held = static_cast<std::int64_t>(most_bytes);
  held = 0;
  limited = true;
}

AllocationLimit::~AllocationLimit() {
  limited = false;
}

// A sanitizer has a new and a delete of its own, in which it finds what does not match.
#if XRUNLAB_SANITIZED
}  // namespace xrunlab::fuzz
#else
namespace {

void* take(std::size_t size) {
  // Looked at before malloc, which may have so much to give.
  if (limited && size > static_cast<std::size_t>(most_held))
    count_taken(static_cast<std::size_t>(most_held) + 1);
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  count_taken(malloc_usable_size(memory));
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) count_given_back(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace
}  // namespace xrunlab::fuzz

// The other forms of new and delete lead here.
void* operator new(std::size_t size) {
  return xrunlab::fuzz::take(size);
}
void operator delete(void* memory) noexcept {
  xrunlab::fuzz::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  xrunlab::fuzz::give_back(memory);
}
#endif
