// SPDX-License-Identifier: Apache-2.0
#include "guest/address_space.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"

namespace psim::isa {

namespace {

constexpr std::uint8_t kAccess = kRead | kWrite | kExecute | kMapped;

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
  // Segments may share a page: a page has the permissions of all segments that touch it.
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
  for (const ElfSegment& s : image.segments)
    for (std::uint64_t page = page_down(s.address + bias); page < page_up(s.address + bias + s.memory_bytes);
         page += kPage)
      note_anonymous(page, page + kPage, memory_.permission(page));
  heap_begin_ = heap_end_ = page_up(image.end() + bias);
  return bias;
}

void AddressSpace::map_stack(std::uint64_t bytes, bool executable) {
  const std::uint64_t size = page_up(bytes);
  stack_top_ = kStack + size;
  if (!memory_.map(kStack, size,
                   static_cast<std::uint8_t>(kMapped | kRead | kWrite | (executable ? kExecute : 0))))
    throw UserError(fmt::format("no memory for a stack of {} bytes", bytes));
  note_anonymous(kStack, stack_top_, memory_.permission(kStack));
}

void AddressSpace::clear() {
  while (!areas_.all().empty()) {
    const auto area = areas_.all().begin();
    const std::uint64_t begin = area->first, end = area->second.end;
    forget(begin, end);
    memory_.unmap(begin, end - begin);
  }
  heap_begin_ = heap_end_ = 0, stack_top_ = kStack;
  ends_ = false;
}

void AddressSpace::note_anonymous(std::uint64_t begin, std::uint64_t end, std::uint8_t permission) {
  Area area;
  area.end = end, area.permission = permission & kAccess;
  areas_.put(begin, std::move(area));
}

int AddressSpace::check_splits(std::uint64_t begin, std::uint64_t end) const {
  const std::size_t more = (areas_.splits(begin) ? 1 : 0) + (areas_.splits(end) ? 1 : 0);
  return more != 0 && areas_.size() + more > kMostAreas ? ENOMEM : 0;
}

std::uint64_t AddressSpace::set_break(std::uint64_t end) {
  if (end < heap_begin_) return heap_end_;
  const std::uint64_t old_page = page_up(heap_end_), new_page = page_up(end);
  const std::uint64_t limit = heap_begin_ <= kReserved ? kReserved : kStackGuard;
  if (end > limit) return heap_end_;
  if (new_page > old_page) {
    if (memory_.find_gap(old_page, new_page - old_page, new_page) != old_page) return heap_end_;
    if (areas_.size() > kMostAreas) return heap_end_;
    if (!memory_.map(old_page, new_page - old_page, kMapped | kRead | kWrite)) return heap_end_;
    note_anonymous(old_page, new_page, kMapped | kRead | kWrite);
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
  if (areas_.size() > kMostAreas || check_splits(address, address + bytes) != 0) return -ENOMEM;
  forget(address, address + bytes);
  if (!memory_.map(address, bytes, permission)) return -ENOMEM;
  Area area;
  area.end = address + bytes, area.permission = permission & kAccess;
  area.file = backing.file, area.offset = backing.offset;
  area.shared = backing.shared, area.may_write = !backing.shared || backing.may_write;
  if (backing.shared && !backing.file) area.object = ++objects_;
  if (const int error = show(address, area)) {
    memory_.unmap(address, bytes);
    return -error;
  }
  areas_.put(address, std::move(area));
  return static_cast<std::int64_t>(address);
}

void AddressSpace::forget(std::uint64_t begin, std::uint64_t end) {
  covered_.erase(covered_.lower_bound(begin), covered_.lower_bound(end));
  std::vector<std::shared_ptr<OpenFile>> files;
  for (auto at = areas_.first_after(begin); at != areas_.all().end() && at->first < end; ++at)
    if (at->second.file && (files.empty() || files.back() != at->second.file))
      files.push_back(at->second.file);
  areas_.erase(begin, end);
  // Forgets files that no area maps any more.
  for (std::shared_ptr<OpenFile>& file : files) {
    const auto known = files_.find(file);
    file.reset();
    if (known != files_.end() && known->first.use_count() == 1) files_.erase(known);
  }
}

int AddressSpace::unmap(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPage != 0 || bytes == 0 || !in_range(address, bytes)) return EINVAL;
  bytes = page_up(bytes);
  if (!in_range(address, bytes)) return EINVAL;
  // Cutting into the middle of an area makes two; cutting an end off makes no additional area.
  if (const auto area = areas_.find(address); area != areas_.all().end() && area->first < address &&
                                              area->second.end > address + bytes &&
                                              areas_.size() >= kMostAreas)
    return ENOMEM;
  forget(address, address + bytes);
  memory_.unmap(address, bytes);
  return 0;
}

int AddressSpace::protect(std::uint64_t address, std::uint64_t bytes, std::uint8_t permission) {
  if (address % kPage != 0) return EINVAL;
  if (bytes == 0) return 0;
  if (!in_range(address, bytes)) return ENOMEM;
  bytes = page_up(bytes);
  if (!is_mapped(address, bytes)) return ENOMEM;
  const std::uint64_t end = address + bytes;
  if (const int error = check_splits(address, end)) return error;
  for (auto at = areas_.first_after(address); at != areas_.all().end() && at->first < end; ++at)
    if ((permission & kWrite) && !at->second.may_write) return EACCES;
  if (!memory_.protect(address, bytes, permission)) return ENOMEM;
  areas_.change(address, end, [&](Area& area) { area.permission = permission & kAccess; });
  for (auto at = areas_.first_after(address); at != areas_.all().end() && at->first < end; ++at) {
    if (at->second.file) follow(at->first, at->second, files_.at(at->second.file));
    if (at->second.beyond) memory_.hide(at->first, at->second.end - at->first);
  }
  return 0;
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
  const auto found = areas_.find(address);
  if (found == areas_.all().end()) return -EFAULT;
  Area area = found->second;  // of one area only, as Linux has it
  if (area.file) area.offset += address - found->first;
  if (old_bytes == 0) {  // another mapping of the same
    if (!area.shared || !may_move || !area.file) return -EINVAL;
    return map(fixed ? new_address : 0, new_bytes, area.permission, fixed, true,
               {area.file, area.offset, true, area.may_write});
  }
  if (area.end - address < old_bytes) return -EFAULT;
  if (!fixed && new_bytes <= old_bytes) {
    if (new_bytes < old_bytes)
      if (const int error = unmap(address + new_bytes, old_bytes - new_bytes)) return -error;
    return static_cast<std::int64_t>(address);
  }
  const std::uint64_t more = new_bytes - std::min(new_bytes, old_bytes), keep = new_bytes - more;
  // Maps the pages after the old ones: the file's next bytes, or zeros. Shared anonymous memory does not
  // grow.
  const auto grow = [&](std::uint64_t at) -> std::int64_t {
    if (more == 0) return 0;
    const Backing rest{area.file, area.offset + keep, area.shared && area.file != nullptr, area.may_write};
    const std::int64_t result = map(at, more, area.permission, true, true, rest);
    if (result >= 0 && area.shared && !area.file) {
      areas_.change(at, at + more,
                    [&](Area& a) { a.beyond = true, a.shared = true, a.object = area.object; });
      memory_.hide(at, more);
    }
    return result;
  };
  if (!fixed && in_range(address, new_bytes) && !reserved(address, new_bytes) &&
      memory_.find_gap(address + old_bytes, more, address + new_bytes) == address + old_bytes) {
    const std::int64_t grown = grow(address + old_bytes);
    return grown < 0 ? grown : static_cast<std::int64_t>(address);
  }
  if (!may_move) return -ENOMEM;
  if (fixed &&
      (new_address % kPage != 0 || (new_address < address + old_bytes && address < new_address + new_bytes)))
    return -EINVAL;
  if (areas_.size() + 2 > kMostAreas) return -ENOMEM;
  const Areas::Bytes most = areas_.most_bytes();
  const std::int64_t to = map(fixed ? new_address : 0, new_bytes, area.permission, fixed, true, {});
  if (to < 0) return to;
  const auto target = static_cast<std::uint64_t>(to);
  if (const int error = memory_.move(address, keep, target)) return -error;
  Area moved = area;
  moved.end = target + keep;
  std::vector<std::uint64_t> covered(covered_.lower_bound(address), covered_.lower_bound(address + keep));
  areas_.put(target, moved);
  for (const std::uint64_t page : covered) covered_.insert(page - address + target);
  if (moved.file) follow(target, moved, files_.at(moved.file));
  if (moved.beyond) memory_.hide(target, keep);
  unmap(address, old_bytes);
  areas_.limit_most(most);
  const std::int64_t grown = grow(target + keep);
  return grown < 0 ? grown : to;
}

int AddressSpace::advise(std::uint64_t address, std::uint64_t bytes, int advice) {
  enum {
    kDontNeed = 4,
    kFree = 8,
    kRemove,
    kDontFork,
    kDoFork,
    kMergeable,
    kUnmergeable,
    kHugePage,
    kNoHugePage,
    kDontDump,
    kDoDump,
    kWipeOnFork,
    kKeepOnFork,
    kCold,
    kPageOut,
    kPopulateRead,
    kPopulateWrite,
    kDontNeedLocked,
    kCollapse
  };
  if (address % kPage != 0 || advice < 0 || advice > kCollapse || (advice > kDontNeed && advice < kFree))
    return EINVAL;
  if (bytes == 0) return 0;
  if (!in_range(address, bytes)) return ENOMEM;
  const std::uint64_t end = address + page_up(bytes);
  const auto any = [&](auto test) {
    for (auto at = areas_.first_after(address); at != areas_.all().end() && at->first < end; ++at)
      if (test(at->second)) return true;
    return false;
  };
  const auto on_fork = [&](Area::Fork fork) {
    if (const int error = check_splits(address, end)) return error;
    areas_.change(address, end, [&](Area& area) { area.on_fork = fork; });
    return 0;
  };
  int error = 0;
  switch (advice) {
    case kDontNeed:
    case kDontNeedLocked:
      error = renew(address, end);
      break;
    case kFree:  // the kernel may keep the pages, and psim does
      if (any([](const Area& area) { return area.file || area.shared; })) error = EINVAL;
      break;
    case kRemove:
      error = punch(address, end);
      break;
    case kDontFork:
      error = on_fork(Area::Fork::Leave);
      break;
    case kDoFork:
    case kKeepOnFork:
      error = on_fork(Area::Fork::Copy);
      break;
    case kWipeOnFork:
      error =
          any([](const Area& area) { return area.file || area.shared; }) ? EINVAL : on_fork(Area::Fork::Wipe);
      break;
    case kPopulateRead:
    case kPopulateWrite: {
      const auto need = static_cast<std::uint8_t>(advice == kPopulateWrite ? kWrite : kRead);
      if (is_mapped(address, bytes) && memory_.accessible(address, bytes, need) < bytes) error = EFAULT;
      break;
    }
    default:
      break;
  }
  if (error == 0 && !is_mapped(address, end - address)) error = ENOMEM;  // the mapped part has had the advice
  return error;
}

void AddressSpace::forked() {
  std::vector<std::pair<std::uint64_t, Area>> special;
  for (const auto& [begin, area] : areas_.all())
    if (area.on_fork != Area::Fork::Copy) special.push_back({begin, area});
  for (const auto& [begin, area] : special) {
    if (area.on_fork == Area::Fork::Leave)
      unmap(begin, area.end - begin);
    else
      memory_.renew(begin, area.end - begin);
  }
}

}  // namespace psim::isa
