// What libFuzzer's main calls: with --target=NAME that target is run (libFuzzer leaves alone what begins with
// two dashes); with --write-seeds=DIRECTORY it writes its seeds as files, for libFuzzer to begin with, and
// nothing else.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/fuzz/fuzz_target.hpp"

namespace xrunlab::fuzz {
namespace {

const Target* chosen = nullptr;

std::string_view value_of(std::string_view option, int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    const std::string_view argument = argv[index];
    if (argument.starts_with(option)) return argument.substr(option.size());
  }
  return {};
}

void write_seeds(const std::string& directory) {
  std::size_t number = 0;
  for (const auto& seed : chosen->seeds()) {
    std::ofstream out(directory + "/seed-" + std::to_string(++number), std::ios::binary);
    if (!out.write(seed.data(), static_cast<std::streamsize>(seed.size())).flush())
      throw Error(ExitCode::system, "cannot write a seed into " + directory);
  }
}

}  // namespace
}  // namespace xrunlab::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace xrunlab::fuzz;
  try {
    chosen = &target_named(value_of("--target=", *argc, *argv));
    const std::string directory(value_of("--write-seeds=", *argc, *argv));
    if (directory.empty()) return 0;
    write_seeds(directory);
    std::exit(0);
  } catch (const xrunlab::Error& error) {
    std::fprintf(stderr, "%s: %s\n", **argv, error.what());
    std::exit(static_cast<int>(error.code()));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  xrunlab::fuzz::chosen->run(data, size);
  return 0;
}
