// Names every field of a run file once, for writing and for reading alike: describe(archive, part) calls
// archive.field(key, member) in the file's order, archive.field_or_null(key, member, applies) for what is
// null where it does not apply, and archive.derived(key, value) for what only the writer needs. Included by
// run_json.cpp alone.
#pragma once

#include "described.hpp"
#include "episode_fields.hpp"
#include "fault_fields.hpp"
#include "imported_fields.hpp"
#include "jack_fields.hpp"
#include "latency_fields.hpp"
#include "stream_fields.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

void describe(auto& archive, Of<ToolInfo> auto& tool) {
  archive.field("name", tool.name);
  archive.field("version", tool.version);
  archive.field("compiler", tool.compiler);
}

void describe(auto& archive, Of<SystemInfo> auto& system) {
  archive.field("host", system.host);
  archive.field("kernel", system.kernel);
  archive.field("cmdline", system.cmdline);
  archive.field("preempt", system.preempt);
  archive.field("cpu_model", system.cpu_model);
  archive.field("cpus", system.cpus);
  archive.field("cpus_allowed", system.cpus_allowed);
  archive.field("governor", system.governor);
  archive.field("memory_bytes", system.memory_bytes);
  archive.field("rtprio_limit", system.rtprio_limit);
  archive.field("memlock_limit_bytes", system.memlock_limit_bytes);
  archive.field("rt_runtime_us", system.rt_runtime_us);
  archive.field("boot_id", system.boot_id);
  archive.field("uptime_s", system.uptime_s);
  archive.field("virt", system.virt);
  archive.field("clocksource", system.clocksource);
  archive.field("mitigations", system.mitigations);
  archive.field("threadirqs", system.threadirqs);
}

void describe(auto& archive, Of<InputInfo> auto& input) {
  archive.field("path", input.path);
  archive.field("container", input.container);
  archive.field("format", input.format);
  archive.field("rate_hz", input.rate_hz);
  archive.field("channels", input.channels);
  archive.field("frames", input.frames);
  archive.field("frames_known", input.frames_known);
  archive.field("data_offset", input.data_offset);
  archive.field("filesystem", input.filesystem);
  archive.field("block_device", input.block_device);
  archive.field("io_scheduler", input.io_scheduler);
}

void describe(auto& archive, Of<DeviceInfo> auto& device) {
  archive.field("name", device.name);
  archive.field("plugin", device.plugin);
  archive.field("format", device.format);
  archive.field("rate_hz", device.rate_hz);
  archive.field("channels", device.channels);
  archive.field("period_frames", device.period_frames);
  archive.field("buffer_frames", device.buffer_frames);
  archive.field("start_threshold_frames", device.start_threshold_frames);
  archive.field("fragment_frames", device.fragment_frames);
  archive.field("simulated", device.simulated);
  archive.field("paced", device.paced);
  archive.field("server", device.server);
  archive.field("mapping", device.mapping);
  archive.field("samples", device.samples);
  archive.field("gain_db", device.gain_db);
}

void describe(auto& archive, Of<IoInfo> auto& io) {
  archive.field("engine", io.engine);
  archive.field("flags", io.flags);
  archive.field("direct", io.direct);
  archive.field("fixed_buffers", io.fixed_buffers);
  archive.field("fixed_files", io.fixed_files);
  archive.field("io_size_bytes", io.io_size_bytes);
  archive.field("queue_depth", io.queue_depth);
  archive.field("cache", io.cache);
  archive.field("cached_share_at_start", io.cached_share_at_start);
  archive.field("io_priority", io.io_priority);
}

void describe(auto& archive, Of<RtInfo> auto& rt) {
  archive.field("policy", rt.policy);
  archive.field("priority", rt.priority);
  archive.field("mlock", rt.mlock);
  archive.field("locked_bytes", rt.locked_bytes);
  archive.field("dma_latency_us", rt.dma_latency_us);
}

void describe(auto& archive, Of<RingInfo> auto& ring) {
  archive.field("used", ring.used);
  archive.field("frames", ring.frames);
  archive.field("bytes", ring.bytes);
  archive.field("blocks", ring.blocks);
  archive.field("low_water_frames", ring.low_water_frames);
  archive.field("low_water_share", ring.low_water_share);
  archive.field("huge_pages", ring.huge_pages);
}

void describe(auto& archive, Of<LimitsInfo> auto& limits) {
  archive.field("max_xruns", limits.max_xruns);
  archive.field("max_starved", limits.max_starved);
  archive.field("fail_marginal", limits.fail_marginal);
}

