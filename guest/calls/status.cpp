// SPDX-License-Identifier: Apache-2.0
// stat, statx, statfs and related calls: structures of sparc64 (asm/stat.h, asm-generic/statfs.h).
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kStatNoFollow = 0x100, kStatEmptyPath = 0x1000;

std::uint64_t u(auto value) { return static_cast<std::uint64_t>(value); }

// Writes struct stat64.
bool put_stat64(Process& p, std::uint64_t address, const struct stat& s) {
  GuestStruct<144> out;
  out.put64(0, s.st_dev), out.put64(8, s.st_ino), out.put64(16, s.st_nlink);
  out.put32(24, s.st_mode), out.put32(28, p.start.identity.user_from_host(s.st_uid));
  out.put32(32, p.start.identity.group_from_host(s.st_gid));
  out.put64(40, s.st_rdev), out.put64(48, u(s.st_size)), out.put64(56, u(s.st_blksize));
  out.put64(64, u(s.st_blocks));
  out.put64(72, u(s.st_atim.tv_sec)), out.put64(80, u(s.st_atim.tv_nsec));
  out.put64(88, u(s.st_mtim.tv_sec)), out.put64(96, u(s.st_mtim.tv_nsec));
  out.put64(104, u(s.st_ctim.tv_sec)), out.put64(112, u(s.st_ctim.tv_nsec));
  return out.write_to(p.memory, address);
}

// Writes struct stat.
bool put_stat(Process& p, std::uint64_t address, const struct stat& s) {
  GuestStruct<104> out;
  out.put32(0, s.st_dev), out.put64(8, s.st_ino), out.put32(16, s.st_mode), out.put16(20, s.st_nlink);
  out.put32(24, p.start.identity.user_from_host(s.st_uid));
  out.put32(28, p.start.identity.group_from_host(s.st_gid)), out.put32(32, s.st_rdev);
  out.put64(40, u(s.st_size)), out.put64(48, u(s.st_atim.tv_sec)), out.put64(56, u(s.st_mtim.tv_sec));
  out.put64(64, u(s.st_ctim.tv_sec)), out.put64(72, u(s.st_blksize)), out.put64(80, u(s.st_blocks));
  return out.write_to(p.memory, address);
}

using Put = bool (*)(Process&, std::uint64_t, const struct stat&);

int find(Process& p, int dirfd, std::uint64_t path, std::uint64_t flags, struct stat& status) {
  if (flags & kStatEmptyPath) {
    std::uint8_t first = 1;
    if (!p.memory.load(path, first)) return EFAULT;
    if (first == 0) {
      if (dirfd == kAtCwd) {
        PathTarget target;
        const int error = p.sandbox.resolve(p.working_directory, ".", true, target);
        return error ? error : status_of(p, target, status);
      }
      const auto file = p.files.get(static_cast<std::uint32_t>(dirfd));
      return file ? status_of(p, *file, status) : EBADF;
    }
  }
  PathTarget target;
  const bool follow = !(flags & kStatNoFollow);
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (const int error = resolve(p, dirfd, path, follow, target)) return error;
    if (const int error = status_of(p, target, status)) return error;
    if (!follow || !S_ISLNK(status.st_mode)) return 0;
  }
  return ELOOP;
}

CallResult by_path(Process& p, int dirfd, std::uint64_t path, std::uint64_t flags, std::uint64_t to,
                   Put put) {
  struct stat status;
  if (const int error = find(p, dirfd, path, flags, status)) return CallResult::fail(error);
  return put(p, to, status) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult by_descriptor(Process& p, const Arguments& a, Put put) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  struct stat status;
  if (const int error = status_of(p, *file, status)) return CallResult::fail(error);
  return put(p, a[1], status) ? CallResult(0) : CallResult::fail(EFAULT);
}

CallResult stat(Process& p, const Arguments& a) { return by_path(p, kAtCwd, a[0], 0, a[1], put_stat); }
CallResult lstat(Process& p, const Arguments& a) {
  return by_path(p, kAtCwd, a[0], kStatNoFollow, a[1], put_stat);
}
CallResult fstat(Process& p, const Arguments& a) { return by_descriptor(p, a, put_stat); }
CallResult stat64(Process& p, const Arguments& a) { return by_path(p, kAtCwd, a[0], 0, a[1], put_stat64); }
CallResult lstat64(Process& p, const Arguments& a) {
  return by_path(p, kAtCwd, a[0], kStatNoFollow, a[1], put_stat64);
}
CallResult fstat64(Process& p, const Arguments& a) { return by_descriptor(p, a, put_stat64); }
CallResult fstatat64(Process& p, const Arguments& a) {
  constexpr std::uint64_t kNoAutomount = 0x800;
  if (a[3] & ~(kStatNoFollow | kStatEmptyPath | kNoAutomount)) return CallResult::fail(EINVAL);
  return by_path(p, as_int(a[0]), a[1], a[3], a[2], put_stat64);
}

