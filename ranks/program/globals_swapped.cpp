// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/globals_swapped.h"

namespace psim::net {

SwappedGlobals::SwappedGlobals(const Program& program, std::uint32_t ranks)
    : image_(program), least_(least_written(program)) {
  const ProgramFile& file = program.file();
  // Whole pages: the last one holds nothing else, so they can be remapped.
  if (file.variables().size() != 0)
    globals_.emplace(image_.at(file.writable().begin), file.writable().size(), ranks, true);
  if (file.thread_local_bytes() != 0)
    locals_.emplace(image_.thread_locals(), file.thread_local_bytes(), ranks, false);
}

void SwappedGlobals::swap_in(std::uint32_t rank) {
  if (globals_) globals_->exchange(current_, rank);
  if (locals_) locals_->exchange(current_, rank);
  current_ = rank;
}

void SwappedGlobals::forget(std::uint32_t rank) {
  if (rank != current_) return;
  if (globals_) globals_->forget(rank);
  if (locals_) locals_->forget(rank);
  current_ = SavedRange::kNone;
}

std::byte* SwappedGlobals::memory(std::uint32_t rank, void* address, std::uint64_t bytes) {
  if (rank != current_ && globals_ && globals_->contains(address))
    return globals_->memory(rank, address, bytes);
  if (rank != current_ && locals_ && locals_->contains(address)) return locals_->memory(rank, address, bytes);
  return static_cast<std::byte*>(address);
}

}  // namespace psim::net
