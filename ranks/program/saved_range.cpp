// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/saved_range.h"

#include <emmintrin.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace psim::net {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Reserves address space that costs memory only when it is written.
void* reserve(std::size_t bytes) {
  void* at = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw UserError("no address space for the global variables of the ranks: " +
                    std::string(std::strerror(errno)));
  ::madvise(at, bytes, MADV_NOHUGEPAGE);  // a huge page would commit 2 MiB for a few lines
  return at;
}

bool zero(const std::byte* at, std::size_t size) {
  return std::all_of(at, at + size, [](std::byte b) { return b == std::byte{0}; });
}

inline bool same_line(const std::byte* a, const std::byte* b) {
  const auto load = [](const std::byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
  const __m128i low =
      _mm_or_si128(_mm_xor_si128(load(a), load(b)), _mm_xor_si128(load(a + 16), load(b + 16)));
  const __m128i high =
      _mm_or_si128(_mm_xor_si128(load(a + 32), load(b + 32)), _mm_xor_si128(load(a + 48), load(b + 48)));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(low, high), _mm_setzero_si128())) == 0xffff;
}

}  // namespace

SavedRange::SavedRange(std::byte* live, std::size_t size, std::uint32_t ranks, bool own_pages,
                       Storage storage)
    : live_(live),
      size_(size),
      pages_((size + kPage - 1) / kPage),
      slot_(pages_ * kPage),
      stride_(storage.first != nullptr ? storage.stride : (size_ + kLine - 1) / kLine * kLine),
      ranks_(ranks),
      own_storage_(storage.first == nullptr),
      is_compared_(pages_) {
  saved_ = own_storage_ ? static_cast<std::byte*>(reserve(std::size_t{ranks} * stride_)) : storage.first;
  lines_ = static_cast<std::uint64_t*>(reserve(std::size_t{ranks} * pages_ * sizeof(std::uint64_t)));
  if (own_pages && pages_ > kMostCompared) map_pristine();
  if (file_ >= 0) return;
  copy_.assign(live_, live_ + size_);
  pristine_ = copy_.data();
  for (std::size_t page = 0; page < pages_; ++page) compare(page);
}

SavedRange::~SavedRange() {
  if (own_storage_) ::munmap(saved_, std::max<std::size_t>(std::size_t{ranks_} * stride_, 1));
  ::munmap(lines_, std::max<std::size_t>(std::size_t{ranks_} * pages_ * sizeof(std::uint64_t), 1));
  if (file_ < 0) return;
  ::munmap(pristine_, slot_);
  ::close(file_);
  ::close(pages_file_);
}

/// Makes the range a private mapping of a file with its contents. A page becomes the process's own when it is
/// written, which the kernel's page map shows (Documentation/admin-guide/mm/pagemap.rst: bit 61). If the host
/// does not allow this, all pages are compared.
void SavedRange::map_pristine() {
  const int pages_file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const int file = ::memfd_create("psim-globals", MFD_CLOEXEC);
  void* pristine = MAP_FAILED;
  if (pages_file >= 0 && file >= 0 && ::ftruncate(file, static_cast<off_t>(slot_)) == 0)
    pristine = ::mmap(nullptr, slot_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pristine != MAP_FAILED) {
    for (std::size_t at = 0; at < size_; at += kPage) {  // pages of zeros remain holes
      const std::size_t bytes = std::min(kPage, size_ - at);
      if (!zero(live_ + at, bytes)) std::memcpy(static_cast<std::byte*>(pristine) + at, live_ + at, bytes);
    }
    entries_.resize(pages_);
    const auto map = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(live_) / kPage * sizeof entries_[0]);
    const auto wanted = static_cast<ssize_t>(pages_ * sizeof entries_[0]);
    if (::pread(pages_file, entries_.data(), static_cast<std::size_t>(wanted), map) == wanted &&
        ::mmap(live_, slot_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED) {
      pristine_ = static_cast<std::byte*>(pristine);
      file_ = file;
      pages_file_ = pages_file;
      return;
    }
    ::munmap(pristine, slot_);
  }
  if (file >= 0) ::close(file);
  if (pages_file >= 0) ::close(pages_file);
}

