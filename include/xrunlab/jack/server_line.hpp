// What a line that jackd prints tells of an xrun. Pure; used by JackServer on main.
#pragma once

#include <string_view>

namespace xrunlab {

enum class ServerLine {
  other,
  client_not_finished,  ///< one client had not ended its cycle in time
  driver_late,          ///< the driver itself was not served in time
  lines_lost,           ///< jackd had more to say than it could
};

/// As jackd 2 says it (dummy and ALSA driver); other servers' lines are `other`.
ServerLine read_server_line(std::string_view line) noexcept;

}  // namespace xrunlab
