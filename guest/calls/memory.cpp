// SPDX-License-Identifier: Apache-2.0
// brk, mmap and related calls.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

// asm/mman.h of SPARC; MAP_SHARED, MAP_PRIVATE, MAP_FIXED and MAP_FIXED_NOREPLACE are common.
constexpr std::uint64_t kShared = 1, kPrivate = 2, kSharedValidate = 3, kTypeMask = 15, kFixed = 0x10,
                        kAnonymous = 0x20, kFixedNoReplace = 0x100000;
constexpr std::uint64_t kMayMove = 1, kRemapFixed = 2;

CallResult brk(Process& p, const Arguments& a) { return p.space.set_break(a[0]); }

CallResult mmap(Process& p, const Arguments& a) {
  const std::uint64_t address = a[0], bytes = a[1], prot = a[2], flags = a[3], offset = a[5];
  const std::uint64_t type = flags & kTypeMask;
  if (type != kShared && type != kPrivate && type != kSharedValidate) return CallResult::fail(EINVAL);
  AddressSpace::Backing backing;
  backing.shared = type != kPrivate;
  std::shared_ptr<OpenFile> file;
  if (!(flags & kAnonymous)) {
    if (offset % GuestMemory::kPageBytes != 0) return CallResult::fail(EINVAL);
    file = p.files.get(a[4]);
    if (!file) return CallResult::fail(EBADF);
    if (file->kind != OpenFile::Kind::Host || file->directory) return CallResult::fail(ENODEV);
    const int access = ::fcntl(file->host.get(), F_GETFL) & O_ACCMODE;
    if (access == O_WRONLY) return CallResult::fail(EACCES);
    if (backing.shared && (prot & PROT_WRITE) && access != O_RDWR) return CallResult::fail(EACCES);
    struct stat status;
    if (::fstat(file->host.get(), &status) != 0) return CallResult::fail(errno);
    // /dev/zero is mapped as anonymous memory.
    if (S_ISCHR(status.st_mode) && file->guest_path == "/dev/zero")
      file = nullptr;
    else if (!S_ISREG(status.st_mode))
      return CallResult::fail(ENODEV);
    else
      backing.file = file, backing.offset = offset, backing.may_write = access == O_RDWR;
  }
  const bool fixed = flags & (kFixed | kFixedNoReplace);
  const std::int64_t at =
      p.space.map(address, bytes, page_permission(prot), fixed, !(flags & kFixedNoReplace), backing);
  return at < 0 ? CallResult::fail(static_cast<int>(-at)) : CallResult(static_cast<std::uint64_t>(at));
}

CallResult munmap(Process& p, const Arguments& a) { return CallResult::of_error(p.space.unmap(a[0], a[1])); }

CallResult mprotect(Process& p, const Arguments& a) {
  if (a[2] & ~std::uint64_t{PROT_READ | PROT_WRITE | PROT_EXEC | 0x10}) return CallResult::fail(EINVAL);
  return CallResult::of_error(p.space.protect(a[0], a[1], page_permission(a[2])));
}

CallResult mremap(Process& p, const Arguments& a) {
  if ((a[3] & ~(kMayMove | kRemapFixed)) || ((a[3] & kRemapFixed) && !(a[3] & kMayMove)))
    return CallResult::fail(EINVAL);
  const std::int64_t at = p.space.remap(a[0], a[1], a[2], a[3] & kMayMove, a[3] & kRemapFixed, a[4]);
  return at < 0 ? CallResult::fail(static_cast<int>(-at)) : CallResult(static_cast<std::uint64_t>(at));
}

CallResult msync(Process& p, const Arguments& a) {
  constexpr std::uint64_t kAsync = 1, kInvalidate = 2, kSync = 4;
  if ((a[2] & ~(kAsync | kInvalidate | kSync)) || ((a[2] & kAsync) && (a[2] & kSync)))
    return CallResult::fail(EINVAL);
  return CallResult::of_error(p.space.synchronise(a[0], a[1]));
}

CallResult madvise(Process& p, const Arguments& a) {
  return CallResult::of_error(p.space.advise(a[0], a[1], as_int(a[2])));
}

CallResult mincore(Process& p, const Arguments& a) {
  if (a[0] % GuestMemory::kPageBytes != 0) return CallResult::fail(EINVAL);
  if (!p.space.is_mapped(a[0], a[1])) return CallResult::fail(ENOMEM);
  const std::uint64_t pages = (a[1] + GuestMemory::kPageBytes - 1) / GuestMemory::kPageBytes;
  const auto out = buffer(p, a[2], pages, kWrite);
  if (out.size() != pages) return CallResult::fail(EFAULT);
  std::fill(out.begin(), out.end(), std::byte{1});
  return 0;
}

CallResult lock_range(Process& p, const Arguments& a) {
  const std::uint64_t begin = a[0] & ~(GuestMemory::kPageBytes - 1);
  return a[1] != 0 && !p.space.is_mapped(begin, a[1]) ? CallResult::fail(ENOMEM) : CallResult(0);
}

CallResult lock_all(Process&, const Arguments&) { return 0; }

constexpr SystemCall kMemoryCalls[] = {
    {17, "brk", 1, brk},
    {65, "msync", 3, msync},
    {71, "mmap", 6, mmap},
    {73, "munmap", 2, munmap},
    {74, "mprotect", 3, mprotect},
    {75, "madvise", 3, madvise},
    {78, "mincore", 3, mincore},
    {237, "mlock", 2, lock_range},
    {238, "munlock", 2, lock_range},
    {239, "mlockall", 1, lock_all},
    {240, "munlockall", 0, lock_all},
    {250, "mremap", 5, mremap},
    {356, "mlock2", 3, lock_range},
};

}  // namespace

std::span<const SystemCall> memory() { return kMemoryCalls; }

}  // namespace psim::isa::calls
