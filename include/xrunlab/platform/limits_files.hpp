// The files in which logins are given their limits, as pam_limits(8) reads them: /etc/security/limits.conf
// and limits.d/*.conf, and what is misspelt in them. Used by whoever explains a limit; set-up code, any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/doctor_facts.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// A line that is more than a comment.
struct LimitsLine {
  std::string file;
  int number = 0;                  ///< from 1
  std::vector<std::string> words;  ///< WHO TYPE ITEM VALUE, when it is right
  bool is_read = false;            ///< false: the file's name does not end in .conf
};

/// The lines of one such file; whether it is read is a matter of its name.
std::vector<LimitsLine> parse_limits_lines(std::string_view text, const std::string& file);

/// In the order in which they act, with those of limits.d that nobody reads.
std::vector<LimitsLine> read_limits_lines(const SysRoot& root = SysRoot());

/// Whether it gives someone a limit of that name, as far as four words tell.
bool sets_limit(const LimitsLine& line, std::string_view item);

/// What pam_limits would ignore, and names of groups that /etc/group does not have.
std::vector<LimitsFlaw> find_limits_flaws(const std::vector<LimitsLine>& lines,
                                          const SysRoot& root = SysRoot());

}  // namespace xrunlab
