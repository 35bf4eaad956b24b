// Calls of libjack that wait for the server, all made on one thread of their own, each with a time-out: a
// server that hangs does not hang us. Used by main for playing to a server; what runs on the server's own
// thread only reads shared memory and is called directly.
//
//   JackCalls calls(5s);
//   JackClient* client = calls.make("jack_client_open", [=] { return jack->client_open(…); });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

class JackCalls {
 public:
  /// Throws Error{system} when the thread cannot be made.
  explicit JackCalls(Nanoseconds timeout);
  JackCalls(const JackCalls&) = delete;
  JackCalls& operator=(const JackCalls&) = delete;

  /// Joins the thread, or leaves it where it hangs.
  ~JackCalls();

  /// What `call` returns. It must hold all that it uses by value: should it hang, it may still return when we
  /// are elsewhere. Throws Error{audio_device} that names `function` when it has not returned in time, and at
  /// once when an earlier one has not.
  template <class Call>
  auto make(const char* function, Call call) {
    const auto result = std::make_shared<std::optional<std::invoke_result_t<Call>>>();
    run(function, [result, call = std::move(call)]() mutable { result->emplace(call()); });
    return std::move(**result);
  }

  /// Whether a call has not returned: what it was given must not be destroyed.
  bool hang() const noexcept { return hang_; }

 private:
  struct Work;
  void run(const char* function, std::function<void()> call);

  Nanoseconds timeout_;
  std::shared_ptr<Work> work_;  ///< also the thread's, which may outlive us
  bool hang_ = false;
};

}  // namespace xrunlab
