// A finished run with every field set, for the tests of model and report.
#pragma once

#include <memory>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

inline HistogramData sample_histogram(std::int64_t scale_ns, int count = 2000) {
  auto histogram = std::make_unique<Histogram>();
  for (int index = 0; index < count; ++index) histogram->record(scale_ns + index * scale_ns / 100);
  return histogram->snapshot();
}

/// The timers, histograms, windows and counters of sample_run().
inline void fill_figures(RunData& run) {
  run.timers = {{sample_histogram(5'000), 0}, {sample_histogram(1'200'000), 3}, {sample_histogram(8'000), 1}};
  run.lateness = {sample_histogram(500'000), 0};
  run.wake_lateness = {sample_histogram(30'000), 0};
  run.io_latency = sample_histogram(2'000'000);
  run.deadline_histogram = sample_histogram(200'000'000);
  run.fill_histogram = sample_histogram(210'000'000);
  run.slack_histogram = sample_histogram(2'000'000);
  run.slack_low_water_frames = 3000;
  run.startup_ns = 40'000'000;
  run.ring_touch_ns = 12'000'000;
  run.priming_ns = 300'000'000;
  run.windows = {{0, 10'000'000'000, 430, 9'000, 24'000'000, 60'000, 900'000, 0, 0, 200'000, 3000},
                 {10'000'000'000, 4'000'000'000, 172, 9'100, 23'900'000, 61'000, 910'000, 0, 0, {}, {}}};
  run.counters = {2584, 2'646'000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0};
}

/// 48 tracks, 60 s, on the simulated card: a run that passes.
inline RunData sample_run() {
  RunData run;
  run.tool = {"xrunlab", "0.1.0", "GCC 12.2.0"};
  run.cmdline = {"xrunlab", "play", "/home/kai/sets/48", "--json"};
  run.start = "2026-01-02T03:04:05Z";
  run.end = "2026-01-02T03:05:06Z";
  run.complete = true;
  run.ended_by = "end";
  run.warnings = {"/home/kai/sets/48/track-07.wav: 1.2 % of the data was still cached"};
  run.system = {"studio",
                "6.1.0-18-rt",
                "BOOT_IMAGE=/vmlinuz root=UUID=1b9e5a3c-7a30-4d8e-9c5e-0d2f6b1a7c55",
                "rt",
                "AMD EPYC",
                2,
                "0-1",
                "performance",
                8'000'000'000,
                95,
                -1,
                950'000,
                "f1f5c9c2-7e0f-4c34-92f3-6a0b4c1b2d10",
                1234.5,
                "kvm",
                "tsc",
                "all on",
                true};
  for (int track = 1; track <= 48; ++track) {
    run.inputs.push_back({"/home/kai/sets/48/track-" + std::to_string(track) + ".wav", "wav", "S24_3LE",
                          44'100, 1, 2'646'000, true, 44, "ext4", "vda", "mq-deadline"});
  }
  run.device = {"sim",    "xrunlab simulated card",
                "S32_LE", 44'100,
                2,        1024,
                4410,     4410,
                1024,     true,
                true,     "",
                "mix",    "float32",
                -3.5};
  run.io = {"io_uring", {"SINGLE_ISSUER", "DEFER_TASKRUN"}, true, true, true, 262'144, 32, "evict", 0.01,
            "rt:4"};
  run.rt = {"SCHED_FIFO", 70, "all", 40'000'000, 0};
  run.ring = {true, 220'500, 31'752'000, 8, 200'000, 0.907, 17'640, true};
  run.limits = {0, 0, false};
  run.window = {60'000'000'000, 60'000'000'000, 60'000'000'000, false};
  run.bound_ns = 23'219'954;
  fill_figures(run);
  run.throughput = {381'024'000, 1454, 1,    381'030'400,    6'350'400,     6'350'400,
                    1.0,         3.21, true, 50'000'000'000, 60'300'000'000};
  run.threads = {
      {"playback", "SCHED_FIFO 70", 60'000'000'000, 400'000'000, 100'000'000, 0, 3, 2584, 12, 4'000'000},
      {"reader", "SCHED_OTHER", 60'300'000'000, 100'000'000, 300'000'000, 0, 5, 1500, 30, {}}};
  run.machine_usage = {60'300'000'000, 900'000'000, 1'000'000,  500'000'000, 110'000'000'000, 8'000'000'000,
                       20'000'000,     60'000'000,  90'000'000, 120'000,     200'000};
  run.self_checks = {{"card_clock", true, "off by 3 frames"}, {"counts_match", true, "2584, 2584, 2583"}};
  return run;
}

/// A starvation by the disk with every value there, an xrun within it, and one that nothing explains.
inline std::vector<EpisodeData> sample_episodes() {
  EpisodeData starvation{.kind = "starvation",
                         .start_ns = 900'000'000,
                         .duration_ns = 400'000'000,
                         .cause = "disk",
                         .confidence = 0.95,
                         .caused_by = {},
                         .evidence = {}};
  auto& evidence = starvation.evidence;
  evidence.detail = "track-2.wav: the read at byte 1310720 was outstanding for 900ms, 3 others in flight";
  evidence.window_ns = evidence.lost_ns = evidence.explained_ns = 400'000'000;
  evidence.bracket_ns = 500'000'000;
  evidence.overlap = {0, 0, 1, 2, 3, 4, 400'000'000, 5};
  evidence.track = 1;
  evidence.read = {1, 1'310'720, 900'000'000, 4};
  evidence.device = "vda";
  evidence.device_busy_share = 0.99;
  evidence.reader_late_ns = 3;
  evidence.wake_late_ns = 6;
  evidence.decoder_cpu_per_audio = 0.5;
  evidence.playback = {1, 2, 3, 4};
  evidence.reader = {5, 6, 7, 8};
  evidence.decoder = {9, 10, 11, 12};
  evidence.machine = {13, 14, 15, 16, 17, 18};
  evidence.ran_instead = "fio (1234)";
  EpisodeData within = starvation;
  within.kind = "xrun";
  within.start_ns = 1'000'000'000;
  within.duration_ns = 70'000'000;
  within.caused_by = 0;
  EpisodeData unknown{.kind = "xrun", .start_ns = 2'000'000'000, .cause = "unknown", .evidence = {}};
  unknown.evidence.detail = "nothing that was seen explains half of 30.0ms";
  unknown.evidence.missing = {"pressure (PSI; boot with psi=1)", "who ran (--blame was not given)"};
  return {starvation, within, unknown};
}

/// One of our own, and one that is dead and prints Latin-1.
inline std::vector<LoadData> sample_loads() {
  return {{"read",
           "read:/home/kai/sets,rate=20MB",
           7,
           true,
           "",
           60'000'000'000,
           4'578,
           76.3,
           1'200'095'232,
           20'001'587.2,
           20'000'000.0,
           600'000'000,
           0.01,
           {},
           1'200'095'232,
           0,
           1 << 30,
           0,
           {},
           {},
           ""},
          {"fio", "fio", 7, false, "exit 1", 60'000'000'000, {}, {}, {}, {}, {}, 0, 0, 0.5, 0,
           0,     0,     2, 3,     1,        "caf\xe9\n"}};
}

/// sample_run() with what is empty there filled too: xruns, starvation, a signal, odd names.
inline RunData troubled_run() {
  RunData run = sample_run();
  run.complete = false;
  run.ended_by = "signal 2";
  run.error = "interrupted";
  run.inputs[1].path = "/home/kai/sets/48/caf\xe9 \xef\xbf\xbd \xff.wav";  // Latin-1, and a real U+FFFD
  run.inputs[2].frames_known = false;
  run.load = "fio";
  run.load_error = "exit 1";
  run.loads = sample_loads();
  run.fault_injected = true;
  run.faults = {{"read-delay:p=0.001,ms=500", 12, -3'000'000}, {"eio:at=90s,track=7", 0, {}}};
  run.fault_seed = 1;
  run.replay_of = "run.trace";
  run.xruns = {{1'000'000'000, 70'000'000}, {2'000'000'000, {}}};
  run.starvations = {{900'000'000, 400'000'000, 2'000'000'000, 3, 1}};
  run.episodes = sample_episodes();
  run.counters.starved_reads = 3;
  run.counters.starvation_episodes = 1;
  run.counters.starved_ns = 400'000'000;
  run.counters.starvation_longest_ns = 400'000'000;
  run.counters.device_xruns = 2;
  run.counters.dropouts = 1;
  run.counters.silent_fragments = 4;
  run.counters.lost_ns = 70'000'000;
  run.counters.suspends = 1;
  run.counters.short_inputs = 1;
  run.counters.events_dropped = 5;
  run.device.server = "PipeWire";
  run.io_latency.overflow = 1;
  run.machine_usage = MachineUsage{.wall_ns = 1};
  run.experiment = {.sweep_id = "0123456789abcdef",
                    .seed = 7,
                    .block = 3,
                    .combination = 1,
                    .planned_runs = 10,
                    .warmup = true,
                    .varied = {{"scheduler", "bfq", "mq-deadline", true}, {"ring", "5s", {}, true}},
                    .fixed = {{"read_ahead_kb", "128", "8192", false, "129"}}};
  return run;
}

}  // namespace xrunlab
