// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/thread_locals.h"

#include <algorithm>

namespace psim::net {

const std::vector<ThreadLocals::Block>& ThreadLocals::blocks_of(const Image& image) {
  const auto [found, fresh] = blocks_.try_emplace(&image);
  if (!fresh) return found->second;
  for (std::size_t part = 0; part < program_->parts().size(); ++part) {
    const ProgramFile& file = program_->parts()[part].file;
    std::byte* const here = image.thread_locals(part);
    const auto values = file.thread_local_values();
    if (here != nullptr)
      found->second.push_back(
          {{here, file.thread_local_bytes()}, {image.base(part) + values.begin, values.size()}});
  }
  if (fortran_ != nullptr && !fortran_->thread_locals().empty())
    found->second.push_back({fortran_->thread_locals(), fortran_->thread_local_values()});
  return found->second;
}

void ThreadLocals::exchange(const Image& image, Thread* last, Thread& next) {
  const bool fresh = next.thread_locals.empty();
  if (last != nullptr) last->thread_locals.clear();
  std::size_t at = 0;
  for (const auto& [here, values] : blocks_of(image)) {
    if (last != nullptr) last->thread_locals.insert(last->thread_locals.end(), here.begin(), here.end());
    if (fresh)
      std::fill(std::ranges::copy(values, here.begin()).out, here.end(), std::byte{0});
    else
      std::copy_n(next.thread_locals.data() + at, here.size(), here.begin());
    at += here.size();
  }
}

}  // namespace psim::net
