// SPDX-License-Identifier: Apache-2.0
// eventfd and epoll: files of the host, whose readiness the host decides.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <vector>

#include "guest/calls/open_flags.h"
#include "guest/calls/support.h"
#include "guest/calls/waiting.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kEventBytes = 16;  // struct epoll_event: 32 bits of events, padding, 64 bits of data

CallResult added(Process& p, std::shared_ptr<OpenFile> file, bool close_on_exec) {
  if (!file->host) return CallResult::fail(errno);
  file->own = true;
  const int fd = p.files.add(std::move(file), close_on_exec);
  return fd < 0 ? CallResult::fail(EMFILE) : CallResult(static_cast<std::uint64_t>(fd));
}

CallResult eventfd2(Process& p, const Arguments& a) {
  constexpr std::uint64_t kSemaphore = 1;
  if (a[1] & ~(kSemaphore | guest_open::kCloseOnExec | guest_open::kNonBlock))
    return CallResult::fail(EINVAL);
  int flags = EFD_CLOEXEC;
  if (a[1] & kSemaphore) flags |= EFD_SEMAPHORE;
  if (a[1] & guest_open::kNonBlock) flags |= EFD_NONBLOCK;
  auto file = std::make_shared<OpenFile>();
  file->host = UniqueFd(::eventfd(static_cast<unsigned>(a[0]), flags));
  file->counter = true;
  return added(p, std::move(file), a[1] & guest_open::kCloseOnExec);
}
CallResult eventfd(Process& p, const Arguments& a) { return eventfd2(p, {a[0], 0, 0, 0, 0, 0}); }

CallResult epoll_create1(Process& p, const Arguments& a) {
  if (a[0] & ~guest_open::kCloseOnExec) return CallResult::fail(EINVAL);
  auto file = std::make_shared<OpenFile>();
  file->host = UniqueFd(::epoll_create1(EPOLL_CLOEXEC));
  file->epoll = true;
  return added(p, std::move(file), a[0] & guest_open::kCloseOnExec);
}
CallResult epoll_create(Process& p, const Arguments& a) {
  return as_int(a[0]) <= 0 ? CallResult::fail(EINVAL) : epoll_create1(p, {});
}

/// Returns the host file that stands for the descriptor `fd` of `file` in an epoll, or -1 if epoll does not
/// take its kind.
int host_in_epoll(OpenFile& file, std::uint32_t fd) {
  if (file.kind != OpenFile::Kind::Host && file.kind != OpenFile::Kind::Stream) return -1;
  // A Stream is always ready, whatever the host's file is.
  if (file.kind == OpenFile::Kind::Stream && !file.always_ready)
    file.always_ready = UniqueFd(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
  const int host = file.kind == OpenFile::Kind::Host ? file.host.get() : file.always_ready.get();
  const auto [copy, added] = file.watched.try_emplace(fd);
  if (added && file.watched.size() > 1) copy->second = UniqueFd(::fcntl(host, F_DUPFD_CLOEXEC, 3));
  return copy->second ? copy->second.get() : host;
}

CallResult epoll_ctl(Process& p, const Arguments& a) {
  const auto epoll = p.files.get(a[0]), file = p.files.get(a[2]);
  if (!epoll || !file) return CallResult::fail(EBADF);
  if (!epoll->epoll || epoll == file) return CallResult::fail(EINVAL);
  const int operation = as_int(a[1]);
  struct epoll_event event {};
  if (operation != EPOLL_CTL_DEL) {
    GuestStruct<kEventBytes> in;
    if (!in.read_from(p.memory, a[3])) return CallResult::fail(EFAULT);
    event.events = in.get<std::uint32_t>(0), event.data.u64 = in.get<std::uint64_t>(8);
    if (file->timer) event.events &= ~std::uint32_t{EPOLLOUT};  // only the host's eventfd can be written
  }
  const int host = host_in_epoll(*file, static_cast<std::uint32_t>(a[2]));
  if (host < 0) return CallResult::fail(EPERM);
  const CallResult result = CallResult::of(::epoll_ctl(epoll->host.get(), operation, host, &event));
  if (result.kind == CallResult::Kind::Value && operation == EPOLL_CTL_ADD &&
      file->kind == OpenFile::Kind::Host && !file->own) {
    epoll->own = false;
    // Epolls that watch this one, or such a one, now wait for outside files, too.
    for (unsigned fd = 0; !epoll->watched.empty() && fd < p.files.size(); ++fd)
      if (const auto other = p.files.get(fd); other && other->epoll) other->own = false;
  }
  return result;
}

CallResult wait_for_events(Process& p, const Arguments& a, std::uint64_t span) {
  constexpr int kMost = 4096;  // returned at once
  const auto epoll = p.files.get(a[0]);
  if (!epoll) return CallResult::fail(EBADF);
  if (!epoll->epoll || as_int(a[2]) <= 0) return CallResult::fail(EINVAL);
  std::vector<struct epoll_event> events(static_cast<std::size_t>(std::min(as_int(a[2]), kMost)));
  for (;;) {
    std::vector<pollfd> files{{epoll->host.get(), POLLIN, 0}};
    const CallResult result = wait_for(p, files, span, epoll->own);
    if (result.kind != CallResult::Kind::Value || result.value == 0) return result;
    const int count = ::epoll_wait(epoll->host.get(), events.data(), static_cast<int>(events.size()), 0);
    if (count < 0) return CallResult::fail(errno);
    if (count == 0 && span != 0) continue;  // another process was faster
    for (int i = 0; i < count; ++i) {
      const struct epoll_event& event = events[static_cast<std::size_t>(i)];
      GuestStruct<kEventBytes> out;
      out.put32(0, event.events), out.put64(8, event.data.u64);
      if (!out.write_to(p.memory, a[1] + static_cast<std::uint64_t>(i) * kEventBytes))
        return CallResult::fail(EFAULT);
    }
    return static_cast<std::uint64_t>(count);
  }
}
CallResult epoll_wait(Process& p, const Arguments& a) {
  const int milliseconds = as_int(a[3]);
  return wait_for_events(
      p, a, milliseconds < 0 ? SimulatedClock::kNever : static_cast<std::uint64_t>(milliseconds) * 1'000'000);
}
CallResult epoll_pwait(Process& p, const Arguments& a) {
  bool set;
  if (const int error = temporary_mask(p, a[4], set)) return CallResult::fail(error);
  return finish(p, epoll_wait(p, a), set);
}
CallResult epoll_pwait2(Process& p, const Arguments& a) {
  std::uint64_t span;
  bool set;
  if (const int error = span_of(p, a[3], span)) return CallResult::fail(error);
  if (const int error = temporary_mask(p, a[4], set)) return CallResult::fail(error);
  return finish(p, wait_for_events(p, a, span), set);
}

// io_uring_setup: programs look for it, and use epoll where it is missing.
CallResult no_rings(Process&, const Arguments&) { return CallResult::fail(ENOSYS); }

constexpr SystemCall kEventsCalls[] = {
    {193, "epoll_create", 1, epoll_create},
    {194, "epoll_ctl", 4, epoll_ctl},
    {195, "epoll_wait", 4, epoll_wait},
    {309, "epoll_pwait", 6, epoll_pwait},
    {313, "eventfd", 1, eventfd},
    {318, "eventfd2", 2, eventfd2},
    {319, "epoll_create1", 1, epoll_create1},
    {425, "io_uring_setup", 2, no_rings},
    {441, "epoll_pwait2", 6, epoll_pwait2},
};

}  // namespace

std::span<const SystemCall> events() { return kEventsCalls; }

}  // namespace psim::isa::calls
