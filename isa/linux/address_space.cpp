// SPDX-License-Identifier: Apache-2.0
#include "isa/linux/address_space.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "base/error.h"

namespace psim::isa {

namespace {

constexpr std::uint64_t kPage = GuestMemory::kPageBytes;
constexpr std::uint64_t page_down(std::uint64_t address) { return address & ~(kPage - 1); }
constexpr std::uint64_t page_up(std::uint64_t address) { return (address + kPage - 1) & ~(kPage - 1); }

}  // namespace

std::uint8_t page_permission(std::uint64_t prot) {
  std::uint8_t permission = kMapped;
  if (prot & PROT_READ) permission |= kRead;
  if (prot & PROT_WRITE) permission |= kRead | kWrite;
  if (prot & PROT_EXEC) permission |= kRead | kExecute;
  return permission;
}

std::uint64_t AddressSpace::load(const ElfImage& image) {
  const std::uint64_t bias = image.position_independent ? kPieBase : 0;
  // Segments may share a page: permissions of a page are those of all that touch it.
  for (const ElfSegment& s : image.segments) {
    if (reserved(s.address + bias, s.memory_bytes))
      throw UserError(fmt::format(
          "{}: a segment of {:#x} bytes at {:#x} lies in the data window of the SIMD-PEs; expected "
          "nothing from {:#x} to {:#x}",
          image.path, s.memory_bytes, s.address + bias, kReserved, kReservedEnd));
    std::uint64_t begin = page_down(s.address + bias);
    const std::uint64_t end = page_up(s.address + bias + s.memory_bytes);
    std::uint8_t shared = 0;
    if (const std::uint8_t there = memory_.permission(begin); there & kMapped) shared = there, begin += kPage;
    const auto wanted = static_cast<std::uint8_t>(s.permission | kMapped | kRead);
    if (begin < end && !memory_.map(begin, end - begin, wanted | kWrite))
      throw UserError(fmt::format("{}: no memory for {:#x} bytes at {:#x}", image.path, end - begin, begin));
    if (shared) memory_.protect(begin - kPage, kPage, shared | wanted | kWrite);
    memory_.copy_in(s.address + bias, std::span(image.bytes).subspan(s.file_offset, s.file_bytes));
    if (begin < end) memory_.protect(begin, end - begin, wanted);
    if (shared) memory_.protect(begin - kPage, kPage, shared | wanted);
  }
  heap_begin_ = heap_end_ = page_up(image.end() + bias);
  return bias;
}

void AddressSpace::map_stack(std::uint64_t bytes, bool executable) {
  const std::uint64_t size = page_up(bytes);
  stack_top_ = kStack + size;
  if (!memory_.map(kStack, size,
                   static_cast<std::uint8_t>(kMapped | kRead | kWrite | (executable ? kExecute : 0))))
    throw UserError(fmt::format("no memory for a stack of {} bytes", bytes));
}

std::uint64_t AddressSpace::set_break(std::uint64_t end) {
  if (end < heap_begin_) return heap_end_;
  const std::uint64_t old_page = page_up(heap_end_), new_page = page_up(end);
  const std::uint64_t limit = heap_begin_ <= kReserved ? kReserved : kStackGuard;
  if (end > limit) return heap_end_;
  if (new_page > old_page) {
    if (memory_.find_gap(old_page, new_page - old_page, new_page) != old_page) return heap_end_;
    if (!memory_.map(old_page, new_page - old_page, kMapped | kRead | kWrite)) return heap_end_;
  } else if (new_page < old_page) {
    unmap(new_page, old_page - new_page);
  }
  return heap_end_ = end;
}

bool AddressSpace::in_range(std::uint64_t address, std::uint64_t bytes) const {
  return address < GuestMemory::kLimit && bytes <= GuestMemory::kLimit - address;
}

std::uint64_t AddressSpace::gap(std::uint64_t hint, std::uint64_t bytes) const {
  if (hint != 0 && hint % kPage == 0 && in_range(hint, bytes) && hint >= kPage && !reserved(hint, bytes) &&
      memory_.find_gap(hint, bytes, hint + bytes) == hint)
    return hint;
  return memory_.find_gap(stack_top_, bytes, kMappingsEnd);
}

std::int64_t AddressSpace::map(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission,
                               bool fixed, bool replace, const Backing& backing) {
  if (bytes == 0 || (fixed && address % kPage != 0)) return -EINVAL;
  address = page_down(address);
  if (bytes > GuestMemory::kLimit) return -ENOMEM;
  bytes = page_up(bytes);
  if (fixed) {
    if (!in_range(address, bytes)) return -ENOMEM;
    if (address < kPage) return -EPERM;  // as vm.mmap_min_addr
    if (reserved(address, bytes)) return -EINVAL;
    if (!replace && memory_.find_gap(address, bytes, address + bytes) != address) return -EEXIST;
  } else {
    address = gap(address, bytes);
    if (address == 0) return -ENOMEM;
  }
  forget_shared(address, bytes);
  if (!memory_.map(address, bytes, permission | kRead | kWrite)) return -ENOMEM;
  if (backing.shared || backing.host_fd >= 0) {
    if (const int error = fill_from_file(address, bytes, backing)) {
      memory_.unmap(address, bytes);
      return -error;
    }
  }
  memory_.protect(address, bytes, permission);
  return static_cast<std::int64_t>(address);
}

// Fresh pages take the file's bytes; shared ones become a shared mapping of the host, so that other processes
// and the file see every store at once.
int AddressSpace::fill_from_file(std::uint64_t address, std::uint64_t bytes, const Backing& backing) {
  const std::span<std::byte> host = memory_.host(address, bytes, true);
  if (host.size() != bytes) return ENOMEM;
  if (backing.host_fd < 0) {
    if (::mmap(host.data(), bytes, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
      return errno;
    shared_.push_back({address, address + bytes});
    return 0;
  }
  struct stat status;
  if (::fstat(backing.host_fd, &status) != 0) return errno;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t there = backing.offset >= size ? 0 : std::min(bytes, size - backing.offset);
  if (backing.shared) {
    // Host pages wholly beyond the end of the file stay anonymous: touching them must not kill psim.
    const auto host_page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t length = (there + host_page - 1) & ~(host_page - 1);
    if (length == 0) return 0;
    int prot = PROT_READ | PROT_WRITE;
    void* at = ::mmap(host.data(), length, prot, MAP_FIXED | MAP_SHARED, backing.host_fd,
                      static_cast<off_t>(backing.offset));
    if (at == MAP_FAILED && errno == EACCES)  // opened for reading only: the guest may only read, too
      at = ::mmap(host.data(), length, PROT_READ, MAP_FIXED | MAP_SHARED, backing.host_fd,
                  static_cast<off_t>(backing.offset));
    if (at == MAP_FAILED) return errno;
    shared_.push_back({address, address + bytes});
    return 0;
  }
  for (std::uint64_t done = 0; done < there;) {
    const ssize_t n =
        ::pread(backing.host_fd, host.data() + done, there - done, static_cast<off_t>(backing.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == ESPIPE ? ENODEV : errno;
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return 0;
}

// Shared host mappings in the range go back to private memory before it is used for something else.
void AddressSpace::forget_shared(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  std::vector<Shared> kept;
  for (const Shared& s : shared_) {
    if (s.end <= address || s.begin >= end) {
      kept.push_back(s);
      continue;
    }
    const std::uint64_t from = std::max(s.begin, address), to = std::min(s.end, end);
    for (std::uint64_t page = from; page < to; page += kPage)
      memory_.protect(page, kPage, kMapped | kRead | kWrite);
    const std::span<std::byte> host = memory_.host(from, to - from, true);
    if (!host.empty())
      ::mmap(host.data(), host.size(), PROT_READ | PROT_WRITE,
             MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s.begin < from) kept.push_back({s.begin, from});
    if (to < s.end) kept.push_back({to, s.end});
  }
  shared_ = std::move(kept);
}

int AddressSpace::unmap(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPage != 0 || bytes == 0 || !in_range(address, bytes)) return EINVAL;
  bytes = page_up(bytes);
  if (!in_range(address, bytes)) return EINVAL;
  forget_shared(address, bytes);
  memory_.unmap(address, bytes);
  return 0;
}

int AddressSpace::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (address % kPage != 0) return EINVAL;
  if (bytes == 0) return 0;
  if (!in_range(address, bytes)) return ENOMEM;
  return memory_.protect(address, page_up(bytes), permission) ? 0 : ENOMEM;
}

bool AddressSpace::is_mapped(std::uint64_t address, std::uint64_t bytes) const {
  return in_range(address, bytes) && memory_.accessible(address, bytes, kMapped) == bytes;
}

std::int64_t AddressSpace::remap(std::uint64_t address, std::uint64_t old_bytes, std::uint64_t new_bytes,
                                 bool may_move, bool fixed, std::uint64_t new_address) {
  if (address % kPage != 0 || new_bytes == 0 || new_bytes > GuestMemory::kLimit ||
      old_bytes > GuestMemory::kLimit)
    return -EINVAL;
  old_bytes = page_up(old_bytes), new_bytes = page_up(new_bytes);
  if (!is_mapped(address, old_bytes == 0 ? kPage : old_bytes)) return -EFAULT;
  const std::uint8_t permission = memory_.permission(address) & (kRead | kWrite | kExecute | kMapped);
  if (!fixed && new_bytes <= old_bytes) {
    if (new_bytes < old_bytes) unmap(address + new_bytes, old_bytes - new_bytes);
    return static_cast<std::int64_t>(address);
  }
  const std::uint64_t more = new_bytes - std::min(new_bytes, old_bytes);
  if (!fixed && in_range(address, new_bytes) && !reserved(address, new_bytes) &&
      memory_.find_gap(address + old_bytes, more, address + new_bytes) == address + old_bytes) {
    if (!memory_.map(address + old_bytes, more, permission)) return -ENOMEM;
    return static_cast<std::int64_t>(address);
  }
  if (!may_move) return -ENOMEM;
  if (fixed &&
      (new_address % kPage != 0 || (new_address < address + old_bytes && address < new_address + new_bytes)))
    return -EINVAL;
  const std::int64_t to =
      map(fixed ? new_address : 0, new_bytes, permission | kRead | kWrite, fixed, true, {});
  if (to < 0) return to;
  const std::uint64_t keep = std::min(old_bytes, new_bytes);
  memory_.protect(address, old_bytes, permission | kRead);
  memory_.copy_in(static_cast<std::uint64_t>(to), memory_.host(address, keep, false));
  memory_.protect(static_cast<std::uint64_t>(to), new_bytes, permission);
  unmap(address, old_bytes);
  return to;
}

int AddressSpace::synchronise(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPage != 0) return EINVAL;
  if (bytes == 0) return 0;
  if (!is_mapped(address, bytes)) return ENOMEM;
  for (const Shared& s : shared_) {
    const std::uint64_t from = std::max(s.begin, address), to = std::min(s.end, address + page_up(bytes));
    if (from >= to || memory_.accessible(from, to - from, kRead) != to - from) continue;
    const std::span<std::byte> host = memory_.host(from, to - from, false);
    if (::msync(host.data(), host.size(), MS_SYNC) != 0) return errno;
  }
  return 0;
}

int AddressSpace::discard(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPage != 0) return EINVAL;
  if (bytes == 0) return 0;
  if (!in_range(address, bytes)) return ENOMEM;
  bytes = page_up(bytes);
  if (!is_mapped(address, bytes)) return ENOMEM;
  for (std::uint64_t page = address; page < address + bytes; page += kPage) {
    const bool shared = std::any_of(shared_.begin(), shared_.end(),
                                    [&](const Shared& s) { return page >= s.begin && page < s.end; });
    const std::uint8_t permission = memory_.permission(page);
    if (!shared) memory_.map(page, kPage, permission & (kRead | kWrite | kExecute | kMapped));
  }
  return 0;
}

}  // namespace psim::isa
