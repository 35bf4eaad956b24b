// What stands behind "jack:" in -D: which server to play to, and to which ports. Pure; used by main.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct JackPcmOptions {
  std::string server;  ///< its name; empty: the default server
  std::string connect =
      "auto";  ///< "auto": the physical outputs; "none"; else a client, or the beginning of ports' names
  std::string client = "xrunlab";                 ///< the name asked for
  Nanoseconds timeout = std::chrono::seconds{5};  ///< of every call of libjack; above 0
  friend bool operator==(const JackPcmOptions&, const JackPcmOptions&) = default;
};

/// Whether a device's name is ours: "jack:…". ("jack" alone is a PCM of alsa-lib's plug-in.)
bool is_jack(std::string_view device) noexcept;

/// `text` is what stands behind "jack:": KEY=VALUE,…. Throws Error{usage}.
JackPcmOptions parse_jack_options(std::string_view text);

}  // namespace xrunlab
