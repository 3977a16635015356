// SPDX-License-Identifier: Apache-2.0
// Waiting for files: poll, select; and ioctl.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "guest/calls/support.h"
#include "guest/calls/waiting.h"

namespace psim::isa::calls {

namespace {

constexpr std::uint64_t kForever = SimulatedClock::kNever;

}  // namespace

CallResult wait_for(Process& p, std::vector<pollfd>& files, std::uint64_t span, bool own) {
  const bool any = std::any_of(files.begin(), files.end(), [](const pollfd& f) { return f.fd >= 0; });
  const auto flagged = [&] {
    return static_cast<std::int64_t>(
        std::count_if(files.begin(), files.end(), [](const pollfd& f) { return f.revents != 0; }));
  };
  // A thread that sleeps has its own mask again, so it repeats a call with a temporary one.
  if (!any && !(p.threaded() && p.signals.masked_temporarily())) {
    if (flagged() != 0) return static_cast<std::uint64_t>(flagged());
    if (span == kForever) {
      p.wait_for_signal();
      return CallResult::fail(EINTR);
    }
    return p.sleep_until(p.clock.now() + span) ? CallResult(0) : CallResult::fail(EINTR);
  }
  std::vector<pollfd> polled = files;
  if (flagged() != 0) span = 0;
  std::uint64_t until = span == kForever ? kForever : p.clock.now() + span;
  const auto ready = [&] { return ::poll(polled.data(), polled.size(), 0) != 0; };
  if (own && span != 0 && !p.threaded() && p.by_itself()) p.pass_time(until, ready);
  const bool alone = span == kForever && p.alone();
  if (own && alone && !ready() && p.stuck()) return CallResult::done();
  if (span != 0 && !alone && p.threaded() && (p.threads.live() > 1 || (own && p.by_itself()))) {
    until = p.threads.current().poll_end.value_or(until);
    const bool due = p.gather_signals();
    if (!ready() && (due || p.clock.now() < until)) {
      const CallResult result = p.repeat_later(due, until, !own);
      return result.kind == CallResult::Kind::Interrupted ? CallResult::fail(EINTR) : result;
    }
    p.stop_polling();
    span = 0, until = p.clock.now();
  }
  const CallResult result = p.blocking(
      [&] {
        const std::uint64_t left = until - std::min(until, p.clock.now());
        const struct timespec wait {
          static_cast<time_t>(left / SimulatedClock::kSecond),
              static_cast<long>(left % SimulatedClock::kSecond)
        };
        return ::ppoll(polled.data(), polled.size(), until == kForever ? nullptr : &wait, nullptr);
      },
      ready);
  if (result.kind == CallResult::Kind::Interrupted) return CallResult::fail(EINTR);
  if (result.kind != CallResult::Kind::Value) return result;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].fd >= 0) files[i].revents = polled[i].revents;
  if (flagged() == 0 && span != kForever) p.clock.sleep_until(until);
  return static_cast<std::uint64_t>(flagged());
}

