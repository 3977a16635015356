// SPDX-License-Identifier: Apache-2.0
#include "isa/memory/guest_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/error.h"

namespace psim::isa {

namespace {
constexpr std::size_t kPages = GuestMemory::kLimit >> GuestMemory::kPageBits;

void* reserve(std::size_t bytes, int protection, const char* what) {
  void* const at = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw UserError(std::string("cannot reserve ") + std::to_string(bytes >> 20) +
                    " MiB of address space for " + what + ": " + std::strerror(errno) +
                    " (expected no limit on virtual memory; see `ulimit -v`)");
  return at;
}
}  // namespace

GuestMemory::GuestMemory() : host_(static_cast<std::byte*>(reserve(kLimit, PROT_NONE, "the guest"))) {
  try {
    pages_ = static_cast<std::uint8_t*>(reserve(kPages, PROT_READ | PROT_WRITE, "the guest's page table"));
  } catch (...) {
    munmap(host_, kLimit);
    throw;
  }
}

GuestMemory::~GuestMemory() {
  munmap(host_, kLimit);
  munmap(pages_, kPages);
}

void GuestMemory::code_changes(std::uint64_t address, std::uint64_t bytes) {
  if (observer_ != nullptr) observer_->code_changed(address, bytes);
}

bool GuestMemory::forget_range(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPageBytes != 0 || bytes % kPageBytes != 0 || address > kLimit || bytes > kLimit - address)
    return false;
  const std::uint8_t* const first = pages_ + (address >> kPageBits);
  if (std::any_of(first, first + (bytes >> kPageBits), [](std::uint8_t page) { return (page & kCode) != 0; }))
    code_changes(address, bytes);
  if (std::any_of(first, first + (bytes >> kPageBits),
                  [](std::uint8_t page) { return (page & kExecute) != 0; }))
    ++executable_generation_;
  return true;
}

void GuestMemory::erase_region(std::uint64_t begin, std::uint64_t end) {
  auto region = regions_.upper_bound(begin);
  if (region != regions_.begin() && std::prev(region)->second > begin) --region;
  while (region != regions_.end() && region->first < end) {
    const auto [first, last] = *region;
    region = regions_.erase(region);
    if (first < begin) regions_.emplace(first, begin);
    if (last > end) regions_.emplace(end, last);
  }
}

bool GuestMemory::map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (bytes == 0 || !forget_range(address, bytes)) return false;
  if (mmap(host_ + address, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  if ((permission & kExecute) != 0) ++executable_generation_;
  std::memset(pages_ + (address >> kPageBits), (permission & (kRead | kWrite | kExecute)) | kMapped,
              bytes >> kPageBits);
  erase_region(address, address + bytes);
  // Neighbours join, so that a heap grown by a thousand brk calls stays one region.
  std::uint64_t begin = address, end = address + bytes;
  if (const auto next = regions_.find(end); next != regions_.end()) end = next->second, regions_.erase(next);
  if (auto previous = regions_.lower_bound(begin); previous != regions_.begin()) {
    --previous;
    if (previous->second == begin) begin = previous->first, regions_.erase(previous);
  }
  regions_.emplace(begin, end);
  return true;
}

void GuestMemory::unmap(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || !forget_range(address, bytes)) return;
  // Mapping over gives the host its memory back.
  mmap(host_ + address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  for (auto region = regions_.begin(); region != regions_.end(); ++region) {
    const std::uint64_t first = std::max(address, region->first),
                        last = std::min(address + bytes, region->second);
    // Only what was mapped: zeroing the bytes of a terabyte of holes would commit them.
    if (first < last) std::memset(pages_ + (first >> kPageBits), kNone, (last - first) >> kPageBits);
  }
  erase_region(address, address + bytes);
}

bool GuestMemory::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (bytes == 0) return true;
  if (address % kPageBytes != 0 || bytes % kPageBytes != 0 || address > kLimit || bytes > kLimit - address)
    return false;
  auto region = regions_.upper_bound(address);
  std::uint64_t covered = address;
  if (region != regions_.begin()) --region;
  for (; region != regions_.end() && region->first <= covered && covered < address + bytes; ++region)
    covered = std::max(covered, region->second);
  if (covered < address + bytes) return false;
  forget_range(address, bytes);
  if ((permission & kExecute) != 0) ++executable_generation_;
  std::memset(pages_ + (address >> kPageBits), (permission & (kRead | kWrite | kExecute)) | kMapped,
              bytes >> kPageBits);
  return true;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> GuestMemory::executable_ranges() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [begin, end] : regions_)
    for (std::uint64_t page = begin; page < end; page += kPageBytes) {
      if ((permission(page) & kExecute) == 0) continue;
      if (ranges.empty() || ranges.back().second != page) ranges.emplace_back(page, page);
      ranges.back().second = page + kPageBytes;
    }
  return ranges;
}

std::uint64_t GuestMemory::find_gap(std::uint64_t hint, std::uint64_t bytes, std::uint64_t limit) const {
  limit = std::min(limit, kLimit);
  if (hint > limit || bytes == 0 || bytes % kPageBytes != 0) return 0;
  std::uint64_t at = (hint + kPageBytes - 1) & ~(kPageBytes - 1);
  auto region = regions_.upper_bound(at);
  if (region != regions_.begin()) at = std::max(at, std::prev(region)->second);
  for (; region != regions_.end() && region->first - at < bytes; ++region) at = region->second;
  return at <= limit && bytes <= limit - at ? at : 0;
}

std::size_t GuestMemory::accessible(std::uint64_t address, std::size_t bytes, std::uint8_t need) const {
  std::size_t done = 0;
  while (done < bytes && address + done < kLimit && (permission(address + done) & need) == need)
    done += std::min<std::size_t>(bytes - done, kPageBytes - ((address + done) & (kPageBytes - 1)));
  return done;
}

std::span<std::byte> GuestMemory::host(std::uint64_t address, std::size_t bytes, bool for_writing) {
  if (for_writing && bytes != 0)
    for (std::uint64_t page = address & ~(kPageBytes - 1); page < address + bytes; page += kPageBytes)
      if (permission(page) & kCode) {
        code_changes(address, bytes);
        break;
      }
  return {host_ + address, bytes};
}

std::size_t GuestMemory::copy_in(std::uint64_t address, std::span<const std::byte> from, std::uint8_t need) {
  const std::size_t bytes = accessible(address, from.size(), need);
  if (bytes != 0) std::memcpy(host(address, bytes, true).data(), from.data(), bytes);
  return bytes;
}

std::size_t GuestMemory::copy_out(std::uint64_t address, std::span<std::byte> to, std::uint8_t need) const {
  const std::size_t bytes = accessible(address, to.size(), need);
  if (bytes != 0) std::memcpy(to.data(), host_ + address, bytes);
  return bytes;
}

bool GuestMemory::read_string(std::uint64_t address, std::string& out, std::size_t limit) const {
  out.clear();
  while (out.size() <= limit) {
    const std::size_t bytes = accessible(
        address, std::min<std::size_t>(kPageBytes - (address & (kPageBytes - 1)), limit + 1 - out.size()),
        kRead);
    if (bytes == 0) return false;
    const char* const text = reinterpret_cast<const char*>(host_ + address);
    const void* const nul = std::memchr(text, 0, bytes);
    if (nul != nullptr) {
      out.append(text, static_cast<const char*>(nul));
      return true;
    }
    out.append(text, bytes);
    address += bytes;
  }
  return false;
}

}  // namespace psim::isa
