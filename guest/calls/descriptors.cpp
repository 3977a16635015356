// SPDX-License-Identifier: Apache-2.0
// Calls on descriptors: close, dup, fcntl, pipe, flock.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "guest/calls/open_flags.h"
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

CallResult close(Process& p, const Arguments& a) {
  return p.files.close(a[0]) ? CallResult(0) : CallResult::fail(EBADF);
}

CallResult close_range(Process& p, const Arguments& a) {
  constexpr std::uint32_t kCloseOnExec = 4;
  const auto first = static_cast<std::uint32_t>(a[0]), last = static_cast<std::uint32_t>(a[1]);
  if (first > last) return CallResult::fail(EINVAL);
  for (std::uint64_t fd = first; fd <= last && fd < p.files.size(); ++fd)
    if (a[2] & kCloseOnExec)
      p.files.set_close_on_exec(fd, true);
    else
      p.files.close(fd);
  return 0;
}

CallResult added(int fd) {
  return fd < 0 ? CallResult::fail(EMFILE) : CallResult(static_cast<std::uint64_t>(fd));
}

CallResult dup(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  return file ? added(p.files.add(file, false)) : CallResult::fail(EBADF);
}

CallResult duplicate_to(Process& p, const Arguments& a, bool close_on_exec) {
  const auto file = p.files.get(a[0]);
  const auto to = static_cast<std::uint32_t>(a[1]);
  if (!file || !p.files.put(to, file, close_on_exec)) return CallResult::fail(EBADF);
  return to;
}
CallResult dup2(Process& p, const Arguments& a) {
  if (static_cast<std::uint32_t>(a[0]) != static_cast<std::uint32_t>(a[1])) return duplicate_to(p, a, false);
  return p.files.get(a[0]) ? CallResult(static_cast<std::uint32_t>(a[0])) : CallResult::fail(EBADF);
}
CallResult dup3(Process& p, const Arguments& a) {
  if (static_cast<std::uint32_t>(a[0]) == static_cast<std::uint32_t>(a[1]) ||
      (a[2] & ~guest_open::kCloseOnExec))
    return CallResult::fail(EINVAL);
  return duplicate_to(p, a, a[2] & guest_open::kCloseOnExec);
}

// struct flock of sparc64: l_type, l_whence, l_start, l_len, l_pid. F_RDLCK is 1 here, 0 on the host.
CallResult lock(Process& p, OpenFile& file, int command, std::uint64_t address) {
  constexpr int kTypes[] = {-1, F_RDLCK, F_WRLCK, F_UNLCK};
  GuestStruct<32> bytes;
  if (!bytes.read_from(p.memory, address)) return CallResult::fail(EFAULT);
  const unsigned type = bytes.get<std::uint16_t>(0);
  if (type < 1 || type > 3) return CallResult::fail(EINVAL);
  struct flock host {};
  host.l_type = static_cast<short>(kTypes[type]);
  host.l_whence = static_cast<short>(bytes.get<std::uint16_t>(2));
  host.l_start = static_cast<off_t>(bytes.get<std::uint64_t>(8));
  host.l_len = static_cast<off_t>(bytes.get<std::uint64_t>(16));
  const CallResult result = p.blocking([&] { return ::fcntl(file.host.get(), command, &host); });
  if (result.kind != CallResult::Kind::Value || command != F_GETLK) return result;
  bytes.put16(0, host.l_type == F_RDLCK ? 1u : host.l_type == F_WRLCK ? 2u : 3u);
  if (host.l_type != F_UNLCK) {
    bytes.put16(2, static_cast<std::uint64_t>(host.l_whence));
    bytes.put64(8, static_cast<std::uint64_t>(host.l_start));
    bytes.put64(16, static_cast<std::uint64_t>(host.l_len));
    bytes.put32(24, p.family.guest_of(host.l_pid));
  }
  return bytes.write_to(p.memory, address) ? CallResult(0) : CallResult::fail(EFAULT);
}

// The flags that F_SETFL can change.
constexpr int kSettable = O_APPEND | O_ASYNC | O_DIRECT | O_NOATIME | O_NONBLOCK;

CallResult get_flags(const OpenFile& file) {
  int flags = O_RDWR;
  if (file.kind == OpenFile::Kind::Stream)
    flags = file.standard == 0 ? O_RDONLY : O_WRONLY;
  else if (file.kind == OpenFile::Kind::Host)
    flags = ::fcntl(file.host.get(), F_GETFL);
  if (flags < 0) return CallResult::fail(errno);
  if (file.status_flags) flags = (flags & ~kSettable) | *file.status_flags;
  return open_flags_from_host(flags);
}
CallResult set_flags(OpenFile& file, int flags) {
  if (file.outside) return file.status_flags = flags & kSettable, 0;
  return file.kind == OpenFile::Kind::Host ? CallResult::of(::fcntl(file.host.get(), F_SETFL, flags)) : 0;
}