namespace {

// Event numbers up to POLLNVAL are the same on the host; SPARC has its own beyond.
constexpr short kCommonEvents = 0x3F | 0x40 | 0x80;
short events_to_host(std::uint16_t guest) {
  auto host = static_cast<short>(guest & kCommonEvents);
  if (guest & 256) host |= POLLWRBAND;
  if (guest & 2048) host |= POLLRDHUP;
  return host;
}
std::uint16_t events_from_host(short host, std::uint16_t requested) {
  auto guest = static_cast<std::uint16_t>(host & kCommonEvents);
  if (host & POLLRDHUP) guest |= 2048;
  if (host & POLLWRBAND) guest |= 256;
  if (host & POLLWRNORM) guest |= requested & 4;  // POLLWRNORM is POLLOUT
  return guest;
}

CallResult poll_with(Process& p, std::uint64_t address, std::uint64_t count, std::uint64_t span) {
  if (count > FileTable::kLimit) return CallResult::fail(EINVAL);
  std::vector<pollfd> files(count);
  bool own = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    GuestStruct<8> in;
    if (!in.read_from(p.memory, address + i * 8)) return CallResult::fail(EFAULT);
    const int fd = static_cast<int>(in.get<std::uint32_t>(0));
    const auto file = fd < 0 ? nullptr : p.files.get(static_cast<std::uint32_t>(fd));
    files[i] = {-1, events_to_host(in.get<std::uint16_t>(4)), 0};
    if (fd >= 0 && !file)
      files[i].revents = POLLNVAL;
    else if (file && file->kind != OpenFile::Kind::Host)
      files[i].revents = static_cast<short>(files[i].events & (POLLIN | POLLOUT));
    else if (file)
      files[i].fd = file->host.get(), own = own && file->own;
    if (file && file->timer) files[i].events &= ~POLLOUT;  // only the host's eventfd can be written
  }
  const CallResult result = wait_for(p, files, span, own);
  if (result.kind != CallResult::Kind::Value) return result;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint16_t requested = 0;
    p.memory.load(address + i * 8 + 4, requested);
    if (!p.memory.store(address + i * 8 + 6, events_from_host(files[i].revents, requested)))
      return CallResult::fail(EFAULT);
  }
  return result;
}

CallResult poll(Process& p, const Arguments& a) {
  const int milliseconds = as_int(a[2]);
  return poll_with(p, a[0], static_cast<std::uint32_t>(a[1]),
                   milliseconds < 0 ? kForever : static_cast<std::uint64_t>(milliseconds) * 1'000'000);
}

}  // namespace

int temporary_mask(Process& p, std::uint64_t address, bool& set) {
  std::uint64_t mask;
  set = address != 0;
  if (!set) return 0;
  if (!p.memory.load(address, mask)) return EFAULT;
  p.signals.block_temporarily(mask);
  return 0;
}

CallResult finish(Process& p, CallResult result, bool mask_set) {
  // A handler's frame restores the mask itself. A call that is repeated goes on with its mask.
  if (mask_set && !p.threads.current().polls && !p.signals.deliverable()) p.signals.end_temporary_mask();
  return result;
}

int span_of(Process& p, std::uint64_t address, std::uint64_t& span) {
  span = kForever;
  if (address == 0) return 0;
  GuestTime time;
  if (!read_timespec(p, address, time)) return EFAULT;
  return duration(time, 1, span) ? 0 : EINVAL;
}

