// SPDX-License-Identifier: Apache-2.0
// Calls that name files: open, link, unlink, rename, chmod and related calls.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "guest/calls/open_flags.h"
#include "guest/calls/opening.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kSymlinkNoFollow = 0x100, kRemoveDirectory = 0x200, kSymlinkFollow = 0x400,
                        kEmptyPath = 0x1000;  // AT_*

CallResult open_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t flags, std::uint64_t mode) {
  std::shared_ptr<OpenFile> file;
  if (const int error = open_at(p, dirfd, path, flags, mode, file))
    return error == EINTR ? CallResult::interrupted() : CallResult::fail(error);
  const int fd = p.files.add(std::move(file), flags & guest_open::kCloseOnExec);
  return fd < 0 ? CallResult::fail(EMFILE) : CallResult(static_cast<std::uint64_t>(fd));
}
CallResult open(Process& p, const Arguments& a) { return open_with(p, kAtCwd, a[0], a[1], a[2]); }
CallResult openat(Process& p, const Arguments& a) { return open_with(p, as_int(a[0]), a[1], a[2], a[3]); }
CallResult creat(Process& p, const Arguments& a) {
  return open_with(p, kAtCwd, a[0], 1 | guest_open::kCreate | guest_open::kTruncate, a[1]);
}

// Makes one call on the resolved path; `call` gets the directory and the name.
template <class Call>
CallResult change(Process& p, int dirfd, std::uint64_t path, Call call) {
  PathTarget target;
  if (const int error = resolve_for_change(p, dirfd, path, target)) return CallResult::fail(error);
  if (call(target.parent.get(), target.name.c_str(), target) != 0) return CallResult::fail(errno);
  note_renamed(p, target);
  return 0;
}

CallResult unlink_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t flags) {
  if (flags & ~kRemoveDirectory) return CallResult::fail(EINVAL);
  std::string text;
  if (const int error = read_path(p, path, text)) return CallResult::fail(error);
  if (flags != 0 && (text == "." || text.ends_with("/."))) return CallResult::fail(EINVAL);
  return change(p, dirfd, path, [&](int directory, const char* name, const PathTarget& target) {
    if (target.name == ".") return errno = flags ? EBUSY : EISDIR, -1;
    if (flags == 0 && target.must_be_directory) return errno = EISDIR, -1;
    return ::unlinkat(directory, name, flags ? AT_REMOVEDIR : 0);
  });
}
CallResult unlink(Process& p, const Arguments& a) { return unlink_with(p, kAtCwd, a[0], 0); }
CallResult rmdir(Process& p, const Arguments& a) { return unlink_with(p, kAtCwd, a[0], kRemoveDirectory); }
CallResult unlinkat(Process& p, const Arguments& a) { return unlink_with(p, as_int(a[0]), a[1], a[2]); }

CallResult mkdir_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t mode) {
  PathTarget target;
  int error = resolve_for_change(p, dirfd, path, target);
  if (error == EBUSY || error == EPERM) error = EEXIST;
  if (error) return CallResult::fail(error);
  const GuestUmask umask(p);
  if (::mkdirat(target.parent.get(), target.name.c_str(), static_cast<mode_t>(mode & 07777)) != 0)
    return CallResult::fail(errno);
  note_made(p, target);
  return 0;
}
CallResult mkdir(Process& p, const Arguments& a) { return mkdir_with(p, kAtCwd, a[0], a[1]); }
CallResult mkdirat(Process& p, const Arguments& a) { return mkdir_with(p, as_int(a[0]), a[1], a[2]); }

CallResult mknod_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t mode) {
  // Allows regular files, pipes and sockets only: a device node would give access outside the sandbox.
  const mode_t type = static_cast<mode_t>(mode) & S_IFMT;
  if (type != 0 && type != S_IFREG && type != S_IFIFO && type != S_IFSOCK)
    return CallResult::fail(type == S_IFCHR || type == S_IFBLK ? EPERM : EINVAL);
  return change(p, dirfd, path, [&](int directory, const char* name, const PathTarget& target) {
    const GuestUmask umask(p);
    const int result = ::mknodat(directory, name, static_cast<mode_t>(mode), 0);
    if (result == 0) note_made(p, target);
    return result;
  });
}
CallResult mknod(Process& p, const Arguments& a) { return mknod_with(p, kAtCwd, a[0], a[1]); }
CallResult mknodat(Process& p, const Arguments& a) { return mknod_with(p, as_int(a[0]), a[1], a[2]); }

