#include "xrunlab/disk/scripted_engine.hpp"

#include <algorithm>
#include <cstring>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

ScriptedEngine::ScriptedEngine(ScriptedDisk disk, FakeClock& clock) : disk_(std::move(disk)), clock_(clock) {
  grant_.engine = "scripted";
}

void ScriptedEngine::submit(const ReadRequest& request) {
  if (in_flight_.size() >= static_cast<std::size_t>(disk_.depth)) {
    throw Error(ExitCode::system, "scripted engine: more reads in flight than its depth");
  }
  const auto number = static_cast<std::int64_t>(submitted_.size());
  InFlight read{request, clock_.now() + disk_.latency, std::nullopt, 0};
  for (const auto& entry : disk_.script) {
    if (entry.read != number) continue;
    if (entry.latency) read.due = clock_.now() + *entry.latency;
    read.most = entry.most;
    read.error_number = entry.error_number;
  }
  const auto after = std::upper_bound(in_flight_.begin(), in_flight_.end(), read.due,
                                      [](Nanoseconds due, const InFlight& other) { return due < other.due; });
  in_flight_.insert(after, read);
  submitted_.push_back(request);
}

std::span<const ReadCompletion> ScriptedEngine::wait(Nanoseconds timeout) {
  delivered_.clear();
  if (disk_.while_idle == WhileIdle::moves_clock) {
    const auto deadline = clock_.now() + std::max(timeout, Nanoseconds{0});
    clock_.sleep_until(std::min(next_due().value_or(deadline), deadline));
  }
  while (!in_flight_.empty() && in_flight_.front().due <= clock_.now()) {
    delivered_.push_back({in_flight_.front().request.tag, serve(in_flight_.front())});
    in_flight_.erase(in_flight_.begin());
  }
  return delivered_;
}

std::int32_t ScriptedEngine::serve(const InFlight& read) const {
  if (read.error_number > 0) return -read.error_number;
  const auto& file = disk_.files.at(read.request.file);
  const Bytes there = std::max<Bytes>(0, static_cast<Bytes>(file.size()) - read.request.offset);
  Bytes size = std::min<Bytes>(read.request.size, there);
  if (read.most) size = std::min(size, *read.most);
  if (size > 0)
    std::memcpy(read.request.out, file.data() + read.request.offset, static_cast<std::size_t>(size));
  return static_cast<std::int32_t>(size);
}

std::optional<Nanoseconds> ScriptedEngine::next_due() const noexcept {
  if (in_flight_.empty()) return std::nullopt;
  return in_flight_.front().due;
}

}  // namespace xrunlab
