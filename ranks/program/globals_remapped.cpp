// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/globals_remapped.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace psim::net {

RemappedGlobals::RemappedGlobals(const Program& program, std::uint32_t ranks)
    : image_(program), least_(least_written(program)) {
  const ProgramFile& file = program.file();
  const auto pages = file.writable();
  const std::size_t first = file.initialised().size();  // whole pages
  zeros_ = image_.at(pages.begin) + first;
  size_ = pages.size() - first;
  // An array may begin in the last of the first pages and continue after it: for each rank both parts are
  // contiguous.
  stride_ = first + size_;
  reserved_ = std::max(std::size_t{ranks} * stride_, SavedRange::kPage);
  file_ = ::memfd_create("psim-globals", MFD_CLOEXEC);
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
  if (first != 0)
    initialised_.emplace(image_.at(pages.begin), first, ranks, true, SavedRange::Storage{all_, stride_});
  if (file.thread_local_bytes() != 0)
    locals_.emplace(image_.thread_locals(), file.thread_local_bytes(), ranks, false);
}

RemappedGlobals::~RemappedGlobals() {
  ::munmap(all_, reserved_);
  ::close(file_);
}

void RemappedGlobals::map_in(std::uint32_t rank) {
  if (initialised_) initialised_->exchange(current_, rank);
  if (locals_) locals_->exchange(current_, rank);
  // Pages remain holes of the file until the rank touches them.
  const off_t offset = zeros_of(rank);
  if (size_ != 0 &&
      ::mmap(zeros_, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, offset) == MAP_FAILED)
    throw UserError(std::string("the global variables of a rank cannot be mapped: ") + std::strerror(errno));
  current_ = rank;
}

// Gives the copy pages of its own, because it shares the file's with the rank that makes it. Holes remain
// holes.
void RemappedGlobals::before_fork() {
  if (size_ == 0) return;
  void* own =
      ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (own == MAP_FAILED) return;  // fork() fails too then
  own_ = static_cast<std::byte*>(own);
  const off_t begin = zeros_of(current_);
  const auto end = begin + static_cast<off_t>(size_);
  for (off_t at = begin; (at = ::lseek(file_, at, SEEK_DATA)) >= 0 && at < end;) {
    const off_t hole = std::min(end, ::lseek(file_, at, SEEK_HOLE));
    std::memcpy(own_ + (at - begin), zeros_ + (at - begin), static_cast<std::size_t>(hole - at));
    at = hole;
  }
}

void RemappedGlobals::after_fork(bool is_copy) {
  if (own_ == nullptr) return;
  if (!is_copy)
    ::munmap(own_, size_);
  else if (::mremap(own_, size_, size_, MREMAP_MAYMOVE | MREMAP_FIXED, zeros_) == MAP_FAILED)
    ::_exit(127);
  own_ = nullptr;
}

std::byte* RemappedGlobals::memory(std::uint32_t rank, void* address, std::uint64_t bytes) {
  auto* at = static_cast<std::byte*>(address);
  if (rank == current_) return at;
  if (at >= zeros_ && at < zeros_ + size_) return all_ + zeros_of(rank) + (at - zeros_);
  if (initialised_ && initialised_->contains(at)) return initialised_->memory(rank, at, bytes);
  if (locals_ && locals_->contains(at)) return locals_->memory(rank, at, bytes);
  return at;
}

}  // namespace psim::net
