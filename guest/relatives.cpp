// SPDX-License-Identifier: Apache-2.0
#include "guest/relatives.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace psim::isa {

struct Relatives::Family {
  std::atomic<std::uint32_t> forked;
  std::atomic<pid_t> host[kMost + 1];  // of guest kFirst + index
  std::atomic<bool> gone[kMost + 1];   // it was found to have ended
};

Relatives::~Relatives() {
  if (family_) ::munmap(family_, sizeof(Family));
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

bool Relatives::others_live() const {
  const std::uint32_t forked = family_ ? std::min(family_->forked.load(), kMost) : 0;
  for (std::uint32_t i = 0; family_ && i <= forked; ++i) {
    const pid_t host = family_->host[i];
    if (kFirst + i == self_ || family_->gone[i]) continue;
    // A process that is just being forked has no number yet.
    if (host == 0 || !has_ended(host)) return true;
    family_->gone[i] = true;
  }
  return false;
}

std::uint32_t Relatives::next_child() {
  if (!family_) {
    void* memory = ::mmap(nullptr, sizeof(Family), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    family_ = static_cast<Family*>(memory);  // zeroed memory is a valid value of it
    family_->host[0] = ::getpid();
  }
  const std::uint32_t index = ++family_->forked;
  return index <= kMost ? kFirst + index : 0;
}

void Relatives::record(std::uint32_t guest, pid_t host) { family_->host[guest - kFirst] = host; }

void Relatives::become(std::uint32_t guest) {
  parent_ = self_;
  self_ = guest;
  record(guest, ::getpid());
}

pid_t Relatives::host_of(std::uint32_t guest) const {
  if (guest == self_) return ::getpid();
  if (!family_ || guest < kFirst || guest - kFirst > kMost) return 0;
  return family_->host[guest - kFirst];
}

std::uint32_t Relatives::guest_of(pid_t host) const {
  if (host == ::getpid()) return self_;
  if (!family_ || host <= 0) return 0;
  const std::uint32_t forked = family_->forked;
  // The latest first, since hosts reuse numbers.
  for (std::uint32_t i = forked < kMost ? forked : kMost; i + 1 > 0; --i)
    if (family_->host[i] == host) return kFirst + i;
  return 0;
}

std::vector<std::uint32_t> Relatives::others() const {
  std::vector<std::uint32_t> numbers;
  const std::uint32_t forked = family_ ? std::min(family_->forked.load(), kMost) : 0;
  for (std::uint32_t i = 0; family_ && i <= forked; ++i)
    if (kFirst + i != self_ && family_->host[i] > 0) numbers.push_back(kFirst + i);
  return numbers;
}

}  // namespace psim::isa
