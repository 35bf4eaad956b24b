// The line formats of /proc, files of limits and the text of --affinity: parts lie within their text and make
// it up again, a list of CPUs is worth no more memory than a machine has CPUs, a flaw is told in one line.

#include <algorithm>

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/platform/affinity.hpp"
#include "xrunlab/platform/limits_files.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab::fuzz::proc_text {
namespace {

// Three times 65,536 numbers: while a vector grows, its old memory is there as well.
constexpr std::size_t kMostOfACpuList = 65'536 * sizeof(int) * 3;

bool inside(std::string_view part, std::string_view text) {
  return part.empty() ||
         (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
}

void check_parts(std::string_view text) {
  std::string joined;
  for (const auto part : split_at(text, ',')) joined.append(joined.empty() ? "" : ",").append(part);
  require(joined.size() <= text.size(), "parts make up more than the text");
  for (const auto word : split_words(text)) {
    require(!word.empty() && inside(word, text) && word.find_first_of(" \t\n") == std::string_view::npos,
            "no word");
  }
  for (const std::string_view key : {"VmLck", "", "Cpus_allowed_list"}) {
    if (const auto value = value_of(text, key)) {
      require(inside(*value, text) && value->find('\n') == std::string_view::npos, "a value beyond its line");
    }
  }
  require(unescape_octal(text).size() <= text.size(), "unescaped to more than there was");
  require(base_name(text).find('/') == std::string::npos, "a slash in a base name");
}

void check_limits(std::string_view text) {
  const auto lines = parse_limits_lines(text, "limits.conf");
  const auto flaws = find_limits_flaws(lines, SysRoot("/nonexistent"));
  require(flaws.size() <= lines.size(), "more flaws than lines");
  for (const auto& line : lines) require(!line.words.empty() && line.is_read, "a line without words");
  for (const auto& flaw : flaws) {
    require(flaw.what.find('\n') == std::string::npos && !flaw.mend.empty(), "a flaw without a mend");
  }
}

void check_cpus(const std::vector<int>& cpus) {
  require(std::is_sorted(cpus.begin(), cpus.end(), std::less_equal<>()), "CPUs unsorted or twice");
  require(cpus.empty() || (cpus.front() >= 0 && cpus.back() < 65'536), "a CPU out of range");
}

}  // namespace

std::vector<std::string> seeds() {
  // More CPUs than a machine has, some hundred times over.
  std::string many = "0-65535";
  for (int times = 0; times < 100; ++times) many += ",0-65535";
  return {many,
          "0-2,5",
          "0-65535",
          "65535,0-65534",
          "3-1",
          "playback=1,reader=0",
          "playback=1+3,decoder=2-3,collector=0",
          "playback=0-65535+0-65535+0-65535",
          "playback=1,playback=2",
          "VmLck:\t  12 kB\nCpus_allowed_list:\t0-1\n",
          "/mnt/my\\040disk\\011\\134 \\777 \\04",
          "@audio - rtpio 95\n* soft core 0 # none\naudio = memlock 8GB\nme -\n",
          "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"};
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  {
    const AllocationLimit limit(16 * 1024 + 64 * size);
    check_parts(text);
  }
  {
    // A line of one letter has a place, a reason and a mend.
    const AllocationLimit limit(16 * 1024 + 2048 * size);
    check_limits(text);
  }
  const AllocationLimit limit(16 * 1024 + 64 * size + 5 * kMostOfACpuList);
  if (const auto cpus = parse_cpu_list(text)) {
    check_cpus(*cpus);
    require(parse_cpu_list(format_cpu_list(*cpus)) == cpus, "a list of CPUs does not come back");
  }
  refusal_of(ExitCode::usage, [&] {
    for (const auto& [thread, cpus] : parse_affinity("--affinity", text)) {
      require(!thread.empty() && !cpus.empty(), "an entry that binds nothing");
      check_cpus(cpus);
    }
  });
}

const Registered registered{{"proc_text", seeds, run}};

}  // namespace xrunlab::fuzz::proc_text
