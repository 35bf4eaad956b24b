// Beside libFuzzer's main: with --write-seeds=DIRECTORY a target writes its seeds as files, for libFuzzer to
// begin with, and does nothing else.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--write-seeds=";
  for (int index = 1; index < *argc; ++index) {
    const std::string_view argument = (*argv)[index];
    if (!argument.starts_with(kOption)) continue;
    const std::string directory(argument.substr(kOption.size()));
    std::size_t number = 0;
    for (const auto& seed : xrunlab::fuzz::seeds()) {
      std::ofstream out(directory + "/seed-" + std::to_string(++number), std::ios::binary);
      if (!out.write(seed.data(), static_cast<std::streamsize>(seed.size())).flush()) {
        std::fprintf(stderr, "cannot write a seed into %s\n", directory.c_str());
        std::exit(3);
      }
    }
    std::exit(0);
  }
  return 0;
}
