#include "xrunlab/jack/cycle_board.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<JackStage>::is_always_lock_free,
              "a lock would be in one process only");

struct alignas(64) CycleBoard::Head {
  std::int32_t seats = 0;
  std::atomic<std::uint32_t> stop{0};
};

const char* call_of(JackStage stage) noexcept {
  switch (stage) {
    case JackStage::opening:
      return "jack_client_open";
    case JackStage::registering:
      return "jack_port_register";
    case JackStage::activating:
      return "jack_activate";
    case JackStage::connecting:
      return "jack_connect";
    case JackStage::closing:
      return "jack_client_close";
    case JackStage::starting:
    case JackStage::working:
    case JackStage::closed:
    case JackStage::failed:
      break;
  }
  return "the start of its process";
}

void CycleSeat::fail(const std::string& why) noexcept {
  std::snprintf(what, sizeof what, "%s", why.c_str());
  stage.store(JackStage::failed, std::memory_order_release);
}

void StampReader::read(std::vector<CycleStamp>& stamps) {
  const std::uint64_t written = seat_->written.load(std::memory_order_acquire);
  if (written - next_ > CycleSeat::kStamps) {
    lost_ += static_cast<std::int64_t>(written - next_ - CycleSeat::kStamps);
    next_ = written - CycleSeat::kStamps;
  }
  while (next_ != written) {
    const auto& words = seat_->stamps[next_ % CycleSeat::kStamps];
    const auto word = [&words](std::size_t index) { return words[index].load(std::memory_order_acquire); };
    const CycleStamp stamp{static_cast<std::uint32_t>(word(0)), word(1), word(2), word(3), word(4)};
    // After the words: the one being written may already hold words of the next round.
    const std::uint64_t now = seat_->written.load(std::memory_order_relaxed);
    if (now - next_ >= CycleSeat::kStamps) {
      ++lost_;
    } else {
      stamps.push_back(stamp);
    }
    ++next_;
  }
}

CycleBoard::CycleBoard(int seats) : fd_(::memfd_create("xrunlab-cycles", MFD_CLOEXEC)) {
  const std::size_t size = sizeof(Head) + sizeof(CycleSeat) * static_cast<std::size_t>(seats);
  if (!fd_ || ::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) {
    throw Error(ExitCode::system, "cannot make memory to be shared with JACK clients: " + errno_text(errno));
  }
  map(size);
  head_ = new (head_) Head{.seats = seats};
  for (int index = 0; index < seats; ++index) new (&seat(index)) CycleSeat();
}

CycleBoard::CycleBoard(UniqueFd fd) : fd_(std::move(fd)) {
  struct stat status {};
  const bool is_board = ::fstat(fd_.get(), &status) == 0 && status.st_size > static_cast<off_t>(sizeof(Head));
  if (is_board) map(static_cast<std::size_t>(status.st_size));
  if (!is_board ||
      size_ != sizeof(Head) + sizeof(CycleSeat) * static_cast<std::size_t>(std::max(0, seats()))) {
    throw Error(ExitCode::usage, "jack-client is started by xrunlab itself", "use xrunlab jack");
  }
}

CycleBoard::~CycleBoard() {
  if (head_ != nullptr) ::munmap(head_, size_);
}

void CycleBoard::map(std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (memory == MAP_FAILED) {
    throw Error(ExitCode::system, "cannot share memory with JACK clients: " + errno_text(errno));
  }
  head_ = static_cast<Head*>(memory);
  size_ = size;
}

int CycleBoard::seats() const noexcept {
  return head_->seats;
}

CycleSeat& CycleBoard::seat(int index) const noexcept {
  auto* const first = reinterpret_cast<CycleSeat*>(reinterpret_cast<std::byte*>(head_) + sizeof(Head));
  return first[index];
}

void CycleBoard::stop() noexcept {
  head_->stop.store(1, std::memory_order_release);
}

bool CycleBoard::stopped() const noexcept {
  return head_->stop.load(std::memory_order_acquire) != 0;
}

}  // namespace xrunlab
