// The main of the fuzz targets where there is no libFuzzer: runs the target's seeds, the files that are named
// (a directory stands for its files) and as many mutations of all these as asked for, always the same ones.
//
//   fuzz_targets TARGET [--mutations N] [FILE or DIRECTORY]…
//
// Exit code 0: all went well. What an input was on which the program died stands in TARGET.crash of the
// working directory; give that file as the only other argument to run it again.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/mutation.hpp"
#include "xrunlab/core/parse.hpp"

// There with a sanitizer only.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace xrunlab::fuzz {
namespace {

std::string crash_name;
const std::string* running = nullptr;

void keep_input() {
  if (running == nullptr) return;
  const int fd = ::open(crash_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd >= 0 && ::write(fd, running->data(), running->size()) == static_cast<ssize_t>(running->size())) {
    ::close(fd);
  }
  running = nullptr;
}

void on_crash(int number) {
  keep_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void watch_for_crashes(const Target& target) {
  crash_name = std::string(target.name) + ".crash";
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(keep_input);
    std::signal(SIGABRT, on_crash);
    return;
  }
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, on_crash);
}

void run(const Target& target, const std::string& input) {
  running = &input;
  target.run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  running = nullptr;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ExitCode::input_file, path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

void add(const std::filesystem::path& path, std::vector<std::string>& corpus) {
  std::vector<std::filesystem::path> files{path};
  if (std::filesystem::is_directory(path)) {
    files.clear();
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());  // the order of the directory is the file system's
  }
  for (const auto& file : files) corpus.push_back(contents(file));
}

void run_all(const Target& target, int argc, char** argv) {
  std::int64_t mutations = 0;
  std::vector<std::string> corpus = target.seeds();
  for (int index = 2; index < argc; ++index) {
    const std::string argument = argv[index];
    if (argument == "--mutations" && index + 1 < argc) {
      mutations = parse_integer("--mutations", argv[++index], 0, INT64_MAX);
    } else {
      add(argument, corpus);
    }
  }
  run(target, {});
  for (const auto& input : corpus) run(target, input);
  std::mt19937_64 random(1);
  for (std::int64_t done = 0; done < mutations; ++done) run(target, mutated(corpus, random));
  std::printf("%zu inputs and %lld mutations of them: no findings\n", corpus.size(),
              static_cast<long long>(mutations));
}

}  // namespace
}  // namespace xrunlab::fuzz

int main(int argc, char** argv) {
  try {
    const auto& target = xrunlab::fuzz::target_named(argc > 1 ? argv[1] : "");
    xrunlab::fuzz::watch_for_crashes(target);
    xrunlab::fuzz::run_all(target, argc, argv);
    return 0;
  } catch (const xrunlab::Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return static_cast<int>(error.code());
  }
}
