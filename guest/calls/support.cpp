// SPDX-License-Identifier: Apache-2.0
#include "guest/calls/support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

namespace psim::isa::calls {

std::uint64_t free_memory(const Process& p) {
  return kMemoryBytes - std::min(kMemoryBytes, p.space.areas().bytes().accessible);
}

int read_path(Process& p, std::uint64_t address, std::string& path) {
  if (p.memory.read_string(address, path, PATH_MAX)) return 0;
  return p.memory.accessible(address, PATH_MAX, kRead) == PATH_MAX ? ENAMETOOLONG : EFAULT;
}

int base_of(Process& p, int dirfd, std::string& base) {
  if (dirfd == kAtCwd) return base = p.working_directory, 0;
  const auto file = p.files.get(static_cast<std::uint32_t>(dirfd));
  if (!file) return EBADF;
  if (!file->directory) return ENOTDIR;
  base = file->guest_path;
  return 0;
}

int resolve(Process& p, int dirfd, std::uint64_t address, bool follow_last, PathTarget& target) {
  std::string path, base;
  if (const int error = read_path(p, address, path)) return error;
  if (path.empty()) return ENOENT;
  if (path[0] != '/')
    if (const int error = base_of(p, dirfd, base)) return error;
  return p.sandbox.resolve(base, path, follow_last, target);
}

int resolve_for_change(Process& p, int dirfd, std::uint64_t address, PathTarget& target) {
  if (const int error = resolve(p, dirfd, address, false, target)) return error;
  if (target.kind == PathTarget::Kind::Device) return EPERM;
  if (target.kind == PathTarget::Kind::Virtual) return EBUSY;
  return target.writable ? 0 : EROFS;
}

int poll_one(const OpenFile& file, short events, int milliseconds) {
  struct pollfd one {
    file.host.get(), events, 0
  };
  return ::poll(&one, 1, milliseconds);
}

std::optional<CallResult> wait_for_itself(Process& p, const OpenFile& file, short events) {
  const bool threaded = p.threaded() && p.threads.live() > 1;
  if (!file.own || !(threaded || p.by_itself())) return {};
  const int flags = ::fcntl(file.host.get(), F_GETFL);
  if ((flags & O_NONBLOCK) || (flags & O_ACCMODE) == (events == POLLIN ? O_WRONLY : O_RDONLY)) return {};
  const auto ready = [&] { return poll_one(file, events, 0) != 0; };
  if (!p.threaded()) p.pass_time(SimulatedClock::kNever, ready);
  const bool due = threaded && p.gather_signals();
  if (!ready() && threaded) return p.repeat_later(due);
  if (!ready() && p.alone() && p.stuck()) return CallResult::done();
  p.stop_polling();
  return {};
}

bool writes_in_parts(const Process& p, const OpenFile& file, std::uint64_t bytes) {
  if (p.threads.current().poll_done != 0) return true;  // it has begun
  if (!file.own || file.counter || bytes <= PIPE_BUF) return false;
  if (!(p.threaded() && p.threads.live() > 1) && !p.by_itself()) return false;
  if (::fcntl(file.host.get(), F_GETFL) & O_NONBLOCK) return false;
  struct ::stat status;
  if (::fstat(file.host.get(), &status) != 0) return false;
  int type = 0;
  socklen_t length = sizeof type;
  return S_ISFIFO(status.st_mode) ||
         (::getsockopt(file.host.get(), SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM);
}

CallResult write_in_parts(Process& p, const OpenFile& file, std::span<const struct iovec> pieces) {
  std::uint64_t& done = p.threads.current().poll_done;
  std::uint64_t before = 0;  // bytes of the pieces before
  const auto unless_some = [&](const CallResult& result) { return done != 0 ? CallResult(done) : result; };
  for (const struct iovec& piece : pieces) {
    for (; done < before + piece.iov_len;) {
      if (const auto waiting = wait_for_itself(p, file, POLLOUT))
        return waiting->kind == CallResult::Kind::Interrupted ? unless_some(*waiting) : *waiting;
      // Not yet ready if a signal is due, or can come from outside.
      const CallResult ready = p.blocking([&] { return poll_one(file, POLLOUT, -1); });
      if (ready.kind != CallResult::Kind::Value) return unless_some(ready);
      // A pipe that is ready has room for PIPE_BUF bytes.
      const std::uint64_t part = std::min<std::uint64_t>(before + piece.iov_len - done, PIPE_BUF);
      const auto* const from = static_cast<const std::byte*>(piece.iov_base) + (done - before);
      const ssize_t written = ::write(file.host.get(), from, part);
      if (written < 0 && errno != EINTR) return unless_some(CallResult::fail(errno));
      done += static_cast<std::uint64_t>(std::max<ssize_t>(written, 0));
    }
    before += piece.iov_len;
  }
  return done;
}

GuestUmask::GuestUmask(const Process& p) : before_(::umask(p.umask)) {}
GuestUmask::~GuestUmask() { ::umask(before_); }

namespace {

constexpr auto kStartTime = static_cast<time_t>(SimulatedClock::kEpochSeconds);

struct ::stat plain_status(mode_t mode, ino_t inode) {
  struct ::stat status {};
  status.st_mode = mode, status.st_ino = inode, status.st_nlink = 1, status.st_blksize = 4096;
  status.st_atim.tv_sec = status.st_mtim.tv_sec = status.st_ctim.tv_sec = kStartTime;
  return status;
}

/// Returns the status of a device that psim provides, the same on every host.
struct ::stat device_status(std::string_view guest) {
  struct Device {
    std::string_view name;
    unsigned major, minor;
  };
  constexpr Device kDevices[] = {{"/dev/null", 1, 3},   {"/dev/zero", 1, 5},    {"/dev/full", 1, 7},
                                 {"/dev/random", 1, 8}, {"/dev/urandom", 1, 9}, {"/dev/tty", 5, 0}};
  struct ::stat status = plain_status(S_IFCHR | 0666, 0);
  for (const Device& device : kDevices)
    if (device.name == guest)
      status.st_rdev = ::makedev(device.major, device.minor),
      status.st_ino = 16 * device.major + device.minor;
  return status;
}

int provided_status(Process& p, const std::string& guest, struct ::stat& status) {
  if (const std::size_t fd = guest.rfind("/fd/"); fd != std::string::npos) {
    const auto file = p.files.get(static_cast<std::uint64_t>(std::atoi(guest.c_str() + fd + 4)));
    return file ? status_of(p, *file, status) : ENOENT;
  }
  const unsigned standard = guest == "/dev/stdin"    ? 0
                            : guest == "/dev/stdout" ? 1
                            : guest == "/dev/stderr" ? 2
                                                     : 3;
  if (standard < 3) {
    const auto file = p.files.get(standard);
    return file ? status_of(p, *file, status) : ENOENT;
  }
  if (guest.starts_with("/dev/"))
    status = device_status(guest);
  else
    status = plain_status(guest == "/proc/self/exe" ? S_IFREG | 0755 : S_IFREG | 0444, 0);
  return 0;
}

void virtual_status(struct ::stat& status) {
  status = {};
  status.st_mode = S_IFDIR | 0555, status.st_nlink = 2, status.st_blksize = 4096, status.st_ino = 1;
}

}  // namespace

int status_of(Process& p, const PathTarget& target, struct ::stat& status) {
  switch (target.kind) {
    case PathTarget::Kind::Device:
      return provided_status(p, target.guest, status);
    case PathTarget::Kind::Virtual:
      return virtual_status(status), 0;
    case PathTarget::Kind::Host:
      break;
  }
  if (::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  if (p.start.identity.fixed) p.seen_files.make_fixed(status);
  return target.must_be_directory && !S_ISDIR(status.st_mode) ? ENOTDIR : 0;
}

int status_of(Process& p, const OpenFile& file, struct ::stat& status) {
  if (file.kind == OpenFile::Kind::Virtual) return virtual_status(status), 0;
  if (file.kind == OpenFile::Kind::Random || (file.outside && file.guest_path.starts_with("/dev/")))
    return status = device_status(file.guest_path), 0;
  if (file.kind == OpenFile::Kind::Stream) {
    status = plain_status(S_IFIFO | 0600, static_cast<ino_t>(file.standard) + 1);
    status.st_blksize = GuestMemory::kPageBytes;  // of a pipe: a page
    status.st_uid = ::geteuid(), status.st_gid = ::getegid();
    return 0;
  }
  if (::fstat(file.host.get(), &status) != 0) return errno;
  if (p.start.identity.fixed) p.seen_files.make_fixed(status);
  return 0;
}

struct timespec file_time(Process& p) {
  const std::uint64_t time = wall_clock(p);
  return {static_cast<time_t>(time / SimulatedClock::kSecond),
          static_cast<long>(time % SimulatedClock::kSecond)};
}

void note_made(Process& p, const PathTarget& target) {
  struct ::stat status;
  if (::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    p.seen_files.made(status, file_time(p));
  note_renamed(p, target);
}

void note_renamed(Process& p, const PathTarget& target) {
  struct ::stat status;
  if (::fstat(target.parent.get(), &status) == 0) p.seen_files.file(status).write(file_time(p));
}

std::span<std::byte> buffer(Process& p, std::uint64_t address, std::uint64_t bytes, std::uint8_t need) {
  const std::size_t granted = p.memory.accessible(address, bytes, need);
  return granted == 0 ? std::span<std::byte>{} : p.memory.host(address, granted, need & kWrite);
}

bool read_timespec(Process& p, std::uint64_t address, GuestTime& time) {
  GuestStruct<16> in;
  if (!in.read_from(p.memory, address)) return false;
  time.seconds = static_cast<std::int64_t>(in.get<std::uint64_t>(0));
  time.fraction = static_cast<std::int64_t>(in.get<std::uint64_t>(8));
  return true;
}

bool write_timespec(Process& p, std::uint64_t address, GuestTime time) {
  GuestStruct<16> out;
  out.put64(0, static_cast<std::uint64_t>(time.seconds)),
      out.put64(8, static_cast<std::uint64_t>(time.fraction));
  return out.write_to(p.memory, address);
}

bool read_timeval(Process& p, std::uint64_t address, GuestTime& time) {
  GuestStruct<16> in;
  if (!in.read_from(p.memory, address)) return false;
  time.seconds = static_cast<std::int64_t>(in.get<std::uint64_t>(0));
  time.fraction = static_cast<std::int32_t>(in.get<std::uint32_t>(8));
  return true;
}

bool write_timeval(Process& p, std::uint64_t address, GuestTime time) {
  GuestStruct<16> out;
  out.put64(0, static_cast<std::uint64_t>(time.seconds)),
      out.put32(8, static_cast<std::uint64_t>(time.fraction));
  return out.write_to(p.memory, address);
}

bool duration(GuestTime time, std::uint64_t unit, std::uint64_t& nanoseconds) {
  const auto per_second = static_cast<std::int64_t>(SimulatedClock::kSecond / unit);
  if (time.seconds < 0 || time.fraction < 0 || time.fraction >= per_second) return false;
  constexpr std::int64_t kMostSeconds = 4'000'000'000;  // beyond any simulation, far below overflow
  const auto seconds = static_cast<std::uint64_t>(std::min(time.seconds, kMostSeconds));
  nanoseconds = seconds * SimulatedClock::kSecond + static_cast<std::uint64_t>(time.fraction) * unit;
  return true;
}

std::uint64_t wall_clock(Process& p) {
  return SimulatedClock::kEpochSeconds * SimulatedClock::kSecond + p.clock.now();
}

}  // namespace psim::isa::calls