namespace {

CallResult ppoll(Process& p, const Arguments& a) {
  std::uint64_t span;
  bool set;
  if (const int error = span_of(p, a[2], span)) return CallResult::fail(error);
  if (const int error = temporary_mask(p, a[3], set)) return CallResult::fail(error);
  return finish(p, poll_with(p, a[0], static_cast<std::uint32_t>(a[1]), span), set);
}

// fd_set is an array of 64-bit big-endian words.
CallResult select_with(Process& p, const Arguments& a, std::uint64_t span) {
  const int count = as_int(a[0]);
  if (count < 0) return CallResult::fail(EINVAL);
  const unsigned limit = std::min(static_cast<unsigned>(count), FileTable::kLimit);
  constexpr short kEvents[3] = {POLLIN, POLLOUT, POLLPRI};
  // Events that select reports as ready, including errors and hang-ups.
  constexpr short kReady[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
  std::vector<pollfd> files(limit, pollfd{-1, 0, 0});
  bool own = true;
  const unsigned words = (limit + 63) / 64;
  for (unsigned set = 0; set < 3; ++set) {
    for (unsigned w = 0; a[1 + set] != 0 && w < words; ++w) {
      std::uint64_t bits;
      if (!p.memory.load(a[1 + set] + w * 8, bits)) return CallResult::fail(EFAULT);
      for (; bits != 0; bits &= bits - 1) {
        const unsigned fd = w * 64 + static_cast<unsigned>(std::countr_zero(bits));
        if (fd >= limit) continue;
        const auto file = p.files.get(fd);
        if (!file) return CallResult::fail(EBADF);
        if (!file->timer || kEvents[set] != POLLOUT) files[fd].events |= kEvents[set];
        if (file->kind == OpenFile::Kind::Host)
          files[fd].fd = file->host.get(), own = own && file->own;
        else
          files[fd].revents = static_cast<short>(files[fd].events & (POLLIN | POLLOUT));
      }
    }
  }
  const CallResult result = wait_for(p, files, span, own);
  if (result.kind != CallResult::Kind::Value) return result;
  std::uint64_t ready = 0;
  for (unsigned set = 0; set < 3; ++set) {
    for (unsigned w = 0; a[1 + set] != 0 && w < words; ++w) {
      std::uint64_t requested = 0, bits = 0;
      p.memory.load(a[1 + set] + w * 8, requested);
      for (unsigned b = 0; b < 64 && w * 64 + b < limit; ++b)
        if ((requested >> b & 1) && (files[w * 64 + b].revents & kReady[set]))
          bits |= std::uint64_t{1} << b, ++ready;
      if (!p.memory.store(a[1 + set] + w * 8, bits)) return CallResult::fail(EFAULT);
    }
  }
  return ready;
}
CallResult select(Process& p, const Arguments& a) {
  std::uint64_t span = kForever;
  if (a[4] != 0) {
    GuestTime time;
    if (!read_timeval(p, a[4], time)) return CallResult::fail(EFAULT);
    if (!duration(time, 1000, span)) return CallResult::fail(EINVAL);
  }
  return select_with(p, a, span);
}
CallResult pselect6(Process& p, const Arguments& a) {
  std::uint64_t span, mask_at = 0;
  bool set;
  if (const int error = span_of(p, a[4], span)) return CallResult::fail(error);
  if (a[5] != 0 && !p.memory.load(a[5], mask_at)) return CallResult::fail(EFAULT);
  if (const int error = temporary_mask(p, mask_at, set)) return CallResult::fail(error);
  return finish(p, select_with(p, a, span), set);
}

// ---- ioctl ----

// struct termios of sparc64: four 32-bit flag words, c_line, 17 control characters. Flag bits that differ
// from the host's are those of asm/termbits.h; a guest that restores them writes the values that it read.
CallResult get_termios(Process& p, int fd, std::uint64_t address) {
  struct termios t;
  if (::tcgetattr(fd, &t) != 0) return CallResult::fail(errno);
  GuestStruct<36> out;
  tcflag_t lflag = t.c_lflag & 0x7;  // ISIG, ICANON, XCASE
  constexpr std::pair<tcflag_t, tcflag_t> kLocal[] = {{ECHO, 0x8},      {ECHOE, 0x10},    {ECHOK, 0x20},
                                                      {ECHONL, 0x40},   {NOFLSH, 0x80},   {TOSTOP, 0x100},
                                                      {ECHOCTL, 0x200}, {ECHOPRT, 0x400}, {ECHOKE, 0x800},
                                                      {FLUSHO, 0x2000}, {PENDIN, 0x4000}, {IEXTEN, 0x8000}};
  lflag &= 0x3;
  for (const auto& [host, guest] : kLocal)
    if (t.c_lflag & host) lflag |= guest;
  out.put32(0, t.c_iflag), out.put32(4, t.c_oflag), out.put32(8, t.c_cflag & 0xFFF), out.put32(12, lflag);
  constexpr int kOrder[17] = {VINTR, VQUIT, VERASE, VKILL,    VEOF,     VEOL,    VEOL2,  VSWTC, VSTART,
                              VSTOP, VSUSP, VSUSP,  VREPRINT, VDISCARD, VWERASE, VLNEXT, VLNEXT};
  for (unsigned i = 0; i < 17; ++i) out.put8(17 + i, t.c_cc[kOrder[i]]);
  return out.write_to(p.memory, address) ? CallResult(0) : CallResult::fail(EFAULT);
}

CallResult ioctl(Process& p, const Arguments& a) {
  // _IOR and _IOW of SPARC: direction in bits 29–31, size in 16–28 (asm/ioctl.h).
  constexpr std::uint32_t kRead = 0x40000000, kWrite = 0x80000000, kNone = 0x20000000;
  constexpr std::uint32_t kGetTermios = kRead | 36 << 16 | 'T' << 8 | 8,
                          kSetTermios = kWrite | 36 << 16 | 'T' << 8 | 9,
                          kGetTermio = kRead | 18 << 16 | 'T' << 8 | 1,
                          kWindowSize = kRead | 8 << 16 | 't' << 8 | 104,
                          kReadable = kRead | 4 << 16 | 'f' << 8 | 127,
                          kNonBlocking = kWrite | 4 << 16 | 'f' << 8 | 126,
                          kCloseOnExec = kNone | 'f' << 8 | 1, kNoCloseOnExec = kNone | 'f' << 8 | 2,
                          kGetGroup = kRead | 4 << 16 | 't' << 8 | 131;
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  const int fd = file->host.get();
  const auto request = static_cast<std::uint32_t>(a[1]);
  if (request == kCloseOnExec || request == kNoCloseOnExec) {
    p.files.set_close_on_exec(a[0], request == kCloseOnExec);
    return 0;
  }
  if (request == kNonBlocking && file->outside) {
    std::uint32_t value;
    if (!p.memory.load(a[2], value)) return CallResult::fail(EFAULT);
    const int others =
        file->status_flags.value_or(file->kind == OpenFile::Kind::Host
                                        ? ::fcntl(fd, F_GETFL) & (O_APPEND | O_ASYNC | O_DIRECT | O_NOATIME)
                                        : 0);
    file->status_flags = (others & ~O_NONBLOCK) | (value != 0 ? O_NONBLOCK : 0);
    return 0;
  }
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(ENOTTY);
  switch (request) {
    case kGetTermios:
      return get_termios(p, fd, a[2]);
    case kSetTermios:
    case kSetTermios + 1:
    case kSetTermios + 2:
      // The user's terminal keeps its settings.
      return ::isatty(fd) ? CallResult(0) : CallResult::fail(errno);
    case kGetTermio:
      return CallResult::fail(::isatty(fd) ? EINVAL : errno);
    case kWindowSize: {
      struct winsize size;
      if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return CallResult::fail(errno);
      GuestStruct<8> out;
      out.put16(0, size.ws_row), out.put16(2, size.ws_col);
      out.put16(4, size.ws_xpixel), out.put16(6, size.ws_ypixel);
      return out.write_to(p.memory, a[2]) ? CallResult(0) : CallResult::fail(EFAULT);
    }
    case kReadable: {
      int bytes = 0;
      if (::ioctl(fd, FIONREAD, &bytes) != 0) return CallResult::fail(errno);
      return p.memory.store(a[2], static_cast<std::uint32_t>(bytes)) ? CallResult(0)
                                                                     : CallResult::fail(EFAULT);
    }
    case kNonBlocking: {
      std::uint32_t value;
      if (!p.memory.load(a[2], value)) return CallResult::fail(EFAULT);
      int on = value != 0;
      return CallResult::of(::ioctl(fd, FIONBIO, &on));
    }
    case kGetGroup:
      if (!::isatty(fd)) return CallResult::fail(errno);
      return p.memory.store(a[2], static_cast<std::uint32_t>(p.group)) ? CallResult(0)
                                                                       : CallResult::fail(EFAULT);
    default:
      return CallResult::fail(ENOTTY);
  }
}

constexpr SystemCall kWaitingCalls[] = {
    {54, "ioctl", 3, ioctl},        {93, "select", 5, select},      {153, "poll", 3, poll},
    {230, "_newselect", 5, select}, {297, "pselect6", 6, pselect6}, {298, "ppoll", 5, ppoll},
};

}  // namespace

std::span<const SystemCall> waiting() { return kWaitingCalls; }

}  // namespace psim::isa::calls
