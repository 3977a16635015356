// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/thread_places.h"

#include <algorithm>

namespace psim::net {

ThreadPlace ThreadPlaces::take(Bytes stack) {
  stack.count = std::max(stack.count, kStack.count);
  // The last one released, whose stack is still in the caches.
  auto found = std::find_if(free_.rbegin(), free_.rend(),
                            [&](const ThreadPlace& place) { return place.stack >= stack; });
  if (found == free_.rend()) {
    const std::uint32_t count = stack.count == kStack.count ? 16 : 1;
    sets_.push_back(std::make_unique<Fibers>(count, stack, body_, context_));
    for (std::uint32_t fiber = count; fiber-- > 0;)
      free_.push_back({sets_.back().get(), fiber, stack, made_ + fiber});
    made_ += count;
    found = free_.rbegin();
  }
  const ThreadPlace place = *found;
  free_.erase(std::next(found).base());
  return place;
}

}  // namespace psim::net
