// SPDX-License-Identifier: Apache-2.0
// Pairs of connected sockets. Networks and named sockets are outside the sandbox.
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

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

/// Transfers bytes of a socket. MSG_ flags up to MSG_WAITALL are the same on the host.
CallResult transfer(Process& p, const OpenFile& file, std::span<iovec> pieces, std::uint64_t guest_flags,
                    bool sending, int& flags_after) {
  int type;
  socklen_t length = sizeof type;
  if (file.kind != OpenFile::Kind::Host) return CallResult::fail(ENOTSOCK);
  if (::getsockopt(file.host.get(), SOL_SOCKET, SO_TYPE, &type, &length) != 0) return CallResult::fail(errno);
  constexpr std::uint64_t kGuestDontWait = 0x40, kGuestNoSignal = 0x4000, kCommon = 0x1FF & ~kGuestDontWait;
  int flags = static_cast<int>(guest_flags & kCommon);
  if (guest_flags & kGuestDontWait) flags |= MSG_DONTWAIT;
  if (sending) flags |= MSG_NOSIGNAL;
  std::uint64_t bytes = 0;
  for (const iovec& piece : pieces) bytes += piece.iov_len;
  const short events = sending ? POLLOUT : POLLIN;
  const bool in_parts = sending && !(flags & (MSG_DONTWAIT | MSG_OOB)) && writes_in_parts(p, file, bytes);
  if (!(flags & MSG_DONTWAIT) && !in_parts)
    if (const auto waiting = wait_for_itself(p, file, events)) return *waiting;
  msghdr message{};
  message.msg_iov = pieces.data(), message.msg_iovlen = pieces.size();
  const int fd = file.host.get();
  const auto once = [&] { return sending ? ::sendmsg(fd, &message, flags) : ::recvmsg(fd, &message, flags); };
  CallResult result = in_parts ? write_in_parts(p, file, pieces)
                               : p.blocking(once, [&] { return !sending && poll_one(file, events, 0) != 0; });
  if (result.kind == CallResult::Kind::Error && result.error == EPIPE && !(guest_flags & kGuestNoSignal))
    p.signals.raise({.number = sig::kPipe, .code = sig::code::kUser, .pid = p.family.self()});
  flags_after = message.msg_flags;
  return result;
}

// send and recv, and sendto and recvfrom without addresses.
CallResult transfer(Process& p, const Arguments& a, bool sending) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  const std::uint64_t count = std::min(a[2], kMostIo);
  const auto bytes = buffer(p, a[1], count, sending ? kRead : kWrite);
  if (bytes.empty() && count != 0) return CallResult::fail(EFAULT);
  iovec piece{bytes.data(), bytes.size()};
  int flags_after;
  return transfer(p, *file, {&piece, 1}, a[3], sending, flags_after);
}

// sendmsg and recvmsg without addresses. struct msghdr: name, its length, pieces, their number, control data,
// its length, flags.
CallResult message(Process& p, const Arguments& a, bool sending) {
  constexpr std::uint64_t kMostPieces = 1024;  // UIO_MAXIOV
  enum : std::size_t {
    kName = 0,
    kNameBytes = 8,
    kPieces = 16,
    kCount = 24,
    kControlBytes = 40,
    kFlags = 48
  };
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  GuestStruct<56> header;
  if (!header.read_from(p.memory, a[1])) return CallResult::fail(EFAULT);
  if (sending && header.get<std::uint64_t>(kName) != 0) return CallResult::fail(EISCONN);
  if (sending && header.get<std::uint64_t>(kControlBytes) != 0) {
    p.report_once("sendmsg", "sendmsg: passing descriptors is not supported; it returns EOPNOTSUPP");
    return CallResult::fail(EOPNOTSUPP);
  }
  const auto count = header.get<std::uint64_t>(kCount);
  if (count > kMostPieces) return CallResult::fail(EMSGSIZE);
  std::vector<iovec> pieces;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    GuestStruct<16> in;
    if (!in.read_from(p.memory, header.get<std::uint64_t>(kPieces) + i * 16)) return CallResult::fail(EFAULT);
    const std::uint64_t wanted = std::min(in.get<std::uint64_t>(8), kMostIo - total);
    const auto bytes = buffer(p, in.get<std::uint64_t>(0), wanted, sending ? kRead : kWrite);
    if (bytes.size() < wanted) return CallResult::fail(EFAULT);
    pieces.push_back({bytes.data(), bytes.size()});
    total += wanted;
  }
  int flags_after = 0;
  const CallResult result = transfer(p, *file, pieces, a[2], sending, flags_after);
  if (sending || result.kind != CallResult::Kind::Value) return result;
  header.put32(kNameBytes, 0), header.put64(kControlBytes, 0);
  header.put32(kFlags, static_cast<std::uint64_t>(flags_after & (MSG_TRUNC | MSG_EOR)));
  return header.write_to(p.memory, a[1]) ? result : CallResult::fail(EFAULT);
}
CallResult sendmsg(Process& p, const Arguments& a) { return message(p, a, true); }
CallResult recvmsg(Process& p, const Arguments& a) { return message(p, a, false); }

