// SPDX-License-Identifier: Apache-2.0
#include "guest/signal_state.h"

#include <algorithm>
#include <bit>

namespace psim::isa {

bool SignalState::ignored(int number) const {
  const std::uint64_t handler = action(number).handler;
  if (handler == kSigIgnore) return true;
  return handler == kSigDefault && sig::default_action(number) == sig::Default::Ignore;
}

void SignalState::block_temporarily(std::uint64_t mask) {
  if (!to_restore_) to_restore_ = blocked_;
  set_blocked(mask);
}

std::uint64_t SignalState::take_mask_to_restore() {
  const std::uint64_t mask = to_restore_.value_or(blocked_);
  to_restore_.reset();
  return mask;
}

void SignalState::end_temporary_mask() {
  if (to_restore_) blocked_ = *to_restore_;
  to_restore_.reset();
}

void SignalState::raise(const SignalInfo& info) {
  if (info.number < 1 || info.number > sig::kMost) return;
  const bool blocked = blocked_ & sig::bit(info.number);
  if (ignored(info.number) && !blocked) return;
  const auto same = [&](const SignalInfo& other) {
    return other.number == info.number && other.thread == info.thread;
  };
  if (info.number < 32 && std::any_of(pending_.begin(), pending_.end(), same)) return;
  constexpr std::size_t kQueueLimit = 4096;  // of real-time signals; Linux: RLIMIT_SIGPENDING
  if (pending_.size() < kQueueLimit) pending_.push_back(info);
}

std::uint64_t SignalState::pending() const {
  std::uint64_t set = 0;
  for (const SignalInfo& info : pending_)
    if (for_current(info)) set |= sig::bit(info.number);
  return set;
}

std::uint64_t SignalState::pending_for_thread() const {
  std::uint64_t set = 0;
  for (const SignalInfo& info : pending_)
    if (info.thread == thread_) set |= sig::bit(info.number);
  return set;
}

SignalInfo* SignalState::pending_of_timer(int id) {
  const auto found = std::find_if(pending_.begin(), pending_.end(), [id](const SignalInfo& info) {
    return info.code == sig::code::kTimer && info.timer == id;
  });
  return found == pending_.end() ? nullptr : &*found;
}

std::optional<SignalInfo> SignalState::take() { return take_of(~blocked_); }

std::optional<SignalInfo> SignalState::take_of(std::uint64_t set) {
  constexpr std::uint64_t kSynchronous = sig::bit(sig::kSegv) | sig::bit(sig::kBus) | sig::bit(sig::kIll) |
                                         sig::bit(sig::kTrap) | sig::bit(sig::kFpe) | sig::bit(sig::kSys);
  const std::uint64_t candidates = pending() & set;
  if (candidates == 0) return std::nullopt;
  const std::uint64_t first = candidates & kSynchronous ? candidates & kSynchronous : candidates;
  const int number = std::countr_zero(first) + 1;
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const SignalInfo& info) {
    return info.number == number && for_current(info);
  });
  const SignalInfo info = *found;
  pending_.erase(found);
  return info;
}

void SignalState::keep_thread(std::uint32_t id) {
  std::erase_if(pending_, [this](const SignalInfo& info) { return !for_current(info); });
  for (SignalInfo& info : pending_)
    if (info.thread != 0) info.thread = id;
  thread_ = id;
}

void SignalState::discard(int number) {
  std::erase_if(pending_, [&](const SignalInfo& info) { return info.number == number; });
}

}  // namespace psim::isa
