// Users and groups as /etc/passwd and /etc/group list them, and which groups this process is in. Accounts
// that come from elsewhere (LDAP) are not seen. Used by whoever explains rights; set-up code, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

std::optional<std::int64_t> group_id(std::string_view group, const SysRoot& root = SysRoot());

/// Whether /etc/group lists the user as a member.
bool group_lists(std::string_view group, std::string_view user, const SysRoot& root = SysRoot());

bool user_exists(std::string_view user, const SysRoot& root = SysRoot());

/// The name of that number, or "".
std::string user_name(std::int64_t uid, const SysRoot& root = SysRoot());

/// The effective user of this process; nothing without /proc/self/status.
std::optional<std::int64_t> effective_user(const SysRoot& root = SysRoot());

/// The groups of this process, the effective one first.
std::vector<std::int64_t> process_groups(const SysRoot& root = SysRoot());

bool process_is_in_group(std::string_view group, const SysRoot& root = SysRoot());

}  // namespace xrunlab