void SavedRange::compare(std::size_t page) {
  if (is_compared_[page]) return;
  is_compared_[page] = true;
  compared_.push_back(page);
}

void SavedRange::find_written() {
  const auto map = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(live_) / kPage * sizeof entries_[0]);
  const auto bytes = pages_ * sizeof entries_[0];
  if (::pread(pages_file_, entries_.data(), bytes, map) != static_cast<ssize_t>(bytes))
    throw UserError(std::string("/proc/self/pagemap: can no longer be read: ") + std::strerror(errno));
  constexpr std::uint64_t kPresent = std::uint64_t{1} << 63, kSwapped = std::uint64_t{1} << 62,
                          kOfFile = std::uint64_t{1} << 61;
  for (std::size_t page = 0; page < pages_; ++page)
    if ((entries_[page] & kSwapped) != 0 || (entries_[page] & (kPresent | kOfFile)) == kPresent)
      compare(page);
  if (pages_ - compared_.size() > kMostCompared) return;
  for (std::size_t page = 0; page < pages_; ++page) compare(page);
}

/// Returns a bit for each line of a page of the range; the last page may be cut.
std::uint64_t SavedRange::lines_of(std::size_t page) const {
  const std::size_t bytes = std::min(kPage, size_ - page * kPage), count = (bytes + kLine - 1) / kLine;
  return kAll >> (64 - count);
}

std::uint64_t SavedRange::different_lines(std::size_t page) const {
  const std::byte *now = live_ + page * kPage, *then = pristine_ + page * kPage;
  const std::size_t bytes = std::min(kPage, size_ - page * kPage), whole = bytes / kLine;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < whole; ++i)
    different |= std::uint64_t{!same_line(now + i * kLine, then + i * kLine)} << i;
  if (const std::size_t rest = bytes % kLine; rest != 0)
    different |= std::uint64_t{std::memcmp(now + whole * kLine, then + whole * kLine, rest) != 0} << whole;
  return different;
}

/// Copies lines of a page; `from` and `to` are addresses of the page.
void SavedRange::copy(std::size_t page, std::uint64_t lines, const std::byte* from, std::byte* to) const {
  const std::size_t bytes = std::min(kPage, size_ - page * kPage);
  while (lines != 0) {
    const auto first = static_cast<std::size_t>(std::countr_zero(lines));
    const auto run = static_cast<std::size_t>(std::countr_one(lines >> first));
    const std::size_t at = first * kLine;
    std::memcpy(to + at, from + at, std::min(run * kLine, bytes - at));
    if (first + run == 64) return;
    lines &= kAll << (first + run);
  }
}

void SavedRange::exchange(std::uint32_t from, std::uint32_t to) {
  if (compared_.size() != pages_) find_written();
  for (const std::size_t page : compared_) {
    std::byte* const now = live_ + page * kPage;
    std::uint64_t before = 0;
    if (from != kNone) {
      std::uint64_t& own = lines(from, page);
      if (own != kAll) own |= different_lines(page);
      before = own;
      copy(page, before, now, slot(from) + page * kPage);
    }
    const std::uint64_t after = to == kNone ? 0 : lines(to, page);
    copy(page, before & ~after, pristine_ + page * kPage, now);
    if (after != 0) copy(page, after, slot(to) + page * kPage, now);
  }
}

void SavedRange::forget(std::uint32_t rank) {
  if (compared_.size() != pages_) find_written();
  for (const std::size_t page : compared_)
    copy(page, lines(rank, page) | different_lines(page), pristine_ + page * kPage, live_ + page * kPage);
}

std::byte* SavedRange::memory(std::uint32_t rank, const void* address, std::uint64_t bytes) {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - live_);
  const std::size_t end = std::min(size_, offset + std::max<std::uint64_t>(bytes, 1));
  for (std::size_t page = offset / kPage; page * kPage < end; ++page) {
    compare(page);
    std::uint64_t& own = lines(rank, page);
    const std::uint64_t all = lines_of(page);
    if (own == all) continue;
    copy(page, all & ~own, pristine_ + page * kPage, slot(rank) + page * kPage);
    own = all;
  }
  return slot(rank) + offset;
}

}  // namespace psim::net
