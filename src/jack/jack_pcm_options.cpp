#include "xrunlab/jack/jack_pcm_options.hpp"

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/core/spec_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kPrefix = "jack:";

}  // namespace

bool is_jack(std::string_view device) noexcept {
  return device.starts_with(kPrefix);
}

JackPcmOptions parse_jack_options(std::string_view text) {
  JackPcmOptions options;
  // cut_spec takes a subject for itself only where there is no '='; "jack:" has none.
  const std::string spec = std::string(kPrefix) + std::string(text);
  const SpecText cut = cut_spec(spec);
  const auto refuse = [](const std::string& what) {
    throw Error(
        ExitCode::usage, what,
        "write jack:server=NAME,connect=auto|none|CLIENT,client=NAME,timeout=TIME, or jack: for the default "
        "server");
  };
  if (!cut.subject.empty()) refuse("-D jack: '" + std::string(cut.subject) + "' is no KEY=VALUE");
  for (const auto& item : cut.items) {
    const std::string key(item.key);
    if (!item.value || item.value->empty()) refuse("-D jack: '" + key + "' has no value");
    const std::string value(*item.value);
    if (key == "server") {
      options.server = value;
    } else if (key == "connect") {
      options.connect = value;
    } else if (key == "client") {
      options.client = value;
    } else if (key == "timeout") {
      options.timeout = parse_duration("-D jack:timeout", value);
      if (options.timeout.count() == 0) refuse("-D jack: the timeout must be above 0");
    } else {
      refuse("-D jack: there is no option '" + key + "'");
    }
  }
  return options;
}

}  // namespace xrunlab