CallResult symlink_with(Process& p, std::uint64_t text_address, int dirfd, std::uint64_t path) {
  std::string text;
  if (const int error = read_path(p, text_address, text)) return CallResult::fail(error);
  return change(p, dirfd, path, [&](int directory, const char* name, const PathTarget& target) {
    const int result = ::symlinkat(text.c_str(), directory, name);  // only our own walk ever follows it
    if (result == 0) note_made(p, target);
    return result;
  });
}
CallResult symlink(Process& p, const Arguments& a) { return symlink_with(p, a[0], kAtCwd, a[1]); }
CallResult symlinkat(Process& p, const Arguments& a) { return symlink_with(p, a[0], as_int(a[1]), a[2]); }

CallResult link_with(Process& p, int old_dirfd, std::uint64_t old_path, int dirfd, std::uint64_t path,
                     std::uint64_t flags) {
  if (flags & ~kSymlinkFollow) return CallResult::fail(EINVAL);
  PathTarget from, to;
  if (const int error = resolve(p, old_dirfd, old_path, flags & kSymlinkFollow, from))
    return CallResult::fail(error);
  if (const int error = resolve_for_change(p, dirfd, path, to)) return CallResult::fail(error);
  if (from.kind != PathTarget::Kind::Host) return CallResult::fail(EPERM);
  // A read-only file must not get a second name in a writable directory.
  if (!from.writable) return CallResult::fail(EXDEV);
  if (::linkat(from.parent.get(), from.name.c_str(), to.parent.get(), to.name.c_str(), 0) != 0)
    return CallResult::fail(errno);
  note_renamed(p, to);
  return 0;
}
CallResult link(Process& p, const Arguments& a) { return link_with(p, kAtCwd, a[0], kAtCwd, a[1], 0); }
CallResult linkat(Process& p, const Arguments& a) {
  return link_with(p, as_int(a[0]), a[1], as_int(a[2]), a[3], a[4]);
}

CallResult rename_with(Process& p, int old_dirfd, std::uint64_t old_path, int dirfd, std::uint64_t path,
                       std::uint64_t flags) {
  PathTarget from, to;
  if (const int error = resolve_for_change(p, old_dirfd, old_path, from)) return CallResult::fail(error);
  if (const int error = resolve_for_change(p, dirfd, path, to)) return CallResult::fail(error);
  if (from.name == "." || to.name == ".") return CallResult::fail(EBUSY);
  if (from.must_be_directory || to.must_be_directory) {
    struct stat status;
    if (::fstatat(from.parent.get(), from.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      return CallResult::fail(errno);
    if (!S_ISDIR(status.st_mode)) return CallResult::fail(ENOTDIR);
  }
  if (::renameat2(from.parent.get(), from.name.c_str(), to.parent.get(), to.name.c_str(),
                  static_cast<unsigned>(flags)) != 0)
    return CallResult::fail(errno);
  note_renamed(p, from), note_renamed(p, to);
  return 0;
}
CallResult rename(Process& p, const Arguments& a) { return rename_with(p, kAtCwd, a[0], kAtCwd, a[1], 0); }
CallResult renameat(Process& p, const Arguments& a) {
  return rename_with(p, as_int(a[0]), a[1], as_int(a[2]), a[3], 0);
}
CallResult renameat2(Process& p, const Arguments& a) {
  constexpr std::uint64_t kNoReplace = 1, kExchange = 2;
  if (a[4] & ~(kNoReplace | kExchange)) return CallResult::fail(EINVAL);
  return rename_with(p, as_int(a[0]), a[1], as_int(a[2]), a[3], a[4]);
}

CallResult readlink_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t to, std::uint64_t bytes) {
  if (static_cast<std::int64_t>(bytes) <= 0) return CallResult::fail(EINVAL);
  PathTarget target;
  if (const int error = resolve(p, dirfd, path, false, target)) return CallResult::fail(error);
  char text[4096];
  ssize_t size = -1;
  if (target.kind == PathTarget::Kind::Host && !target.must_be_directory) {
    size = ::readlinkat(target.parent.get(), target.name.c_str(), text, sizeof text);
    if (size < 0) return CallResult::fail(errno);
  } else if (target.guest == "/proc/self/exe") {
    size = static_cast<ssize_t>(std::min(p.executable().size(), sizeof text));
    std::memcpy(text, p.executable().data(), static_cast<std::size_t>(size));
  } else {
    return CallResult::fail(EINVAL);
  }
  const auto out = buffer(p, to, std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(size)), kWrite);
  if (out.size() < std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(size)))
    return CallResult::fail(EFAULT);
  std::memcpy(out.data(), text, out.size());
  return out.size();
}
CallResult readlink(Process& p, const Arguments& a) { return readlink_with(p, kAtCwd, a[0], a[1], a[2]); }
CallResult readlinkat(Process& p, const Arguments& a) {
  return readlink_with(p, as_int(a[0]), a[1], a[2], a[3]);
}

