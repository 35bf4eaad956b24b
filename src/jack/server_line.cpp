#include "xrunlab/jack/server_line.hpp"

namespace xrunlab {
namespace {

bool has(std::string_view line, std::string_view text) noexcept {
  return line.find(text) != std::string_view::npos;
}

}  // namespace

ServerLine read_server_line(std::string_view line) noexcept {
  if (has(line, "JackEngine::XRun: client") && (has(line, "was not finished") || has(line, "was not run") ||
                                                has(line, "finished after current callback"))) {
    return ServerLine::client_not_finished;
  }
  if (has(line, "JackTimedDriver::Process XRun") || has(line, "xrun of at least"))
    return ServerLine::driver_late;
  if (has(line, "message buffer overruns")) return ServerLine::lines_lost;
  return ServerLine::other;
}

}  // namespace xrunlab
