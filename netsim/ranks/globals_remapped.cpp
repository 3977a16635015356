// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/globals_remapped.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace psim::net {

namespace {
constexpr std::size_t kPage = 4'096;
}

RemappedGlobals::RemappedGlobals(const Program& program, std::uint32_t ranks)
    : image_(program),
      globals_(image_.at(program.file().writable().begin)),
      globals_size_(program.file().writable().size()),
      locals_(image_.thread_locals()),
      locals_size_(program.file().thread_local_bytes()),
      least_(program.file().initialised_bytes() + locals_size_),
      slot_((globals_size_ + locals_size_ + kPage - 1) / kPage * kPage),
      reserved_(std::max<std::size_t>(std::size_t{ranks} * slot_, kPage)),
      file_(::memfd_create("psim-globals", MFD_CLOEXEC)),
      started_(ranks) {
  void* all = MAP_FAILED;
  if (file_ >= 0 && ::ftruncate(file_, static_cast<off_t>(reserved_)) == 0)
    all = ::mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (all == MAP_FAILED) {
    const std::string why = std::strerror(errno);
    if (file_ >= 0) ::close(file_);
    throw UserError(program.path() + ": no memory for the global variables of " + std::to_string(ranks) +
                    " ranks: " + why);
  }
  all_ = static_cast<std::byte*>(all);
  pristine_.assign(globals_, globals_ + globals_size_);
  if (locals_size_ != 0) pristine_.insert(pristine_.end(), locals_, locals_ + locals_size_);
}

RemappedGlobals::~RemappedGlobals() {
  ::munmap(all_, reserved_);
  ::close(file_);
}

// Pages that are zero as loaded stay holes of the file until the rank writes them.
void RemappedGlobals::start(std::uint32_t rank) {
  started_[rank] = true;
  for (std::size_t at = 0; at < pristine_.size(); at += kPage) {
    const std::size_t size = std::min(kPage, pristine_.size() - at);
    const std::byte* page = pristine_.data() + at;
    if (std::any_of(page, page + size, [](std::byte b) { return b != std::byte{0}; }))
      std::memcpy(slot(rank) + at, page, size);
  }
}

void RemappedGlobals::map_in(std::uint32_t rank) {
  if (current_ != kNone && locals_size_ != 0)
    std::memcpy(slot(current_) + globals_size_, locals_, locals_size_);
  if (!started_[rank]) start(rank);
  const auto offset = static_cast<off_t>(std::size_t{rank} * slot_);
  if (globals_size_ != 0 && ::mmap(globals_, globals_size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                   file_, offset) == MAP_FAILED)
    throw UserError(std::string("the global variables of a rank cannot be mapped: ") + std::strerror(errno));
  if (locals_size_ != 0) std::memcpy(locals_, slot(rank) + globals_size_, locals_size_);
  current_ = rank;
}

std::byte* RemappedGlobals::memory(std::uint32_t rank, void* address) const {
  auto* at = static_cast<std::byte*>(address);
  if (rank == current_) return at;
  if (at >= globals_ && at < globals_ + globals_size_) return slot(rank) + (at - globals_);
  if (at >= locals_ && at < locals_ + locals_size_) return slot(rank) + globals_size_ + (at - locals_);
  return at;
}

}  // namespace psim::net