// Opens the resolved file itself, for host calls that would follow a link put there meanwhile.
int pin(const PathTarget& target, UniqueFd& file) {
  file = UniqueFd(::openat(target.parent.get(), target.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return errno;
  if (!target.must_be_directory) return 0;
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}
std::string magic(const UniqueFd& file) { return "/proc/self/fd/" + std::to_string(file.get()); }

// Resolves, follows links by our walk, pins the file, then calls with a host path of the pinned file.
template <class Call>
CallResult on_pinned(Process& p, int dirfd, std::uint64_t path, bool follow, bool changes, Call call) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    PathTarget target;
    if (const int error = resolve(p, dirfd, path, follow, target)) return CallResult::fail(error);
    if (target.kind != PathTarget::Kind::Host) return CallResult::fail(changes ? EPERM : EACCES);
    if (changes && !target.writable) return CallResult::fail(EROFS);
    UniqueFd file;
    if (const int error = pin(target, file)) return CallResult::fail(error);
    struct stat status;
    if (::fstat(file.get(), &status) != 0) return CallResult::fail(errno);
    if (S_ISLNK(status.st_mode)) {
      if (follow) continue;  // a link appeared after the walk
      return CallResult::fail(EOPNOTSUPP);
    }
    return CallResult::of(call(magic(file).c_str()));
  }
  return CallResult::fail(ELOOP);
}

CallResult chmod_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t mode) {
  return on_pinned(p, dirfd, path, true, true,
                   [&](const char* host) { return ::chmod(host, static_cast<mode_t>(mode & 07777)); });
}
CallResult chmod(Process& p, const Arguments& a) { return chmod_with(p, kAtCwd, a[0], a[1]); }
CallResult fchmodat(Process& p, const Arguments& a) { return chmod_with(p, as_int(a[0]), a[1], a[2]); }
/// Returns 0 if the guest may change the mode, owner and times of an open file, or a host errno.
int unchangeable(const OpenFile* file) {
  if (file == nullptr) return EBADF;
  if (file->outside) return EPERM;
  return file->kind != OpenFile::Kind::Host || !file->writable_mount ? EROFS : 0;
}
uid_t host_user(const Process& p, std::uint64_t user) {
  return p.start.identity.user_to_host(static_cast<std::uint32_t>(user));
}
gid_t host_group(const Process& p, std::uint64_t group) {
  return p.start.identity.group_to_host(static_cast<std::uint32_t>(group));
}

CallResult fchmod(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (const int error = unchangeable(file.get())) return CallResult::fail(error);
  return CallResult::of(::fchmod(file->host.get(), static_cast<mode_t>(a[1] & 07777)));
}

