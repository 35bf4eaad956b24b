// The files in which journals of changed settings are kept, and the locks that go with them. A journal whose
// lock is free was left by a process that was killed. Used by ChangedSettings, `restore` and the line that
// every command prints when something is left changed; main thread.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/platform/setting_file.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// $XDG_STATE_HOME/xrunlab; without it /var/lib/xrunlab for root (below the root given) and
/// ~/.local/state/xrunlab for anybody else.
std::string default_journal_directory(const SysRoot& root = SysRoot());

/// That one and the others in which a journal may be, each once.
std::vector<std::string> journal_directories(const SysRoot& root = SysRoot());

/// Those of them that are there, but that this user may not look into.
std::vector<std::string> closed_directories(const std::vector<std::string>& directories);

/// A journal being written. It is locked as long as the object lives, and stays when the object goes.
class JournalFile {
 public:
  /// Makes the directory (0700) where it is missing, and the file with `text`, which is on the disk when this
  /// returns. Throws Error{system}, also for a directory that others may write to: `restore` trusts it.
  JournalFile(const std::string& directory, const std::string& text);

  /// On the disk when this returns. Throws Error{system}.
  void append(const std::string& text);

  /// Throws Error{system}.
  void remove();

  const std::string& path() const noexcept { return path_; }

 private:
  std::string directory_;
  std::string path_;
  UniqueFd file_;
};

enum class JournalOwner { alive, gone };

/// Who has left the journals that there are, by path. Directories and files that this user may not read are
/// passed over.
struct JournalOnDisk {
  std::string path;
  JournalOwner owner = JournalOwner::gone;
};
std::vector<JournalOnDisk> journals_on_disk(const std::vector<std::string>& directories);

/// The text of a journal. Throws Error{system} when it cannot be read, or when others than its owner could
/// have written it.
std::string read_journal(const std::string& path);

/// Takes over a journal of a process that is gone; the text is read then. Empty descriptor: it is still, or
/// again, in use. Throws like read_journal.
struct TakenJournal {
  UniqueFd lock;
  std::string text;
};
TakenJournal take_journal(const std::string& path);

/// Throws Error{system}.
void remove_journal(const std::string& path);

/// Locks settings against other processes, whatever directory they keep their journals in: the lock is on the
/// kernel's own directory, and goes with the process. Throws Error{system} when another one holds it.
UniqueFd lock_owner(const SettingOwner& owner, const SysRoot& root);

}  // namespace xrunlab
