// SPDX-License-Identifier: Apache-2.0
#include "guest/thread_turns.h"

#include <algorithm>

namespace psim::isa {

void ThreadTurns::open_window(std::uint64_t begin) {
  begin_ = begin, end_ = begin + kWindow;
  core_ = 0, idle_ = true, retry_ = Threads::kNever;
}

ThreadTurns::Turn ThreadTurns::next(std::uint64_t now) {
  const std::uint32_t cores = threads_.placement().cores;
  if (cores == 1) {
    const Threads::Choice choice = threads_.choose(0, now, true);
    return choice.thread == nullptr ? Turn{nullptr, now, choice.retry}
                                    : Turn{choice.thread, now, threads_.turn_end(0)};
  }
  if (waits_) open_window(now);
  for (waits_ = false;; open_window(end_), now = begin_) {
    for (; core_ < cores; ++core_, now = begin_) {
      while (now < end_) {
        const Threads::Choice choice = threads_.choose(core_, now, true);
        if (choice.thread != nullptr) {
          idle_ = false;
          return {choice.thread, now, std::min(end_, threads_.turn_end(core_))};
        }
        now = choice.retry;
        retry_ = std::min(retry_, choice.retry);
      }
    }
    if (!idle_) continue;
    waits_ = true;
    return {nullptr, begin_, retry_};
  }
}

}  // namespace psim::isa