// getsockname and getpeername: both sockets of a pair have no name.
CallResult socket_name(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  struct sockaddr_un name;
  socklen_t length = sizeof name;
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(ENOTSOCK);
  if (::getsockname(file->host.get(), reinterpret_cast<sockaddr*>(&name), &length) != 0)
    return CallResult::fail(errno);
  if (!file->own) return CallResult::fail(EOPNOTSUPP);
  std::uint32_t room;
  constexpr std::uint16_t kUnix = AF_UNIX;
  if (!p.memory.load(a[2], room) || (room >= sizeof kUnix && !p.memory.store(a[1], kUnix)) ||
      !p.memory.store<std::uint32_t>(a[2], sizeof kUnix))
    return CallResult::fail(EFAULT);
  return 0;
}

// Options of SOL_SOCKET (asm/socket.h of sparc) with a number as their value.
int host_option(int guest) {
  constexpr std::pair<int, int> kOptions[] = {
      {0x0010, SO_BROADCAST}, {0x0008, SO_KEEPALIVE}, {0x0004, SO_REUSEADDR}, {0x1001, SO_SNDBUF},
      {0x1002, SO_RCVBUF},    {0x1007, SO_ERROR},     {0x1008, SO_TYPE},      {0x8000, SO_ACCEPTCONN},
      {0x1028, SO_PROTOCOL},  {0x1029, SO_DOMAIN}};
  for (const auto& [number, host] : kOptions)
    if (number == guest) return host;
  return -1;
}
CallResult option(Process& p, const Arguments& a, bool setting) {
  constexpr int kSocketLevel = 0xFFFF;
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  int value = 0;
  socklen_t length = sizeof value;
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(ENOTSOCK);
  if (::getsockopt(file->host.get(), SOL_SOCKET, SO_TYPE, &value, &length) != 0)
    return CallResult::fail(errno);
  const int host = host_option(as_int(a[2]));
  if (as_int(a[1]) != kSocketLevel || host < 0) return CallResult::fail(ENOPROTOOPT);
  std::uint32_t number = 0;
  if (setting) {
    if (file->outside) return CallResult::fail(EPERM);
    if (static_cast<std::uint32_t>(a[4]) < sizeof number) return CallResult::fail(EINVAL);
    if (!p.memory.load(a[3], number)) return CallResult::fail(EFAULT);
    value = static_cast<int>(number);
    return CallResult::of(::setsockopt(file->host.get(), SOL_SOCKET, host, &value, sizeof value));
  }
  if (!p.memory.load(a[4], number)) return CallResult::fail(EFAULT);
  if (number < sizeof number) return CallResult::fail(EINVAL);
  if (::getsockopt(file->host.get(), SOL_SOCKET, host, &value, &length) != 0) return CallResult::fail(errno);
  return p.memory.store(a[3], static_cast<std::uint32_t>(value)) &&
                 p.memory.store<std::uint32_t>(a[4], sizeof number)
             ? CallResult(0)
             : CallResult::fail(EFAULT);
}
CallResult setsockopt(Process& p, const Arguments& a) { return option(p, a, true); }
CallResult getsockopt(Process& p, const Arguments& a) { return option(p, a, false); }

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
    {97, "socket", 3, no_network},        {113, "recvmsg", 3, recvmsg},
    {114, "sendmsg", 3, sendmsg},         {118, "getsockopt", 5, getsockopt},
    {125, "recvfrom", 6, recvfrom},       {133, "sendto", 6, sendto},
    {134, "shutdown", 2, shutdown},       {135, "socketpair", 4, socketpair},
    {141, "getpeername", 3, socket_name}, {150, "getsockname", 3, socket_name},
    {355, "setsockopt", 5, setsockopt},
};

}  // namespace

std::span<const SystemCall> sockets() { return kSocketsCalls; }

}  // namespace psim::isa::calls
