// What puts settings back when the program is about to die without its destructors: an abort, a crash, a
// second Ctrl-C. It knows beforehand what to write where, since a signal handler may neither allocate nor
// format. Held by ChangedSettings; kill -9 remains for `restore`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "xrunlab/platform/setting_file.hpp"

namespace xrunlab {

class LastResort {
 public:
  /// Installs handlers for signals that end the program with a core (SIGABRT, SIGSEGV, SIGQUIT …), which put
  /// back and then let the signal do what it did before. Only one object may exist at a time: throws
  /// Error{system}.
  LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

  /// Puts the previous handlers back; nothing is written.
  ~LastResort();

  /// From now on `found` is to be put back, from the last to the first, and `journal_path` removed when all
  /// is as it was. Takes effect before it returns.
  void arm(std::span<const SettingRecord> found, const SettingFiles& files, const std::string& journal_path);

  /// Nothing is to be put back any more.
  void disarm() noexcept;

 private:
  struct Plan;
  // All there ever were: a handler on another thread may be using an earlier one.
  std::vector<std::unique_ptr<const Plan>> plans_;

  friend void put_back_as_last_resort() noexcept;
};

/// Puts back what is armed. For signal handlers: calls nothing that they may not.
void put_back_as_last_resort() noexcept;

}  // namespace xrunlab