CallResult chown_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t user, std::uint64_t group,
                      bool follow) {
  PathTarget target;
  if (const int error = resolve(p, dirfd, path, follow, target)) return CallResult::fail(error);
  if (target.kind != PathTarget::Kind::Host) return CallResult::fail(EPERM);
  if (!target.writable) return CallResult::fail(EROFS);
  return CallResult::of(::fchownat(target.parent.get(), target.name.c_str(), host_user(p, user),
                                   host_group(p, group), AT_SYMLINK_NOFOLLOW));
}
CallResult chown(Process& p, const Arguments& a) { return chown_with(p, kAtCwd, a[0], a[1], a[2], true); }
CallResult lchown(Process& p, const Arguments& a) { return chown_with(p, kAtCwd, a[0], a[1], a[2], false); }
CallResult fchownat(Process& p, const Arguments& a) {
  if ((a[4] & kEmptyPath) != 0) return CallResult::fail(EINVAL);
  return chown_with(p, as_int(a[0]), a[1], a[2], a[3], !(a[4] & kSymlinkNoFollow));
}
CallResult fchown(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (const int error = unchangeable(file.get())) return CallResult::fail(error);
  return CallResult::of(::fchown(file->host.get(), host_user(p, a[1]), host_group(p, a[2])));
}

CallResult truncate(Process& p, const Arguments& a) {
  if (static_cast<std::int64_t>(a[1]) < 0) return CallResult::fail(EINVAL);
  return on_pinned(p, kAtCwd, a[0], true, true, [&](const char* host) {
    struct stat status;
    const int result = ::truncate(host, static_cast<off_t>(a[1]));
    if (result == 0 && ::stat(host, &status) == 0) p.seen_files.file(status).write(file_time(p));
    return result;
  });
}

CallResult access_with(Process& p, int dirfd, std::uint64_t path, std::uint64_t mode, std::uint64_t flags) {
  if ((mode & ~std::uint64_t{7}) || (flags & ~(kSymlinkNoFollow | kRemoveDirectory | kEmptyPath)))
    return CallResult::fail(EINVAL);
  PathTarget target;
  if (const int error = resolve(p, dirfd, path, !(flags & kSymlinkNoFollow), target))
    return CallResult::fail(error);
  if (target.kind == PathTarget::Kind::Virtual) return mode & W_OK ? CallResult::fail(EACCES) : CallResult(0);
  if (target.kind == PathTarget::Kind::Device)
    return mode & X_OK && target.guest != "/proc/self/exe" ? CallResult::fail(EACCES) : CallResult(0);
  struct stat status;
  if (const int error = status_of(p, target, status)) return CallResult::fail(error);
  if ((mode & W_OK) && !target.writable) return CallResult::fail(EROFS);
  if (S_ISLNK(status.st_mode)) return 0;
  UniqueFd file;
  if (const int error = pin(target, file)) return CallResult::fail(error);
  return CallResult::of(::faccessat(AT_FDCWD, magic(file).c_str(), static_cast<int>(mode),
                                    flags & kRemoveDirectory ? AT_EACCESS : 0));
}
CallResult access(Process& p, const Arguments& a) { return access_with(p, kAtCwd, a[0], a[1], 0); }
CallResult faccessat(Process& p, const Arguments& a) { return access_with(p, as_int(a[0]), a[1], a[2], 0); }
CallResult faccessat2(Process& p, const Arguments& a) {
  return access_with(p, as_int(a[0]), a[1], a[2], a[3]);
}

CallResult umask(Process& p, const Arguments& a) {
  return std::exchange(p.umask, static_cast<mode_t>(a[0] & 0777));
}

