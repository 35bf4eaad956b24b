#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "guard_protocol.hpp"

namespace xrunlab::guard {
namespace {

void become_guard(int socket) noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, "xrunlab-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // It ends when xrunlab has, whatever is sent to both.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  // Whoever reads what xrunlab prints must not wait for the guard.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
  if (socket > 3) ::close_range(3, static_cast<unsigned>(socket) - 1, 0);
  ::close_range(static_cast<unsigned>(socket) + 1, UINT_MAX, 0);
}

std::vector<std::string> cut_texts(std::string_view bytes) {
  std::vector<std::string> texts;
  for (auto end = bytes.find('\0'); end != std::string_view::npos; end = bytes.find('\0')) {
    texts.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  return texts;
}

/// The next request; nothing when xrunlab is gone.
std::optional<Order> receive(int socket) {
  Order order;
  std::string texts(kMostText, '\0');
  iovec parts[2] = {{&order.request, sizeof order.request}, {texts.data(), texts.size()}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < static_cast<ssize_t>(sizeof order.request)) return std::nullopt;
  order.texts =
      cut_texts(std::string_view(texts).substr(0, static_cast<std::size_t>(got) - sizeof order.request));
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return order;
  for (std::size_t at = 0; CMSG_LEN(at) < header->cmsg_len; at += sizeof(int)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header) + at, sizeof fd);
    const UniqueFd given(fd);
    order.descriptors.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstMoved));
  }
  return order;
}

int exit_code_of(int status) noexcept {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Guard {
 public:
  explicit Guard(int socket) noexcept : socket_(socket) {}

  void run() {
    while (const auto order = receive(socket_)) {
      const Reply reply = answer(*order);
      if (::send(socket_, &reply, sizeof reply, MSG_NOSIGNAL) < 0) return;
    }
  }

  void remove_listed() noexcept {
    std::error_code ignored;
    for (const auto& path : listed_) std::filesystem::remove_all(path, ignored);
  }

 private:
  struct Kept {
    pid_t top = 0;
    bool alive = true;
    int exit_code = 0;
  };

  Reply answer(const Order& order) {
    const auto index = static_cast<std::size_t>(order.request.program);
    switch (order.request.command) {
      case Command::start:
        return start(order);
      case Command::stop:
        if (kept_.at(index).alive) ::kill(kept_[index].top, SIGTERM);
        return {};
      case Command::remove_at_end:
        listed_.emplace_back(order.texts.at(0));
        return {};
      case Command::state:
        break;
    }
    return look(kept_.at(index));
  }

  Reply start(const Order& order) {
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0) return {.error = errno};
    const UniqueFd reads(report[0]);
    UniqueFd writes(report[1]);
    const pid_t top = ::fork();
    if (top < 0) return {.error = errno};
    if (top == 0) {
      ::close(socket_);
      keep_program(order, writes.get());
    }
    writes.reset();
    int error = ECHILD;  // it died before it could tell
    while (::read(reads.get(), &error, sizeof error) < 0 && errno == EINTR) {
    }
    if (error != 0) {
      ::waitpid(top, nullptr, 0);
      return {.error = error};
    }
    kept_.push_back({.top = top});
    return {.program = static_cast<std::int32_t>(kept_.size() - 1), .top = top};
  }

  static Reply look(Kept& kept) noexcept {
    int status = 0;
    if (kept.alive && ::waitpid(kept.top, &status, WNOHANG) == kept.top) {
      kept.alive = false;
      kept.exit_code = exit_code_of(status);
    }
    return {.alive = kept.alive ? 1 : 0, .exit_code = kept.exit_code};
  }

  int socket_;
  std::vector<Kept> kept_;
  std::vector<std::filesystem::path> listed_;
};

}  // namespace

void serve(int socket) noexcept {
  become_guard(socket);
  Guard guard(socket);
  try {
    guard.run();
  } catch (...) {  // without memory it can only do what it is there for
  }
  kill_with_shared_memory();
  guard.remove_listed();
  ::_exit(0);
}

}  // namespace xrunlab::guard
