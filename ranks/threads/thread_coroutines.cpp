// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/thread_coroutines.h"

#include <algorithm>

namespace psim::net {

ThreadCoroutine ThreadCoroutines::take(Bytes stack) {
  stack.count = std::max(stack.count, kStack.count);
  // The last one released, whose stack is still in the caches.
  auto found = std::find_if(free_.rbegin(), free_.rend(),
                            [&](const ThreadCoroutine& coroutine) { return coroutine.stack >= stack; });
  if (found == free_.rend()) {
    const std::uint32_t count = stack.count == kStack.count ? 16 : 1;
    sets_.push_back(std::make_unique<Fibers>(count, stack, body_, context_));
    for (std::uint32_t fiber = count; fiber-- > 0;)
      free_.push_back({sets_.back().get(), fiber, stack, made_ + fiber});
    made_ += count;
    found = free_.rbegin();
  }
  const ThreadCoroutine coroutine = *found;
  free_.erase(std::next(found).base());
  return coroutine;
}

}  // namespace psim::net
