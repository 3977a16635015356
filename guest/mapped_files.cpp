// SPDX-License-Identifier: Apache-2.0
// Files in an AddressSpace: their pages, their changing lengths, and what becomes of the pages that a program
// gives up.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "guest/address_space.h"

namespace psim::isa {

// Maps files by the host, over the guest's pages: other processes and the file see every store to a shared
// mapping at once, and a private one is read on demand.
int AddressSpace::show(std::uint64_t begin, Area& area) {
  const std::uint64_t bytes = area.end - begin;
  if (!area.file && !area.shared) return 0;
  if (!area.file) return memory_.map_file(begin, bytes, -1, 0, true, true);
  struct stat status;
  if (::fstat(area.file->host.get(), &status) != 0) return errno;
  int error = memory_.map_file(begin, bytes, area.file->host.get(), area.offset, area.shared, area.may_write);
  if (error == ENOMEM && !area.shared) area.copied = true, error = read_private(begin, area);
  if (error != 0) return error;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  files_[area.file] = size;
  follow(begin, area, size);
  return 0;
}

int AddressSpace::read_private(std::uint64_t begin, const Area& area) {
  for (std::uint64_t done = 0; done < area.end - begin;) {
    const ssize_t n = ::pread(area.file->host.get(), memory_.host_base() + begin + done,
                              area.end - begin - done, static_cast<off_t>(area.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == ESPIPE ? ENODEV : errno;
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return 0;
}

// Follows a file's length. The page in which it ends is accessible to its end. The host's pages are smaller:
// those after the file's end read as zeros.
void AddressSpace::follow(std::uint64_t begin, const Area& area, std::uint64_t size) {
  const auto host_page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t bytes = area.end - begin;
  const std::uint64_t there = area.offset >= size ? 0 : std::min(bytes, size - area.offset);
  const std::uint64_t shown = page_up(there), filled = (there + host_page - 1) & ~(host_page - 1);
  if (!area.copied) uncover(begin, area);
  memory_.show(begin, shown);
  memory_.hide(begin + shown, bytes - shown);
  if (shown < bytes || there % kPage != 0) ends_ = true;
  if (filled < shown && !area.copied) {
    memory_.cover_file(begin + filled, shown - filled);
    covered_.insert(begin + shown - kPage);
  }
}

/// Shows the file again in the pages of the area that are covered.
void AddressSpace::uncover(std::uint64_t begin, const Area& area) {
  for (auto at = covered_.lower_bound(begin); at != covered_.end() && *at < area.end;
       at = covered_.erase(at)) {
    struct stat status;
    if (::fstat(area.file->host.get(), &status) != 0) continue;
    const auto host_page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    // The part before the file's end may hold private changes.
    const bool across = memory_.permission(*at) & (kRead | kWrite | kExecute);
    const std::uint64_t from = *at + (across ? host_page : 0), bytes = *at + kPage - from;
    ::mmap(memory_.host_base() + from, bytes,
           area.shared && !area.may_write ? PROT_READ : PROT_READ | PROT_WRITE,
           (area.shared ? MAP_SHARED : MAP_PRIVATE) | MAP_NORESERVE | MAP_FIXED, area.file->host.get(),
           static_cast<off_t>(area.offset + (from - begin)));
  }
}

void AddressSpace::follow_files() {
  bool changed = false;
  for (auto& [file, size] : files_) {
    struct stat status;
    if (::fstat(file->host.get(), &status) != 0) continue;
    if (const auto now = static_cast<std::uint64_t>(status.st_size); now != size) size = now, changed = true;
  }
  if (!changed) return;
  ends_ = false;
  for (const auto& [begin, area] : areas_.all())
    if (area.file) follow(begin, area, files_.at(area.file));
}

void AddressSpace::lose(std::uint64_t address) { covered_.insert(page_down(address)); }

int AddressSpace::synchronise(std::uint64_t address, std::uint64_t bytes) {
  if (address % kPage != 0) return EINVAL;
  if (bytes == 0) return 0;
  if (!is_mapped(address, bytes)) return ENOMEM;
  const std::uint64_t end = address + page_up(bytes);
  for (auto at = areas_.first_after(address); at != areas_.all().end() && at->first < end; ++at) {
    if (!at->second.file || !at->second.shared) continue;
    const std::uint64_t from = std::max(at->first, address), to = std::min(at->second.end, end);
    if (::msync(memory_.host_base() + from, to - from, MS_SYNC) != 0) return errno;
  }
  return 0;
}

/// MADV_DONTNEED: discards private pages; shared ones lose nothing.
int AddressSpace::renew(std::uint64_t begin, std::uint64_t end) {
  for (auto at = areas_.first_after(begin); at != areas_.all().end() && at->first < end; ++at) {
    Area part = at->second;
    const std::uint64_t from = std::max(at->first, begin);
    if (part.file) part.offset += from - at->first;
    part.end = std::min(part.end, end);
    if (part.shared) continue;
    memory_.renew(from, part.end - from);
    if (part.copied)
      if (const int error = read_private(from, part)) return error;
  }
  return 0;
}

/// MADV_REMOVE: removes the pages from the file.
int AddressSpace::punch(std::uint64_t begin, std::uint64_t end) {
  for (auto at = areas_.first_after(begin); at != areas_.all().end() && at->first < end; ++at) {
    const Area& area = at->second;
    if (!area.shared) return EINVAL;
    if (!area.may_write) return EACCES;
    const std::uint64_t from = std::max(at->first, begin), to = std::min(area.end, end);
    if (!area.file) {  // of a file that has no name
      if (::madvise(memory_.host_base() + from, to - from, MADV_REMOVE) != 0) return errno;
    } else if (::fallocate(area.file->host.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                           static_cast<off_t>(area.offset + (from - at->first)),
                           static_cast<off_t>(to - from)) != 0) {
      return errno;
    }
  }
  return 0;
}

}  // namespace psim::isa
