// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/thread_locals.h"

#include <algorithm>
#include <span>

namespace psim::net {

const std::vector<std::byte*>& ThreadLocals::places_of(const Image& image) {
  const auto [found, fresh] = places_.try_emplace(&image);
  if (fresh)
    for (std::size_t part = 0; part < program_->parts().size(); ++part)
      found->second.push_back(image.thread_locals(part));
  return found->second;
}

void ThreadLocals::exchange(const Image& image, Thread* last, Thread& next) {
  const auto& parts = program_->parts();
  const std::vector<std::byte*>& places = places_of(image);
  const bool fresh = next.thread_locals.empty();
  if (last != nullptr) last->thread_locals.clear();
  std::size_t at = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const ProgramFile& file = parts[part].file;
    std::byte* const here = places[part];
    if (here == nullptr) continue;
    const std::size_t size = file.thread_local_bytes();
    if (last != nullptr) last->thread_locals.insert(last->thread_locals.end(), here, here + size);
    if (fresh) {
      const auto values = file.thread_local_values();
      const std::byte* const from = image.base(part) + values.begin;
      std::fill(std::copy(from, from + values.size(), here), here + size, std::byte{0});
    } else {
      std::copy_n(next.thread_locals.data() + at, size, here);
    }
    at += size;
  }
}

}  // namespace psim::net
