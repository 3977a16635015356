// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/globals_swapped.h"

#include <sys/mman.h>

#include <cstring>

#include "base/error.h"

namespace psim::net {

SwappedGlobals::SwappedGlobals(const Program& program, std::uint32_t ranks)
    : image_(program),
      globals_(image_.at(program.file().variables().begin)),
      globals_size_(program.file().variables().size()),
      locals_(image_.thread_locals()),
      locals_size_(program.file().thread_local_bytes()),
      slot_((globals_size_ + locals_size_ + 63) / 64 * 64),
      reserved_(std::size_t{ranks} * slot_ + 1),
      started_(ranks) {
  void* saved =
      ::mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (saved == MAP_FAILED)
    throw UserError(program.path() + ": no address space for the global variables of " +
                    std::to_string(ranks) + " ranks");
  saved_ = static_cast<std::byte*>(saved);
  pristine_.assign(globals_, globals_ + globals_size_);
  if (locals_size_ != 0) pristine_.insert(pristine_.end(), locals_, locals_ + locals_size_);
}

SwappedGlobals::~SwappedGlobals() { ::munmap(saved_, reserved_); }

void SwappedGlobals::swap_in(std::uint32_t rank) {
  if (current_ != kNone) {
    std::memcpy(slot(current_), globals_, globals_size_);
    if (locals_size_ != 0) std::memcpy(slot(current_) + globals_size_, locals_, locals_size_);
  }
  const std::byte* from = started_[rank] ? slot(rank) : pristine_.data();
  started_[rank] = true;
  std::memcpy(globals_, from, globals_size_);
  if (locals_size_ != 0) std::memcpy(locals_, from + globals_size_, locals_size_);
  current_ = rank;
}

std::byte* SwappedGlobals::memory(std::uint32_t rank, void* address) const {
  auto* at = static_cast<std::byte*>(address);
  if (rank == current_) return at;
  if (at >= globals_ && at < globals_ + globals_size_) return slot(rank) + (at - globals_);
  if (at >= locals_ && at < locals_ + locals_size_) return slot(rank) + globals_size_ + (at - locals_);
  return at;
}

}  // namespace psim::net