void describe(auto& archive, Of<WindowInfo> auto& window) {
  archive.field("length_ns", window.length_ns);
  archive.field("first_end_ns", window.first_end_ns);
  archive.field("exposure_ns", window.exposure_ns);
  archive.field("primed_whole", window.primed_whole);
}

void describe(auto& archive, Of<ThreadData> auto& thread) {
  archive.field("name", thread.name);
  archive.field("policy", thread.policy);
  archive.field("wall_ns", thread.wall_ns);
  archive.field("user_ns", thread.user_ns);
  archive.field("system_ns", thread.system_ns);
  archive.field("major_faults", thread.major_faults);
  archive.field("minor_faults", thread.minor_faults);
  archive.field("voluntary_switches", thread.voluntary_switches);
  archive.field("involuntary_switches", thread.involuntary_switches);
  archive.field("run_delay_ns", thread.run_delay_ns);
}

void describe(auto& archive, Of<SelfCheck> auto& check) {
  archive.field("name", check.name);
  archive.field("passed", check.passed);
  archive.field("detail", check.detail);
}

inline std::int64_t lateness_bound_ns(const DeviceInfo& device) {
  if (device.rate_hz <= 0) return 0;
  return static_cast<std::int64_t>((Int128{device.buffer_frames} - device.fragment_frames) * kNsPerSecond /
                                   device.rate_hz);
}

/// What every kind of run has, and what stands first in its file.
void describe_head(auto& archive, Of<RunData> auto& run) {
  archive.field("kind", run.kind);
  archive.field("tool", run.tool);
  archive.field("cmdline", run.cmdline);
  archive.field("start", run.start);
  archive.field("end", run.end);
  archive.field("complete", run.complete);
  archive.field("ended_by", run.ended_by);
  archive.field("error", run.error);
  archive.field("verdict", run.verdict);
  archive.field("verdict_line", run.verdict_line);
  archive.field("reasons", run.reasons);
  archive.field("warnings", run.warnings);
  archive.field("system", run.system);
}

void describe_tail(auto& archive, Of<RunData> auto& run) {
  archive.field("threads", run.threads);
  archive.field("machine_usage", run.machine_usage);
  archive.field("self_checks", run.self_checks);
  archive.field("loads", run.loads);
  archive.field("experiment", run.experiment);
  archive.field("imported", run.imported);
}

/// Of a run that played.
void describe_stream(auto& archive, Of<RunData> auto& run) {
  archive.field("inputs", run.inputs);
  archive.field("device", run.device);
  archive.field("io", run.io);
  archive.field("rt", run.rt);
  archive.field("ring", run.ring);
  archive.field("limits", run.limits);
  archive.field("window", run.window);
  archive.field("load", run.load);
  archive.field("load_error", run.load_error);
  archive.field("fault_injected", run.fault_injected);
  archive.field("faults", run.faults);
  archive.field("fault_seed", run.fault_seed);
  archive.field("replay_of", run.replay_of);
  archive.field("bound_ns", run.bound_ns);
  archive.derived("lateness_bound_ns", [&] { return lateness_bound_ns(run.device); });
  archive.field("timers", run.timers);
  archive.field("lateness", run.lateness);
  archive.field("wake_lateness", run.wake_lateness);
  archive.field("io_latency", run.io_latency);
  archive.field("deadline_histogram", run.deadline_histogram);
  archive.field("fill_histogram", run.fill_histogram);
  archive.field("slack_histogram", run.slack_histogram);
  archive.field("slack_low_water_frames", run.slack_low_water_frames);
  archive.field("ring_needed_frames", run.ring.ring_needed_frames);
  archive.field("headroom", run.throughput.headroom);
  archive.field("sustained", run.throughput.sustained);
  archive.field("startup_ns", run.startup_ns);
  archive.field("ring_touch_ns", run.ring_touch_ns);
  archive.field("priming_ns", run.priming_ns);
  archive.field("windows", run.windows);
  archive.field("xruns", run.xruns);
  archive.field("starvations", run.starvations);
  archive.field("episodes", run.episodes);
  archive.field("counters", run.counters);
  archive.field("throughput", run.throughput);
}

void describe_latency(auto& archive, Of<RunData> auto& run) {
  archive.field("rt", run.rt);
  archive.field("load", run.load);
  archive.field("load_error", run.load_error);
  archive.field("probe", run.latency.probe);
  archive.field("latency", run.latency);
  archive.field("rounds", run.latency.rounds);
}

void describe(auto& archive, Of<RunData> auto& run) {
  describe_head(archive, run);
  if (run.kind == kLatencyKind) {
    describe_latency(archive, run);
  } else {
    describe_stream(archive, run);
    archive.field("jack", run.jack);
  }
  describe_tail(archive, run);
}

}  // namespace xrunlab
