// SPDX-License-Identifier: Apache-2.0
// Pairs of connected sockets. Networks and named sockets are outside the sandbox.
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "guest/calls/open_flags.h"
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kSocketTypeMask = 0xF;

CallResult no_network(Process&, const Arguments&) { return CallResult::fail(EAFNOSUPPORT); }

int add_host(Process& p, int host, bool close_on_exec) {
  auto file = std::make_shared<OpenFile>();
  file->host = UniqueFd(host);
  file->own = true;
  return p.files.add(std::move(file), close_on_exec);
}

CallResult socketpair(Process& p, const Arguments& a) {
  if (as_int(a[0]) != AF_UNIX) return CallResult::fail(EOPNOTSUPP);
  // SOCK_STREAM and SOCK_DGRAM are numbered as on the host; SOCK_NONBLOCK is O_NONBLOCK, SOCK_CLOEXEC
  // O_CLOEXEC.
  int type = static_cast<int>(a[1] & kSocketTypeMask) | SOCK_CLOEXEC;
  if (a[1] & guest_open::kNonBlock) type |= SOCK_NONBLOCK;
  int host[2];
  if (::socketpair(AF_UNIX, type, as_int(a[2]), host) != 0) return CallResult::fail(errno);
  const bool close_on_exec = a[1] & guest_open::kCloseOnExec;
  const int first = add_host(p, host[0], close_on_exec), second = add_host(p, host[1], close_on_exec);
  GuestStruct<8> out;
  out.put32(0, static_cast<std::uint64_t>(first)), out.put32(4, static_cast<std::uint64_t>(second));
  const bool written = second >= 0 && out.write_to(p.memory, a[3]);
  if (written) return 0;
  for (const int fd : {first, second})
    if (fd >= 0) p.files.close(static_cast<std::uint64_t>(fd));
  return CallResult::fail(second < 0 ? EMFILE : EFAULT);
}

// send and recv, and sendto and recvfrom without addresses. MSG_ flags up to MSG_WAITALL are the same on the
// host.
CallResult transfer(Process& p, const Arguments& a, bool sending) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(ENOTSOCK);
  const std::uint64_t count = std::min(a[2], kMostIo);
  const auto bytes = buffer(p, a[1], count, sending ? kRead : kWrite);
  if (bytes.empty() && count != 0) return CallResult::fail(EFAULT);
  constexpr std::uint64_t kGuestDontWait = 0x40, kGuestNoSignal = 0x4000, kCommon = 0x1FF & ~kGuestDontWait;
  int flags = static_cast<int>(a[3] & kCommon) | MSG_NOSIGNAL;
  if (a[3] & kGuestDontWait) flags |= MSG_DONTWAIT;
  const short events = sending ? POLLOUT : POLLIN;
  if (!(flags & MSG_DONTWAIT))
    if (const auto waiting = wait_for_itself(p, *file, events)) return *waiting;
  CallResult result = p.blocking(
      [&] {
        return sending ? ::send(file->host.get(), bytes.data(), bytes.size(), flags)
                       : ::recv(file->host.get(), bytes.data(), bytes.size(), flags & ~MSG_NOSIGNAL);
      },
      [&] { return !sending && poll_one(*file, events, 0) != 0; });
  if (result.kind == CallResult::Kind::Error && result.error == EPIPE && !(a[3] & kGuestNoSignal))
    p.signals.raise({.number = sig::kPipe, .code = sig::code::kUser, .pid = p.family.self()});
  return result;
}
CallResult sendto(Process& p, const Arguments& a) {
  return a[4] != 0 ? CallResult::fail(EISCONN) : transfer(p, a, true);
}
CallResult recvfrom(Process& p, const Arguments& a) {
  const CallResult result = transfer(p, a, false);
  if (a[5] != 0 && result.kind == CallResult::Kind::Value) p.memory.store<std::uint32_t>(a[5], 0);
  return result;
}

CallResult shutdown(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (file->outside) return CallResult::fail(EPERM);  // the other end is not the guest's
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(ENOTSOCK);
  return CallResult::of(::shutdown(file->host.get(), as_int(a[1])));
}

constexpr SystemCall kSocketsCalls[] = {
    {97, "socket", 3, no_network},  {125, "recvfrom", 6, recvfrom},     {133, "sendto", 6, sendto},
    {134, "shutdown", 2, shutdown}, {135, "socketpair", 4, socketpair},
};

}  // namespace

std::span<const SystemCall> sockets() { return kSocketsCalls; }

}  // namespace psim::isa::calls