CallResult statx(Process& p, const Arguments& a) {
  struct stat s;
  if (const int error = find(p, as_int(a[0]), a[1], a[2], s)) return CallResult::fail(error);
  GuestStruct<256> out;
  constexpr std::uint64_t kBasicStats = 0x7FF;
  out.put32(0, kBasicStats), out.put32(4, u(s.st_blksize));
  out.put32(16, s.st_nlink), out.put16(28, s.st_mode);
  out.put32(20, p.start.identity.user_from_host(s.st_uid));
  out.put32(24, p.start.identity.group_from_host(s.st_gid));
  out.put64(32, s.st_ino), out.put64(40, u(s.st_size)), out.put64(48, u(s.st_blocks));
  const auto time = [&](std::size_t at, const struct timespec& t) {
    out.put64(at, u(t.tv_sec)), out.put32(at + 8, u(t.tv_nsec));
  };
  time(64, s.st_atim), time(96, s.st_ctim), time(112, s.st_mtim);
  out.put32(128, ::major(s.st_rdev)), out.put32(132, ::minor(s.st_rdev));
  out.put32(136, ::major(s.st_dev)), out.put32(140, ::minor(s.st_dev));
  return out.write_to(p.memory, a[4]) ? CallResult(0) : CallResult::fail(EFAULT);
}

// Writes struct statfs (statfs64 is the same on 64-bit machines): fields are longs.
CallResult put_statfs(Process& p, std::uint64_t address, const struct statfs& s) {
  GuestStruct<120> out;
  const std::uint64_t words[] = {u(s.f_type),    u(s.f_bsize),  s.f_blocks, s.f_bfree,
                                 s.f_bavail,     s.f_files,     s.f_ffree,  0,
                                 u(s.f_namelen), u(s.f_frsize), 0};
  for (std::size_t i = 0; i < std::size(words); ++i) out.put64(i * 8, words[i]);
  out.put32(56, 0), out.put32(60, 0);  // f_fsid
  return out.write_to(p.memory, address) ? CallResult(0) : CallResult::fail(EFAULT);
}
/// Returns the status for any file with a fixed start, since the fill level of the host's disks is no input
/// of a simulation, and for files that are no host files: devices, and directories that lead to mounts.
struct statfs of_fixed() {
  struct statfs s {};
  s.f_bsize = s.f_frsize = 4096, s.f_namelen = 255;
  s.f_type = 0xEF53;  // ext4
  s.f_blocks = s.f_files = std::uint64_t{1} << 28;
  s.f_bfree = s.f_bavail = s.f_ffree = s.f_blocks / 2;
  return s;
}
CallResult statfs_to(Process& p, std::uint64_t path, std::uint64_t to) {
  PathTarget target;
  if (const int error = resolve(p, kAtCwd, path, true, target)) return CallResult::fail(error);
  struct stat status;
  if (const int error = status_of(p, target, status)) return CallResult::fail(error);
  struct statfs s = of_fixed();
  if (target.kind == PathTarget::Kind::Host && !p.start.identity.fixed &&
      ::fstatfs(target.parent.get(), &s) != 0)
    return CallResult::fail(errno);
  return put_statfs(p, to, s);
}
CallResult fstatfs_to(Process& p, std::uint64_t fd, std::uint64_t to) {
  const auto file = p.files.get(fd);
  if (!file) return CallResult::fail(EBADF);
  struct statfs s = of_fixed();
  if (file->kind == OpenFile::Kind::Host && !p.start.identity.fixed && ::fstatfs(file->host.get(), &s) != 0)
    return CallResult::fail(errno);
  return put_statfs(p, to, s);
}
CallResult statfs(Process& p, const Arguments& a) { return statfs_to(p, a[0], a[1]); }
CallResult fstatfs(Process& p, const Arguments& a) { return fstatfs_to(p, a[0], a[1]); }
CallResult statfs64(Process& p, const Arguments& a) {
  return a[1] != 120 ? CallResult::fail(EINVAL) : statfs_to(p, a[0], a[2]);
}
CallResult fstatfs64(Process& p, const Arguments& a) {
  return a[1] != 120 ? CallResult::fail(EINVAL) : fstatfs_to(p, a[0], a[2]);
}

constexpr SystemCall kStatusCalls[] = {
    {38, "stat", 2, stat},
    {40, "lstat", 2, lstat},
    {62, "fstat", 2, fstat},
    {63, "fstat64", 2, fstat64},
    {132, "lstat64", 2, lstat64},
    {139, "stat64", 2, stat64},
    {157, "statfs", 2, statfs},
    {158, "fstatfs", 2, fstatfs},
    {234, "statfs64", 3, statfs64},
    {235, "fstatfs64", 3, fstatfs64},
    {289, "fstatat64", 4, fstatat64},
    {360, "statx", 5, statx},
};

}  // namespace

std::span<const SystemCall> status() { return kStatusCalls; }

}  // namespace psim::isa::calls
