#include "xrunlab/jack/jack_server.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/jack/server_line.hpp"
#include "xrunlab/platform/shared_memory.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kReadyLook = std::chrono::milliseconds{10};
// It closes its driver and tells its clients, which takes about half a second.
constexpr Nanoseconds kServerPatience = std::chrono::seconds{3};
// Where all clients are late it prints two lines a period; one look a second must be enough.
constexpr int kPipeBytes = 1 << 20;
constexpr std::string_view kAlsa = "alsa:";
constexpr int kSignalled = 128;  // an exit code above: by a signal

std::filesystem::path server_socket(const std::string& name) {
  return "/dev/shm/jack_" + name + "_" + std::to_string(::getuid()) + "_0";
}

std::vector<std::string> command_of(const JackServerRequest& request, const std::string& name) {
  std::vector<std::string> argv{"jackd", "-n", name};
  if (request.priority > 0) {
    argv.emplace_back("-R");
    argv.push_back("-P" + std::to_string(request.priority));
  } else {
    argv.emplace_back("-r");
  }
  argv.push_back("-p" + std::to_string(request.ports));
  const bool alsa = request.choice.driver == JackDriver::alsa;
  argv.push_back(alsa ? "-dalsa" : "-ddummy");
  argv.push_back("-r" + std::to_string(request.rate.hz));
  argv.push_back("-p" + std::to_string(request.period));
  if (alsa) {
    argv.push_back("-n" + std::to_string(request.periods));
    argv.push_back("-P" + request.choice.device);  // playback only, as in 2004
  }
  return argv;
}

}  // namespace

JackServerChoice parse_jack_server(std::string_view option, std::string_view text) {
  if (text == "dummy") return {};
  if (text == "running") return {JackDriver::running, {}};
  if (text.starts_with(kAlsa) && text.size() > kAlsa.size()) {
    return {JackDriver::alsa, std::string(text.substr(kAlsa.size()))};
  }
  throw Error(ExitCode::usage, std::string(option) + ": '" + std::string(text) + "' is no server",
              "give dummy, alsa:hw:0 or another card, or running");
}

std::string to_string(const JackServerChoice& choice) {
  if (choice.driver == JackDriver::running) return "running";
  return choice.driver == JackDriver::dummy ? "dummy" : std::string(kAlsa) + choice.device;
}

std::string running_jack_server() {
  const char* const name = std::getenv("JACK_DEFAULT_SERVER");
  return name != nullptr && *name != '\0' ? name : "default";
}

JackServer::JackServer(GuardProcess& guard, const JackServerRequest& request)
    : guard_(guard), name_("xrunlab-" + std::to_string(::getpid()) + request.tag) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ExitCode::system, "cannot make a pipe: " + errno_text(errno));
  output_.reset(ends[0]);
  const UniqueFd servers_end(ends[1]);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETPIPE_SZ, kPipeBytes);
  start_remedy_ = request.choice.driver == JackDriver::alsa ? "xrunlab cards lists what can be named"
                                                            : "see what jackd -d dummy says by itself";
  ProgramStart start;
  start.argv = command_of(request, name_);
  start.err = servers_end.get();  // what it says on stdout is its licence
  start.patience = kServerPatience;
  // Without a session bus nobody could have reserved the card, and jackd would refuse to go on.
  if (std::getenv("DBUS_SESSION_BUS_ADDRESS") == nullptr) start.environment = {"JACK_NO_AUDIO_RESERVATION=1"};
  guard_.remove_at_end(server_socket(name_));
  try {
    program_ = guard_.start(start);
  } catch (const Error& error) {
    throw Error(ExitCode::not_possible, error.what(), "apt-get install jackd2");
  }
}

JackServer::~JackServer() {
  try {
    note_shared_memory();
    const ProgramState ended = guard_.stop(program_);
    // Else it has cleaned up itself. Killed, it would for ever keep one of the eight places for servers in
    // the registry that all of them share: that goes too, unless another server has it.
    if (ended.exit_code > kSignalled) remove_unmapped({shared_memory_.begin(), shared_memory_.end()});
  } catch (const std::exception&) {  // the guard is gone, and so is the server
  }
}

bool JackServer::wait_until_ready(Nanoseconds timeout,
                                  const std::function<bool(Nanoseconds)>& interrupted_within) {
  SystemClock clock;
  const Nanoseconds until = clock.now() + timeout;
  while (!std::filesystem::exists(server_socket(name_))) {
    if (const std::string why = fault(); !why.empty()) {
      const bool more = !first_line_.empty() && first_line_ != last_line_;
      throw Error(ExitCode::audio_device,
                  "jackd could not be started: " + why + (more ? "; before: " + first_line_ : ""),
                  start_remedy_);
    }
    if (clock.now() > until) {
      throw Error(ExitCode::audio_device,
                  "jackd was not ready after " + spoken_duration(timeout.count()) +
                      (last_line_.empty() ? "" : ": " + last_line_),
                  "give it longer with --timeout");
    }
    if (interrupted_within(kReadyLook)) return false;
  }
  return true;
}

void JackServer::note_shared_memory() {
  const pid_t top = guard_.top(program_);
  if (top <= 0) return;
  for (auto& path : shared_memory_of_tree(top)) shared_memory_.insert(std::move(path));
}

std::string JackServer::fault() {
  return guard_.fault(program_, [this] {
    read_output();
    return last_line_;
  });
}

const JackServerCounts& JackServer::counts() {
  read_output();
  return counts_;
}

void JackServer::read_output() {
  std::array<char, 16 * 1024> bytes;
  for (;;) {
    const ssize_t got = ::read(output_.get(), bytes.data(), bytes.size());
    if (got <= 0) return;
    cut_line_.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (auto end = cut_line_.find('\n'); end != std::string::npos; end = cut_line_.find('\n', begin)) {
      const std::string_view line = std::string_view(cut_line_).substr(begin, end - begin);
      begin = end + 1;
      const ServerLine kind = read_server_line(line);
      counts_.client_not_finished += kind == ServerLine::client_not_finished ? 1 : 0;
      counts_.driver_late += kind == ServerLine::driver_late ? 1 : 0;
      counts_.lines_lost += kind == ServerLine::lines_lost ? 1 : 0;
      if (kind != ServerLine::other || line.empty()) continue;
      last_line_ = line;
      if (first_line_.empty() && !line.starts_with("ALSA lib ")) first_line_ = line;
    }
    cut_line_.erase(0, begin);
  }
}

}  // namespace xrunlab
