// SPDX-License-Identifier: Apache-2.0
#include "isa/memory/guest_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"

namespace psim::isa {

namespace {
constexpr std::size_t kPages = GuestMemory::kLimit >> GuestMemory::kPageBits;
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
constexpr int kAll = PROT_READ | PROT_WRITE;
constexpr std::uint8_t kAccess = kRead | kWrite | kExecute;

void* reserve(std::size_t bytes, int protection) {
  return ::mmap(nullptr, bytes, protection, kPrivate, -1, 0);
}

/// Returns a host address from which `bytes` are unmapped, far from the addresses that the kernel itself
/// chooses; null if there is none. Maps nothing.
void* unused_addresses(std::size_t bytes) {
  constexpr std::uintptr_t kFirst = std::uintptr_t{1} << 44,
                           kStep = std::uintptr_t{1} << 41;  // 16 TiB, 2 TiB
  constexpr int kTries = 24;
  for (int i = 0; i < kTries; ++i) {
    void* const wanted = reinterpret_cast<void*>(kFirst + static_cast<std::uintptr_t>(i) * kStep);
    void* const at = ::mmap(wanted, bytes, PROT_NONE, kPrivate | MAP_FIXED_NOREPLACE, -1, 0);
    const int error = errno;
    if (at != MAP_FAILED) ::munmap(at, bytes);
    // The limit on virtual memory is checked after the addresses.
    if (at == wanted || (at == MAP_FAILED && error == ENOMEM)) return wanted;
  }
  return nullptr;
}

/// Returns the number of mappings that the host allows a process, minus those that psim needs itself.
std::size_t most_host_mappings() {
  static const std::size_t most = [] {
    constexpr std::size_t kDefault = 65530, kOwn = 4000;
    std::size_t limit = kDefault;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    return limit > 2 * kOwn ? limit - kOwn : limit / 2;
  }();
  return most;
}

/// All guests of this process, for the handler of SIGBUS.
constexpr std::size_t kMostGuests = 4096;
std::atomic<GuestMemory*> g_guests[kMostGuests];

/// Replaces one of `from`; null is a free slot.
void replace_guest(GuestMemory* from, GuestMemory* to) {
  for (auto& slot : g_guests) {
    GuestMemory* expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

bool whole_pages(std::uint64_t address, std::uint64_t bytes) {
  return address % GuestMemory::kPageBytes == 0 && bytes % GuestMemory::kPageBytes == 0 &&
         address <= GuestMemory::kLimit && bytes <= GuestMemory::kLimit - address;
}
/// Returns true if one of the pages of `bytes` from `first` on has a bit of `mask`.
bool any_page(const std::uint8_t* first, std::uint64_t bytes, std::uint8_t mask) {
  return std::any_of(first, first + (bytes >> GuestMemory::kPageBits),
                     [mask](std::uint8_t page) { return (page & mask) != 0; });
}

/// Removes [begin, end) from disjoint intervals.
void cut(std::map<std::uint64_t, std::uint64_t>& intervals, std::uint64_t begin, std::uint64_t end) {
  auto at = intervals.upper_bound(begin);
  if (at != intervals.begin() && std::prev(at)->second > begin) --at;
  while (at != intervals.end() && at->first < end) {
    const auto [first, last] = *at;
    at = intervals.erase(at);
    if (first < begin) intervals.emplace(first, begin);
    if (last > end) intervals.emplace(end, last);
  }
}

/// Visits the parts of [begin, end) that lie in the intervals.
template <class Visit>
void each_part(const std::map<std::uint64_t, std::uint64_t>& intervals, std::uint64_t begin,
               std::uint64_t end, Visit visit) {
  auto at = intervals.upper_bound(begin);
  if (at != intervals.begin() && std::prev(at)->second > begin) --at;
  for (; at != intervals.end() && at->first < end; ++at)
    visit(std::max(begin, at->first), std::min(end, at->second));
}
}  // namespace

bool GuestMemory::hold() {
  void* at = reserve(kLimit, kAll);
  hold_ = Hold::OneMapping;
  if (at == MAP_FAILED) at = reserve(kLimit, PROT_NONE), hold_ = Hold::Reserved;
  if (at == MAP_FAILED) at = unused_addresses(kLimit), hold_ = Hold::Loose;
  if (at == nullptr) return false;
  host_ = static_cast<std::byte*>(at);
  void* const pages = reserve(kPages, kAll);
  if (pages == MAP_FAILED) {
    if (hold_ != Hold::Loose) ::munmap(host_, kLimit);
    return false;
  }
  pages_ = static_cast<std::uint8_t*>(pages);
  return true;
}

GuestMemory::GuestMemory() {
  if (!hold())
    throw UserError(
        fmt::format("cannot reserve {} MiB of address space for the guest's page table: {} "
                    "(expected a higher limit on virtual memory; see `ulimit -v`)",
                    kPages >> 20, std::strerror(errno)));
  replace_guest(nullptr, this);
}

GuestMemory::~GuestMemory() {
  replace_guest(this, nullptr);
  if (hold_ == Hold::Loose)
    for (const auto& [begin, end] : regions_) ::munmap(host_ + begin, end - begin);
  else
    ::munmap(host_, kLimit);
  ::munmap(pages_, kPages);
}

bool GuestMemory::overlaps(std::uint64_t address, std::uint64_t bytes) const {
  auto next = regions_.lower_bound(address);
  if (next != regions_.end() && next->first < address + bytes) return true;
  return next != regions_.begin() && std::prev(next)->second > address;
}

/// Returns an upper bound: a file's pages, the pages after them, and a covered part.
std::size_t GuestMemory::host_mappings() const {
  constexpr std::size_t kOfFile = 3;
  const std::size_t of_region = hold_ == Hold::OneMapping ? 0 : hold_ == Hold::Reserved ? 2 : 1;
  return kOfFile * files_.size() + of_region * regions_.size();
}

bool GuestMemory::anonymous(std::uint64_t address, std::uint64_t bytes) {
  return ::mmap(host_ + address, bytes, kAll, kPrivate | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// Makes zeroed, writable host pages; regions_ still holds the earlier mapping.
bool GuestMemory::commit(std::uint64_t address, std::uint64_t bytes) {
  if (hold_ != Hold::OneMapping && host_mappings() >= most_host_mappings()) return false;
  if (overlaps(address, bytes)) release(address, bytes);
  switch (hold_) {
    case Hold::OneMapping:
      return true;
    case Hold::Reserved:
      return anonymous(address, bytes);
    case Hold::Loose:
      return ::mmap(host_ + address, bytes, kAll, kPrivate | MAP_FIXED_NOREPLACE, -1, 0) ==
             static_cast<void*>(host_ + address);
  }
  return false;
}

/// Returns the memory to the host.
void GuestMemory::release(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  switch (hold_) {
    case Hold::OneMapping:
      each_part(files_, address, end,
                [this](std::uint64_t from, std::uint64_t to) { anonymous(from, to - from); });
      each_part(regions_, address, end, [this](std::uint64_t from, std::uint64_t to) {
        ::madvise(host_ + from, to - from, MADV_DONTNEED);
      });
      break;
    case Hold::Reserved:
      ::mmap(host_ + address, bytes, PROT_NONE, kPrivate | MAP_FIXED, -1, 0);
      break;
    case Hold::Loose:
      each_part(regions_, address, end,
                [this](std::uint64_t from, std::uint64_t to) { ::munmap(host_ + from, to - from); });
      break;
  }
  cut(files_, address, end);
}

int GuestMemory::map_file(std::uint64_t address, std::uint64_t bytes, int fd, std::uint64_t offset,
                          bool shared, bool writable) {
  if (host_mappings() >= most_host_mappings()) return ENOMEM;
  const int protection = shared && !writable ? PROT_READ : kAll;
  const int flags =
      (shared ? MAP_SHARED : MAP_PRIVATE) | (fd < 0 ? MAP_ANONYMOUS : 0) | MAP_NORESERVE | MAP_FIXED;
  if (::mmap(host_ + address, bytes, protection, flags, fd, static_cast<off_t>(offset)) == MAP_FAILED)
    return errno;
  // One interval each: neighbours are other files, which the host does not join.
  cut(files_, address, address + bytes);
  files_.emplace(address, address + bytes);
  return 0;
}

void GuestMemory::cover_file(std::uint64_t address, std::uint64_t bytes) { anonymous(address, bytes); }

int GuestMemory::move(std::uint64_t from, std::uint64_t bytes, std::uint64_t to) {
  const auto remap = [](std::byte* source, std::size_t size, std::byte* target) {
    return ::mremap(source, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED;
  };
  if (!remap(host_ + from, bytes, host_ + to)) {
    // The range lies in several mappings of the host, so it is done page by page.
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    for (std::uint64_t done = 0; done < bytes; done += page)
      if (!remap(host_ + from + done, page, host_ + to + done)) return errno;
  }
  cut(files_, to, to + bytes);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  each_part(files_, from, from + bytes, [&](std::uint64_t begin, std::uint64_t end) {
    parts.push_back({begin, end});
  });
  cut(files_, from, from + bytes);
  for (const auto& [begin, end] : parts) files_.emplace(begin - from + to, end - from + to);
  return anonymous(from, bytes) ? 0 : errno;
}

void GuestMemory::renew(std::uint64_t address, std::uint64_t bytes) {
  each_part(regions_, address, address + bytes, [this](std::uint64_t from, std::uint64_t to) {
    if (any_page(pages_ + (from >> kPageBits), to - from, kCode)) code_changes(from, to - from);
    ::madvise(host_ + from, to - from, MADV_DONTNEED);
  });
}

void GuestMemory::hide(std::uint64_t address, std::uint64_t bytes) {
  forget_range(address, bytes);
  for (std::uint64_t page = address >> kPageBits; page < (address + bytes) >> kPageBits; ++page)
    if ((pages_[page] & kAccess) != 0)
      pages_[page] = static_cast<std::uint8_t>((pages_[page] & kAccess) << kHiddenShift | kMapped);
}

void GuestMemory::show(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t page = address >> kPageBits; page < (address + bytes) >> kPageBits; ++page)
    if (const std::uint8_t access = pages_[page] >> kHiddenShift; access != 0) {
      pages_[page] = access | kMapped;
      if ((access & kExecute) != 0) ++executable_generation_;
    }
}

bool GuestMemory::lose_page(const void* host) {
  const auto address = reinterpret_cast<std::uintptr_t>(host);
  for (auto& slot : g_guests) {
    GuestMemory* const memory = slot.load();
    if (memory == nullptr) continue;
    const auto base = reinterpret_cast<std::uintptr_t>(memory->host_);
    if (address < base || address - base >= kLimit) continue;
    const std::uint64_t guest = address - base, page = guest & ~(kPageBytes - 1);
    std::uint8_t& permission = memory->pages_[page >> kPageBits];
    if ((permission & kMapped) == 0 || !memory->anonymous(page, kPageBytes)) return false;
    permission = static_cast<std::uint8_t>((permission & kAccess) << kHiddenShift | kMapped);
    memory->lost_ = guest;
    if (memory->observer_ != nullptr) memory->observer_->page_lost();
    return true;
  }
  return false;
}

std::uint64_t GuestMemory::take_lost_page() { return lost_.load() == 0 ? 0 : lost_.exchange(0); }

void GuestMemory::code_changes(std::uint64_t address, std::uint64_t bytes) {
  if (observer_ != nullptr) observer_->code_changed(address, bytes);
}

bool GuestMemory::forget_range(std::uint64_t address, std::uint64_t bytes) {
  if (!whole_pages(address, bytes)) return false;
  const std::uint8_t* const first = pages_ + (address >> kPageBits);
  if (any_page(first, bytes, kCode)) code_changes(address, bytes);
  if (any_page(first, bytes, kExecute)) ++executable_generation_;
  return true;
}

bool GuestMemory::map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (bytes == 0 || !forget_range(address, bytes)) return false;
  if (!commit(address, bytes)) return false;
  if ((permission & kExecute) != 0) ++executable_generation_;
  std::memset(pages_ + (address >> kPageBits), (permission & kAccess) | kMapped, bytes >> kPageBits);
  cut(regions_, address, address + bytes);
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
  if (!overlaps(address, bytes)) return;
  release(address, bytes);
  // Only mapped bytes: zeroing a terabyte of holes would commit them.
  each_part(regions_, address, address + bytes, [this](std::uint64_t from, std::uint64_t to) {
    std::memset(pages_ + (from >> kPageBits), kNone, (to - from) >> kPageBits);
  });
  cut(regions_, address, address + bytes);
  // The new gap may be one that find_gap() searches.
  const auto next = regions_.lower_bound(address);
  const std::uint64_t begin = next == regions_.begin() ? 0 : std::prev(next)->second;
  const std::uint64_t end = next == regions_.end() ? kLimit : next->first;
  if (begin < floor_ && end - begin >= floor_bytes_) floor_ = std::max(begin, floor_hint_);
}

bool GuestMemory::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (bytes == 0) return true;
  if (!whole_pages(address, bytes)) return false;
  auto region = regions_.upper_bound(address);
  std::uint64_t covered = address;
  if (region != regions_.begin()) --region;
  for (; region != regions_.end() && region->first <= covered && covered < address + bytes; ++region)
    covered = std::max(covered, region->second);
  if (covered < address + bytes) return false;
  forget_range(address, bytes);
  if ((permission & kExecute) != 0) ++executable_generation_;
  std::memset(pages_ + (address >> kPageBits), (permission & kAccess) | kMapped, bytes >> kPageBits);
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
  const std::uint64_t from = at;
  if (from == floor_hint_ && bytes >= floor_bytes_) at = std::max(at, floor_);
  auto region = regions_.upper_bound(at);
  if (region != regions_.begin()) at = std::max(at, std::prev(region)->second);
  for (; region != regions_.end() && region->first - at < bytes; ++region) at = region->second;
  if (limit - from > bytes) floor_hint_ = from, floor_bytes_ = bytes, floor_ = at;
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