CallResult fcntl(Process& p, const Arguments& a) {
  // asm-generic/fcntl.h but F_GETOWN 5, F_SETOWN 6, F_GETLK 7, F_SETLK 8, F_SETLKW 9.
  enum { kDupFd, kGetFd, kSetFd, kGetFl, kSetFl, kGetOwn, kSetOwn, kGetLk, kSetLk, kSetLkW };
  constexpr int kDupFdCloexec = 1030, kSetPipeSize = 1031, kGetPipeSize = 1032;
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  const int command = as_int(a[1]);
  const bool host = file->kind == OpenFile::Kind::Host;
  switch (command) {
    case kDupFd:
    case kDupFdCloexec:
      if (a[2] >= FileTable::kLimit) return CallResult::fail(EINVAL);
      return added(p.files.add(file, command == kDupFdCloexec, static_cast<unsigned>(a[2])));
    case kGetFd:
      return p.files.close_on_exec(a[0]) ? 1 : 0;
    case kSetFd:
      p.files.set_close_on_exec(a[0], a[2] & 1);
      return 0;
    case kGetFl:
      return get_flags(*file);
    case kSetFl:
      return set_flags(*file, open_flags_to_host(a[2]));
    case kGetOwn:
      return 0;
    case kGetLk:
    case kSetLk:
    case kSetLkW:
      if (file->outside) return CallResult::fail(ENOLCK);
      if (!host) return CallResult::fail(EINVAL);
      return lock(p, *file, command == kGetLk ? F_GETLK : command == kSetLk ? F_SETLK : F_SETLKW, a[2]);
    case kSetPipeSize:
      if (file->outside) return CallResult::fail(EPERM);
      return host ? CallResult::of(::fcntl(file->host.get(), F_SETPIPE_SZ, as_int(a[2])))
                  : CallResult::fail(EBADF);
    case kGetPipeSize:
      if (file->kind == OpenFile::Kind::Stream) return 65536;  // initial size of a pipe (pipe(7))
      return host ? CallResult::of(::fcntl(file->host.get(), F_GETPIPE_SZ)) : CallResult::fail(EBADF);
    default:
      return CallResult::fail(EINVAL);
  }
}

CallResult make_pipe(Process& p, std::uint64_t flags, int (&fds)[2]) {
  constexpr std::uint64_t kKnown = guest_open::kCloseOnExec | guest_open::kNonBlock | 0x100000;
  if (flags & ~kKnown) return CallResult::fail(EINVAL);
  int host[2];
  if (::pipe2(host, (open_flags_to_host(flags) & ~O_ACCMODE) | O_CLOEXEC) != 0)
    return CallResult::fail(errno);
  for (int i = 0; i < 2; ++i) {
    auto file = std::make_shared<OpenFile>();
    file->host = UniqueFd(host[i]);
    file->own = true;
    fds[i] = p.files.add(std::move(file), flags & guest_open::kCloseOnExec);
  }
  if (fds[1] >= 0) return 0;
  if (fds[0] >= 0) p.files.close(static_cast<std::uint64_t>(fds[0]));
  return CallResult::fail(EMFILE);
}

CallResult pipe(Process& p, const Arguments&) {
  int fds[2];
  CallResult result = make_pipe(p, 0, fds);
  if (result.kind != CallResult::Kind::Value) return result;
  p.executor.state().r[9] = static_cast<std::uint64_t>(fds[1]);  // SPARC returns the second descriptor in %o1
  return static_cast<std::uint64_t>(fds[0]);
}

CallResult pipe2(Process& p, const Arguments& a) {
  int fds[2];
  CallResult result = make_pipe(p, a[1], fds);
  if (result.kind != CallResult::Kind::Value) return result;
  GuestStruct<8> out;
  out.put32(0, static_cast<std::uint64_t>(fds[0])), out.put32(4, static_cast<std::uint64_t>(fds[1]));
  if (out.write_to(p.memory, a[0])) return 0;
  p.files.close(static_cast<std::uint64_t>(fds[0])), p.files.close(static_cast<std::uint64_t>(fds[1]));
  return CallResult::fail(EFAULT);
}

CallResult flock(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (file->outside) return CallResult::fail(ENOLCK);
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(EINVAL);
  return p.blocking([&] { return ::flock(file->host.get(), as_int(a[1])); });
}

constexpr SystemCall kDescriptorsCalls[] = {
    {6, "close", 1, close}, {41, "dup", 1, dup},      {42, "pipe", 0, pipe},
    {90, "dup2", 2, dup2},  {92, "fcntl", 3, fcntl},  {131, "flock", 2, flock},
    {320, "dup3", 3, dup3}, {321, "pipe2", 2, pipe2}, {436, "close_range", 3, close_range},
};

}  // namespace

std::span<const SystemCall> descriptors() { return kDescriptorsCalls; }

}  // namespace psim::isa::calls
