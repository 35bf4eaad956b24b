#include "xrunlab/platform/guard_process.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "guard_protocol.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kLook = std::chrono::milliseconds{2};
constexpr Nanoseconds kKillPatience = std::chrono::seconds{3};
constexpr Nanoseconds kEndPatience = std::chrono::seconds{5};
// A program may have to come from a disk that is busy.
constexpr time_t kReplySeconds = 60;

[[noreturn]] void fail_guard(const std::string& what, int error) {
  throw Error(ExitCode::system, what + ": " + errno_text(error));
}

UniqueFd open_or_fail(const std::filesystem::path& path, int flags) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (!fd) fail_guard("cannot open " + path.string(), errno);
  return fd;
}

void add_text(std::string& payload, const std::string& text) {
  payload += text;
  payload += '\0';
}

void send_request(int socket, const guard::Request& request, const std::string& texts,
                  const std::vector<int>& descriptors) {
  guard::Request head = request;
  iovec parts[2] = {{&head, sizeof head}, {const_cast<char*>(texts.data()), texts.size()}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * guard::kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof(int) * descriptors.size());
  }
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) fail_guard("the guard process cannot be reached", errno);
}

guard::Reply call(int socket, const guard::Request& request, const std::string& texts = {},
                  const std::vector<int>& descriptors = {}) {
  send_request(socket, request, texts, descriptors);
  guard::Reply reply;
  ssize_t got = 0;
  do {
    got = ::recv(socket, &reply, sizeof reply, 0);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof reply) return reply;
  const int error = got < 0 ? errno : ECONNRESET;
  // What it answers later would be taken for the answer to something else. It ends what it has started.
  ::shutdown(socket, SHUT_RDWR);
  fail_guard(got < 0 ? "the guard process does not answer" : "the guard process has ended", error);
}

}  // namespace

GuardProcess::GuardProcess() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    fail_guard("cannot make a socket pair", errno);
  socket_.reset(ends[0]);
  UniqueFd guards_end(ends[1]);
  const timeval patience{kReplySeconds, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  guard_ = ::fork();
  if (guard_ < 0) fail_guard("cannot fork the guard process", errno);
  if (guard_ == 0) guard::serve(guards_end.get());
}

GuardProcess::~GuardProcess() {
  socket_.reset();
  SystemClock clock;
  const Nanoseconds until = clock.now() + kEndPatience;
  while (::waitpid(guard_, nullptr, WNOHANG) == 0 && clock.now() < until)
    clock.sleep_until(clock.now() + kLook);
}

ProgramId GuardProcess::start(const ProgramStart& start) {
  std::string texts;
  add_text(texts, start.program.empty() ? start.argv.at(0) : start.program);
  add_text(texts, start.directory.string());
  for (const auto& argument : start.argv) add_text(texts, argument);
  for (const auto& variable : start.environment) add_text(texts, variable);
  if (texts.size() > guard::kMostText || start.handed.size() + 3 > guard::kMostDescriptors) {
    throw Error(ExitCode::usage, "the command line of " + start.argv[0] + " is too long");
  }
  const UniqueFd nothing = open_or_fail("/dev/null", O_RDWR);
  UniqueFd log;
  if (!start.log.empty()) log = open_or_fail(start.log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  const int unset = log ? log.get() : nothing.get();
  std::vector<int> descriptors{start.in < 0 ? nothing.get() : start.in, start.out < 0 ? unset : start.out,
                               start.err < 0 ? unset : start.err};
  descriptors.insert(descriptors.end(), start.handed.begin(), start.handed.end());
  const guard::Request request{.command = guard::Command::start,
                               .arguments = static_cast<std::int32_t>(start.argv.size()),
                               .oom_score_adj = start.oom_score_adj,
                               .patience_ns = start.patience.count()};
  const guard::Reply reply = call(socket_.get(), request, texts, descriptors);
  if (reply.error != 0) fail_guard("cannot start " + start.argv[0], reply.error);
  started_.push_back({reply.top, start.patience});
  return static_cast<ProgramId>(reply.program);
}

ProgramState GuardProcess::state(ProgramId program) {
  const auto index = static_cast<std::int32_t>(program);
  const guard::Reply reply = call(socket_.get(), {.command = guard::Command::state, .program = index});
  if (reply.alive == 0) started_.at(static_cast<std::size_t>(index)).top = 0;
  return {reply.alive != 0, reply.exit_code};
}

std::string GuardProcess::fault(ProgramId program, const std::function<std::string()>& last_words) {
  ProgramState now;
  try {
    now = state(program);
  } catch (const Error& error) {
    return error.what();
  }
  if (now.alive) return {};
  const std::string printed = last_words();
  return "it ended with exit code " + std::to_string(now.exit_code) +
         (printed.empty() ? "" : " (" + printed + ")");
}

ProgramState GuardProcess::stop(ProgramId program) {
  const auto index = static_cast<std::int32_t>(program);
  const Nanoseconds patience = started_.at(static_cast<std::size_t>(index)).patience;
  call(socket_.get(), {.command = guard::Command::stop, .program = index});
  SystemClock clock;
  const Nanoseconds until = clock.now() + patience + kKillPatience;
  ProgramState now = state(program);
  while (now.alive && clock.now() < until) {
    clock.sleep_until(clock.now() + kLook);
    now = state(program);
  }
  return now;
}

pid_t GuardProcess::top(ProgramId program) const {
  return started_.at(static_cast<std::size_t>(program)).top;
}

void GuardProcess::remove_at_end(const std::filesystem::path& path) {
  std::string texts;
  add_text(texts, std::filesystem::absolute(path).string());
  if (texts.size() > guard::kMostText)
    throw Error(ExitCode::usage, "the path " + path.string() + " is too long");
  call(socket_.get(), {.command = guard::Command::remove_at_end}, texts);
}

}  // namespace xrunlab
