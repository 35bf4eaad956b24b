#include "xrunlab/cli/latency_request.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/platform/affinity.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kLeastInterval = std::chrono::microseconds{10};
constexpr Nanoseconds kMostInterval = std::chrono::hours{1};
constexpr std::chrono::microseconds kMostMicroseconds{INT64_MAX / 1000};
constexpr std::int64_t kMostPlainUs = 1'000'000;
constexpr std::int64_t kMostThreads = 4096;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Nanoseconds parse_interval(const std::string& text) {
  if (is_number(text) && (text.size() > 7 || std::stoll(text) > kMostPlainUs)) {
    throw Error(ExitCode::usage, "-i: " + text + " microseconds are over a second: is that meant?",
                "write the unit: " + text + "us");
  }
  const Nanoseconds interval = parse_microseconds("-i", text, kMostMicroseconds);
  if (interval < kLeastInterval || interval > kMostInterval)
    throw Error(ExitCode::usage, "-i: " + text + " is not possible", "write 10us to 1h");
  return interval;
}

double parse_burn(const std::string& text) {
  const double share = parse_share("--burn", text, 0.99);
  if (share < 0.01) throw Error(ExitCode::usage, "--burn: '" + text + "' is too little", "write 1% to 99%");
  return share;
}

/// nanosleep, timerfd, rtc, rtc:/dev/rtc1; everything else is a PCM.
void parse_clock(const LatencyOptions& options, LatencyRequest& request) {
  const std::string& text = options.clock;
  request.rtc.hz = options.rtc_rate;
  request.rtc.ticks = options.ticks;
  if ((options.rtc_rate & (options.rtc_rate - 1)) != 0)
    throw Error(ExitCode::usage, "--rtc-rate: the rtc has powers of two only",
                "write 2, 4, 8 … 4096 or 8192");
  if (text == "nanosleep") return;
  if (text == "timerfd") {
    request.clock = WakeClock::timerfd;
  } else if (text == "rtc" || text.starts_with("rtc:")) {
    request.clock = WakeClock::rtc;
    if (text != "rtc") request.rtc.device = text.substr(4);
    if (request.rtc.device.empty())
      throw Error(ExitCode::usage, "--clock " + text + ": which rtc?", "write rtc, or rtc:/dev/rtc1");
  } else {
    request.clock = WakeClock::pcm;
    request.card.device = text;
    request.card.period = options.period_size;
    request.card.rate = parse_rate("-r", options.rate);
    if (text == "null")
      throw Error(ExitCode::usage, "--clock null: that PCM never waits, so it wakes nobody", "--clock sim");
  }
}

/// The CPUs for each thread; an empty list leaves it free.
std::vector<std::vector<int>> parse_threads(const LatencyOptions& options) {
  std::vector<int> cpus;
  if (!options.affinity.empty()) {
    const auto list = parse_cpu_list(options.affinity);
    if (!list || list->empty())
      throw Error(ExitCode::usage, "--affinity: '" + options.affinity + "' is no list of CPUs",
                  "write 0,2-3");
    cpus = *list;
    check_affinity({{"", cpus}});
  }
  if (options.threads == "all") {
    if (cpus.empty()) cpus = parse_cpu_list(describe_system().cpus_allowed).value_or(std::vector<int>{});
    if (cpus.empty())
      throw Error(ExitCode::usage, "-t all: which CPUs there are cannot be read",
                  "give a number, or --affinity");
    std::vector<std::vector<int>> each;
    for (const int cpu : cpus) each.push_back({cpu});
    return each;
  }
  const auto count = static_cast<std::size_t>(parse_integer("-t", options.threads, 1, kMostThreads));
  std::vector<std::vector<int>> each(count);
  for (std::size_t index = 0; index < count && !cpus.empty(); ++index)
    each[index] = {cpus[index % cpus.size()]};
  return each;
}

bool is_same_place(const std::string& left, const std::string& right) {
  std::error_code ignored;
  const auto place = [&ignored](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, ignored), ignored);
  };
  return left == right || place(left) == place(right);
}

void refuse_latency_contradictions(const LatencyOptions& options, const LatencyRequest& request) {
  const bool device = request.clock == WakeClock::rtc || request.clock == WakeClock::pcm;
  if (device && request.cpus.size() > 1) {
    throw Error(ExitCode::usage, "--clock " + options.clock + " wakes one thread only", "leave -t out");
  }
  if (device && options.interval_typed) {
    throw Error(ExitCode::usage, "-i does nothing for --clock " + options.clock,
                request.clock == WakeClock::rtc ? "--ticks and --rtc-rate give its interval"
                                                : "--period-size and -r give its interval");
  }
  const bool of_other_rtc = !options.of_rtc.empty() && request.clock != WakeClock::rtc;
  if (of_other_rtc || (!options.of_card.empty() && request.clock != WakeClock::pcm)) {
    throw Error(
        ExitCode::usage,
        (of_other_rtc ? options.of_rtc : options.of_card) + " does nothing for --clock " + options.clock,
        of_other_rtc ? "leave it out, or give --clock rtc" : "leave it out, or give --clock sim or a card");
  }
  if (!options.record.empty() && is_same_place(options.record, options.json)) {
    throw Error(ExitCode::usage, "--record and --json both name " + options.json,
                "give one of them another name");
  }
  if (options.loops_typed && !options.duration.empty()) {
    throw Error(ExitCode::usage, "-l and -d both say how long a round is", "leave one of them out");
  }
  if (options.cyclictest && options.json == "-") {
    throw Error(ExitCode::usage, "--cyclictest and --json both want stdout alone", "give --json=FILE");
  }
}

}  // namespace

LatencyRequest parse_latency(const LatencyOptions& options) {
  LatencyRequest request;
  parse_clock(options, request);
  if (!options.interval.empty()) request.interval = parse_interval(options.interval);
  request.loops = options.loops;
  if (!options.duration.empty()) request.duration = parse_duration("-d", options.duration);
  if (request.duration && request.duration->count() == 0)
    throw Error(ExitCode::usage, "-d 0 measures nothing", "give a time");
  request.sched = parse_sched_spec("-P", options.priority);
  request.cpus = parse_threads(options);
  request.affinity = options.affinity;
  request.rounds = options.rounds;
  request.pause = parse_duration("--pause", options.pause);
  if (!options.burn.empty()) request.burn_share = parse_burn(options.burn);
  if (!options.stop_over.empty())
    request.limit = parse_microseconds("--stop-over", options.stop_over, kMostMicroseconds);
  request.dma_latency = parse_dma_latency(options.dma_latency);
  if (options.no_mlock) request.lock = MemoryLockMode::off;
  if (!options.record.empty()) request.record = options.record;
  if (options.strict) request.strict = Strictness::refuse;
  refuse_latency_contradictions(options, request);
  return request;
}

}  // namespace xrunlab