// Returns the time to set; "now" is the simulated time.
struct timespec at_time(GuestTime time, std::uint64_t unit) {
  return {static_cast<time_t>(time.seconds),
          static_cast<long>(time.fraction * static_cast<std::int64_t>(unit))};
}
void note_times(Process& p, const struct stat& host, const struct timespec (&times)[2]) {
  SeenFile& file = p.seen_files.file(host);
  if (times[0].tv_nsec != UTIME_OMIT) file.accessed = times[0];
  if (times[1].tv_nsec != UTIME_OMIT) file.modified = times[1];
  file.changed = file_time(p);
}
CallResult set_times(Process& p, int dirfd, std::uint64_t path, const struct timespec (&times)[2],
                     bool follow) {
  struct stat status;
  if (path == 0) {
    const auto file = p.files.get(static_cast<std::uint32_t>(dirfd));
    if (const int error = unchangeable(file.get())) return CallResult::fail(error);
    if (::futimens(file->host.get(), times) != 0) return CallResult::fail(errno);
    if (::fstat(file->host.get(), &status) == 0) note_times(p, status, times);
    return 0;
  }
  PathTarget target;
  if (const int error = resolve(p, dirfd, path, follow, target)) return CallResult::fail(error);
  if (target.kind != PathTarget::Kind::Host) return CallResult::fail(EPERM);
  if (!target.writable) return CallResult::fail(EROFS);
  if (::utimensat(target.parent.get(), target.name.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
    return CallResult::fail(errno);
  if (::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    note_times(p, status, times);
  return 0;
}
CallResult utimensat(Process& p, const Arguments& a) {
  constexpr std::int64_t kNow = 0x3FFFFFFF, kOmit = 0x3FFFFFFE;
  struct timespec times[2] = {file_time(p), file_time(p)};
  for (unsigned i = 0; a[2] != 0 && i < 2; ++i) {
    GuestTime time;
    if (!read_timespec(p, a[2] + i * 16, time)) return CallResult::fail(EFAULT);
    if (time.fraction == kOmit)
      times[i].tv_nsec = UTIME_OMIT;
    else if (time.fraction != kNow)
      times[i] = at_time(time, 1);
  }
  return set_times(p, as_int(a[0]), a[1], times, !(a[3] & kSymlinkNoFollow));
}
CallResult times_of_timevals(Process& p, int dirfd, std::uint64_t path, std::uint64_t address) {
  struct timespec times[2] = {file_time(p), file_time(p)};
  for (unsigned i = 0; address != 0 && i < 2; ++i) {
    GuestTime time;
    if (!read_timeval(p, address + i * 16, time)) return CallResult::fail(EFAULT);
    if (time.fraction < 0 || time.fraction >= 1'000'000) return CallResult::fail(EINVAL);
    times[i] = at_time(time, 1000);
  }
  return set_times(p, dirfd, path, times, true);
}
CallResult utimes(Process& p, const Arguments& a) { return times_of_timevals(p, kAtCwd, a[0], a[1]); }
CallResult futimesat(Process& p, const Arguments& a) {
  return times_of_timevals(p, as_int(a[0]), a[1], a[2]);
}
CallResult utime(Process& p, const Arguments& a) {
  struct timespec times[2] = {file_time(p), file_time(p)};
  for (unsigned i = 0; a[1] != 0 && i < 2; ++i) {
    std::uint64_t seconds = 0;
    if (!p.memory.load(a[1] + i * 8, seconds)) return CallResult::fail(EFAULT);
    times[i] = {static_cast<time_t>(seconds), 0};
  }
  return set_times(p, kAtCwd, a[0], times, true);
}

constexpr SystemCall kPathsCalls[] = {
    {5, "open", 3, open},
    {8, "creat", 2, creat},
    {9, "link", 2, link},
    {10, "unlink", 1, unlink},
    {13, "chown", 3, chown},
    {14, "mknod", 3, mknod},
    {15, "chmod", 2, chmod},
    {16, "lchown", 3, lchown},
    {30, "utime", 2, utime},
    {33, "access", 2, access},
    {57, "symlink", 2, symlink},
    {58, "readlink", 3, readlink},
    {60, "umask", 1, umask},
    {123, "fchown", 3, fchown},
    {124, "fchmod", 2, fchmod},
    {128, "rename", 2, rename},
    {129, "truncate", 2, truncate},
    {136, "mkdir", 2, mkdir},
    {137, "rmdir", 1, rmdir},
    {138, "utimes", 2, utimes},
    {284, "openat", 4, openat},
    {285, "mkdirat", 3, mkdirat},
    {286, "mknodat", 4, mknodat},
    {287, "fchownat", 5, fchownat},
    {288, "futimesat", 3, futimesat},
    {290, "unlinkat", 3, unlinkat},
    {291, "renameat", 4, renameat},
    {292, "linkat", 5, linkat},
    {293, "symlinkat", 3, symlinkat},
    {294, "readlinkat", 4, readlinkat},
    {295, "fchmodat", 3, fchmodat},
    {296, "faccessat", 3, faccessat},
    {310, "utimensat", 4, utimensat},
    {345, "renameat2", 5, renameat2},
    {439, "faccessat2", 4, faccessat2},
};

}  // namespace

std::span<const SystemCall> paths() { return kPathsCalls; }

}  // namespace psim::isa::calls
