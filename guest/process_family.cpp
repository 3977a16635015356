// SPDX-License-Identifier: Apache-2.0
#include "guest/process_family.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace psim::isa {

struct ProcessFamily::Shared {
  std::atomic<std::uint32_t> forked;
  std::atomic<pid_t> host[kMost + 1];  // of guest kFirst + index
  std::atomic<bool> gone[kMost + 1];   // it was found to have ended
};

ProcessFamily::~ProcessFamily() {
  if (shared_) ::munmap(shared_, sizeof(Shared));
}

namespace {

/// Returns true if a process has ended, whether its parent has waited for it or not. Returns false if the
/// host cannot say.
bool has_ended(pid_t host) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, host, 0));
  if (process < 0) return errno == ESRCH;
  struct pollfd one {
    process, POLLIN, 0
  };
  const bool ended = ::poll(&one, 1, 0) == 1;
  ::close(process);
  return ended;
}

}  // namespace

bool ProcessFamily::others_live() const {
  const std::uint32_t forked = shared_ ? std::min(shared_->forked.load(), kMost) : 0;
  for (std::uint32_t i = 0; shared_ && i <= forked; ++i) {
    const pid_t host = shared_->host[i];
    if (kFirst + i == self_ || shared_->gone[i]) continue;
    // A process that is just being forked has no number yet.
    if (host == 0 || !has_ended(host)) return true;
    shared_->gone[i] = true;
  }
  return false;
}

std::uint32_t ProcessFamily::next_child() {
  if (!shared_) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    shared_ = static_cast<Shared*>(memory);  // zeroed memory is a valid value of it
    shared_->host[0] = ::getpid();
  }
  const std::uint32_t index = ++shared_->forked;
  return index <= kMost ? kFirst + index : 0;
}

void ProcessFamily::record(std::uint32_t guest, pid_t host) { shared_->host[guest - kFirst] = host; }

void ProcessFamily::become(std::uint32_t guest) {
  parent_ = self_;
  self_ = guest;
  record(guest, ::getpid());
}

pid_t ProcessFamily::host_of(std::uint32_t guest) const {
  if (guest == self_) return ::getpid();
  if (!shared_ || guest < kFirst || guest - kFirst > kMost) return 0;
  return shared_->host[guest - kFirst];
}

std::uint32_t ProcessFamily::guest_of(pid_t host) const {
  if (host == ::getpid()) return self_;
  if (!shared_ || host <= 0) return 0;
  const std::uint32_t forked = shared_->forked;
  // The latest first, since hosts reuse numbers.
  for (std::uint32_t i = forked < kMost ? forked : kMost; i + 1 > 0; --i)
    if (shared_->host[i] == host) return kFirst + i;
  return 0;
}

std::vector<std::uint32_t> ProcessFamily::others() const {
  std::vector<std::uint32_t> numbers;
  const std::uint32_t forked = shared_ ? std::min(shared_->forked.load(), kMost) : 0;
  for (std::uint32_t i = 0; shared_ && i <= forked; ++i)
    if (kFirst + i != self_ && shared_->host[i] > 0) numbers.push_back(kFirst + i);
  return numbers;
}

}  // namespace psim::isa
