// SPDX-License-Identifier: Apache-2.0
// read, write and related calls.
#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "base/console.h"
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

constexpr std::int64_t kHere = -1;  // at the file's own position

/// True for a transfer that does not wait. A write may, though there is some room.
bool may_read(const OpenFile& file, short events) {
  return events == POLLIN && poll_one(file, events, 0) != 0;
}

/// Makes one transfer of a host file, once the file is ready.
template <class Call>
CallResult when_ready(Process& p, const OpenFile& file, short events, Call call) {
  for (;;) {
    CallResult result = p.blocking(call, [&] { return may_read(file, events); });
    if (result.kind != CallResult::Kind::Error || result.error != EAGAIN) return result;
    result = p.blocking([&] { return poll_one(file, events, -1); });
    if (result.kind != CallResult::Kind::Value) return result;
  }
}

/// Makes one transfer of a host file. If the guest has set flags of a description that it shares with others,
/// O_NONBLOCK is handled here.
template <class Call>
CallResult on_host(Process& p, const OpenFile& file, short events, Call call) {
  if (!file.status_flags) return p.blocking(call, [&] { return may_read(file, events); });
  if ((*file.status_flags & O_NONBLOCK) == 0) return when_ready(p, file, events, call);
  return poll_one(file, events, 0) != 0 ? p.blocking(call) : CallResult::fail(EAGAIN);
}

void note_consumed(const OpenFile& file, const std::byte* bytes, std::uint64_t count) {
  if (!file.consumed) return;
  file.consumed->hash.update({reinterpret_cast<const char*>(bytes), count});
  file.consumed->bytes += count;
}

/// Reads until `to` is full or the input ends. From a terminal it reads one line, since the user waits for an
/// answer.
CallResult read_stream(Process& p, const OpenFile& file, std::span<std::byte> to) {
  if (file.standard != 0) return CallResult::fail(EBADF);
  if (!file.host) return 0;
  const bool lines = ::isatty(file.host.get());
  std::size_t done = 0;
  while (done < to.size()) {
    const CallResult part = when_ready(
        p, file, POLLIN, [&] { return ::read(file.host.get(), to.data() + done, to.size() - done); });
    if (part.kind != CallResult::Kind::Value) {
      if (done == 0) return part;
      break;
    }
    done += part.value;
    if (part.value == 0 || lines) break;
  }
  note_consumed(file, to.data(), done);
  return done;
}

CallResult write_stream(Process& p, const OpenFile& file, std::span<const std::byte> from) {
  if (file.standard == 0) return CallResult::fail(EBADF);
  if (!file.host) {  // hidden from the program, but reported to the user
    if (file.standard == STDOUT_FILENO) console::note_lost(EBADF);
    return from.size();
  }
  if (p.output && !p.is_child()) {
    p.output(file.standard, {reinterpret_cast<const char*>(from.data()), from.size()});
    return from.size();
  }
  std::size_t done = 0;
  while (done < from.size()) {
    const CallResult part = when_ready(
        p, file, POLLOUT, [&] { return ::write(file.host.get(), from.data() + done, from.size() - done); });
    if (part.kind != CallResult::Kind::Value) return done == 0 ? part : CallResult(done);
    done += part.value;
  }
  return done;
}

/// Reverses the bytes of the number that an eventfd transfers.
void reverse_number(std::span<std::byte> bytes) {
  if (bytes.size() >= sizeof(std::uint64_t))
    std::reverse(bytes.begin(), bytes.begin() + sizeof(std::uint64_t));
}

CallResult read_into(Process& p, OpenFile& file, std::span<std::byte> to, std::int64_t offset) {
  if (file.directory || file.kind == OpenFile::Kind::Virtual) return CallResult::fail(EISDIR);
  if (file.epoll) return CallResult::fail(EINVAL);
  if (file.kind == OpenFile::Kind::Random) {
    p.random.fill(to);
    return to.size();
  }
  if (file.kind == OpenFile::Kind::Stream)
    return offset == kHere ? read_stream(p, file, to) : CallResult::fail(ESPIPE);
  if (!to.empty())
    if (const auto waiting = wait_for_itself(p, file, POLLIN)) return *waiting;
  CallResult result = on_host(p, file, POLLIN, [&] {
    return offset == kHere ? ::read(file.host.get(), to.data(), to.size())
                           : ::pread(file.host.get(), to.data(), to.size(), offset);
  });
  if (result.kind == CallResult::Kind::Value) note_consumed(file, to.data(), result.value);
  if (result.kind == CallResult::Kind::Value && file.counter) reverse_number(to);
  return result;
}

/// Writes at the file's own position, or at its end if the guest requests that and the description does not.
std::int64_t write_here(const OpenFile& file, const iovec* pieces, int count) {
  const int fd = file.host.get();
  if (file.status_flags && (*file.status_flags & O_APPEND)) {
    const ssize_t appended = ::pwritev2(fd, pieces, count, -1, RWF_APPEND);
    if (appended >= 0 || (errno != EOPNOTSUPP && errno != ESPIPE)) return appended;
  }
  return ::writev(fd, pieces, count);
}

void signal_broken_pipe(Process& p, const CallResult& result) {
  if (result.kind == CallResult::Kind::Error && result.error == EPIPE)
    p.signals.raise({.number = sig::kPipe, .code = sig::code::kUser, .pid = p.family.self()});
}

void note_written(Process& p, const OpenFile& file, const CallResult& result) {
  if (file.seen && result.kind == CallResult::Kind::Value && result.value != 0)
    file.seen->write(file_time(p));
}

CallResult write_from(Process& p, OpenFile& file, std::span<const std::byte> from, std::int64_t offset) {
  if (file.kind == OpenFile::Kind::Virtual) return CallResult::fail(EBADF);
  if (file.kind == OpenFile::Kind::Random) return from.size();
  if (file.timer || file.epoll) return CallResult::fail(EINVAL);
  std::vector<std::byte> number;
  if (file.counter) {
    number.assign(from.begin(), from.end());
    reverse_number(number);
    from = number;
  }
  if (!from.empty() && file.host)
    console::before_program_writes(file.host.get(), static_cast<char>(from.back()));
  CallResult result(0);
  if (file.kind == OpenFile::Kind::Stream) {
    result = offset == kHere ? write_stream(p, file, from) : CallResult::fail(ESPIPE);
  } else {
    const iovec piece{const_cast<std::byte*>(from.data()), from.size()};
    const bool in_parts = offset == kHere && writes_in_parts(p, file, from.size());
    if (!from.empty() && !in_parts)
      if (const auto waiting = wait_for_itself(p, file, POLLOUT)) return *waiting;
    result =
        in_parts ? write_in_parts(p, file, {&piece, 1}) : on_host(p, file, POLLOUT, [&]() -> std::int64_t {
          return offset == kHere ? write_here(file, &piece, 1)
                                 : ::pwrite(file.host.get(), from.data(), from.size(), offset);
        });
  }
  signal_broken_pipe(p, result);
  note_written(p, file, result);
  return result;
}

CallResult transfer(Process& p, std::uint64_t fd, std::uint64_t address, std::uint64_t count,
                    std::int64_t offset, bool reading) {
  const auto file = p.files.get(fd);
  if (!file) return CallResult::fail(EBADF);
  if (static_cast<std::int64_t>(count) < 0) return CallResult::fail(EINVAL);
  count = std::min(count, kMostIo);
  const auto bytes = buffer(p, address, count, reading ? kWrite : kRead);
  if (bytes.empty() && count != 0) {
    // Descriptor errors come before EFAULT.
    int access = file->host ? ::fcntl(file->host.get(), F_GETFL) & O_ACCMODE : O_RDWR;
    if (file->kind == OpenFile::Kind::Stream) access = file->standard == 0 ? O_RDONLY : O_WRONLY;
    return CallResult::fail(access == (reading ? O_WRONLY : O_RDONLY) ? EBADF : EFAULT);
  }
  return reading ? read_into(p, *file, bytes, offset) : write_from(p, *file, bytes, offset);
}

CallResult read(Process& p, const Arguments& a) { return transfer(p, a[0], a[1], a[2], kHere, true); }
CallResult write(Process& p, const Arguments& a) { return transfer(p, a[0], a[1], a[2], kHere, false); }
CallResult transfer_at(Process& p, const Arguments& a, bool reading) {
  const auto position = static_cast<std::int64_t>(a[3]);
  return position < 0 ? CallResult::fail(EINVAL) : transfer(p, a[0], a[1], a[2], position, reading);
}
CallResult pread(Process& p, const Arguments& a) { return transfer_at(p, a, true); }
CallResult pwrite(Process& p, const Arguments& a) { return transfer_at(p, a, false); }

struct Piece {
  std::uint64_t address, bytes;
};

int read_pieces(Process& p, std::uint64_t address, std::uint64_t count, std::vector<Piece>& pieces) {
  constexpr std::uint64_t kMostPieces = 1024;  // UIO_MAXIOV
  if (count > kMostPieces) return EINVAL;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    GuestStruct<16> in;
    if (!in.read_from(p.memory, address + i * 16)) return EFAULT;
    Piece piece{in.get<std::uint64_t>(0), in.get<std::uint64_t>(8)};
    if (static_cast<std::int64_t>(piece.bytes) < 0) return EINVAL;
    piece.bytes = std::min(piece.bytes, kMostIo - total);
    total += piece.bytes;
    pieces.push_back(piece);
  }
  return 0;
}

CallResult vector_transfer(Process& p, const Arguments& a, std::int64_t offset, bool reading) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  std::vector<Piece> pieces;
  if (const int error = read_pieces(p, a[1], a[2], pieces)) return CallResult::fail(error);
  std::vector<iovec> host;
  std::uint64_t wanted = 0;
  for (const Piece& piece : pieces) {
    if (piece.bytes == 0) continue;
    const auto bytes = buffer(p, piece.address, piece.bytes, reading ? kWrite : kRead);
    if (bytes.empty()) {
      if (wanted == 0) return CallResult::fail(EFAULT);
      break;
    }
    wanted += bytes.size();
    host.push_back({bytes.data(), bytes.size()});
    if (bytes.size() < piece.bytes) break;
  }
  // A single host call, so that a write to a pipe or terminal stays one write.
  if (file->kind == OpenFile::Kind::Host && !file->directory && !file->counter && !file->epoll &&
      !host.empty()) {
    const int count = static_cast<int>(host.size());
    if (!reading)
      console::before_program_writes(file->host.get(),
                                     static_cast<const char*>(host.back().iov_base)[host.back().iov_len - 1]);
    const short events = reading ? POLLIN : POLLOUT;
    const bool in_parts = !reading && offset == kHere && writes_in_parts(p, *file, wanted);
    if (!in_parts)
      if (const auto waiting = wait_for_itself(p, *file, events)) return *waiting;
    CallResult result =
        in_parts ? write_in_parts(p, *file, host) : on_host(p, *file, events, [&]() -> std::int64_t {
          const int fd = file->host.get();
          if (reading)
            return offset == kHere ? ::readv(fd, host.data(), count)
                                   : ::preadv(fd, host.data(), count, offset);
          return offset == kHere ? write_here(*file, host.data(), count)
                                 : ::pwritev(fd, host.data(), count, offset);
        });
    if (reading && result.kind == CallResult::Kind::Value) {
      std::uint64_t left = result.value;
      for (const iovec& piece : host) {
        const std::uint64_t part = std::min<std::uint64_t>(left, piece.iov_len);
        note_consumed(*file, static_cast<const std::byte*>(piece.iov_base), part);
        left -= part;
      }
    }
    signal_broken_pipe(p, result);
    if (!reading) note_written(p, *file, result);
    return result;
  }
  std::uint64_t done = 0;
  for (const iovec& piece : host) {
    const std::span bytes(static_cast<std::byte*>(piece.iov_base), piece.iov_len);
    const CallResult one = reading ? read_into(p, *file, bytes, offset) : write_from(p, *file, bytes, offset);
    if (one.kind != CallResult::Kind::Value) return done != 0 ? CallResult(done) : one;
    done += one.value;
    if (one.value < bytes.size()) break;
  }
  return done;
}

CallResult readv(Process& p, const Arguments& a) { return vector_transfer(p, a, kHere, true); }
CallResult writev(Process& p, const Arguments& a) { return vector_transfer(p, a, kHere, false); }
CallResult vector_transfer_at(Process& p, const Arguments& a, bool reading) {
  const auto position = static_cast<std::int64_t>(a[3]);
  return position < 0 ? CallResult::fail(EINVAL) : vector_transfer(p, a, position, reading);
}
CallResult preadv(Process& p, const Arguments& a) { return vector_transfer_at(p, a, true); }
CallResult pwritev(Process& p, const Arguments& a) { return vector_transfer_at(p, a, false); }
// preadv2, pwritev2: position -1 is the file's own; flags only advise.
CallResult vector_transfer_with(Process& p, const Arguments& a, bool reading) {
  if (a[5] != 0) return CallResult::fail(EOPNOTSUPP);
  return vector_transfer(p, a, static_cast<std::int64_t>(a[3]), reading);
}
CallResult preadv2(Process& p, const Arguments& a) { return vector_transfer_with(p, a, true); }
CallResult pwritev2(Process& p, const Arguments& a) { return vector_transfer_with(p, a, false); }

CallResult lseek(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  const auto offset = static_cast<std::int64_t>(a[1]);
  if (file->directory) {  // positions in a directory are entry numbers
    std::int64_t to = offset;
    if (as_int(a[2]) == SEEK_CUR) to += static_cast<std::int64_t>(file->next);
    if (as_int(a[2]) > SEEK_CUR || to < 0) return CallResult::fail(EINVAL);
    if (to == 0) file->entries.reset();
    file->next = static_cast<std::size_t>(to);
    return static_cast<std::uint64_t>(to);
  }
  if (file->kind == OpenFile::Kind::Stream) return CallResult::fail(ESPIPE);
  if (file->kind != OpenFile::Kind::Host) return 0;
  return CallResult::of(::lseek(file->host.get(), offset, as_int(a[2])));
}

// _llseek: the offset in two halves, the position through memory.
CallResult llseek(Process& p, const Arguments& a) {
  const CallResult result = lseek(p, {a[0], a[1] << 32 | (a[2] & 0xFFFFFFFF), a[4], 0, 0, 0});
  if (result.kind != CallResult::Kind::Value) return result;
  return p.memory.store(a[3], result.value) ? CallResult(0) : CallResult::fail(EFAULT);
}

// sendfile and copy_file_range: through a buffer, so that every kind of file works alike.
CallResult copy(Process& p, std::uint64_t to_fd, std::uint64_t to_at, std::uint64_t from_fd,
                std::uint64_t from_at, std::uint64_t count) {
  const auto from = p.files.get(from_fd), to = p.files.get(to_fd);
  if (!from || !to) return CallResult::fail(EBADF);
  std::uint64_t from_offset = 0, to_offset = 0;
  if (from_at && !p.memory.load(from_at, from_offset)) return CallResult::fail(EFAULT);
  if (to_at && !p.memory.load(to_at, to_offset)) return CallResult::fail(EFAULT);
  std::vector<std::byte> bytes(std::min<std::uint64_t>(count, 1 << 16));
  std::uint64_t done = 0;
  while (done < count) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), count - done));
    const CallResult in =
        read_into(p, *from, part, from_at ? static_cast<std::int64_t>(from_offset + done) : kHere);
    if (in.kind != CallResult::Kind::Value) return done ? CallResult(done) : in;
    if (in.value == 0) break;
    const CallResult out =
        write_from(p, *to, part.first(in.value), to_at ? static_cast<std::int64_t>(to_offset + done) : kHere);
    if (out.kind != CallResult::Kind::Value) return done ? CallResult(done) : out;
    done += out.value;
    if (out.value < in.value) break;
  }
  if (from_at) p.memory.store(from_at, from_offset + done);
  if (to_at) p.memory.store(to_at, to_offset + done);
  return done;
}
CallResult sendfile(Process& p, const Arguments& a) {
  return copy(p, a[0], 0, a[1], a[2], std::min(a[3], kMostIo));
}
CallResult copy_file_range(Process& p, const Arguments& a) {
  if (a[5] != 0) return CallResult::fail(EINVAL);
  return copy(p, a[2], a[3], a[0], a[1], std::min(a[4], kMostIo));
}

constexpr SystemCall kInputOutputCalls[] = {
    {3, "read", 3, read},
    {4, "write", 3, write},
    {19, "lseek", 3, lseek},
    {39, "sendfile", 4, sendfile},
    {67, "pread64", 4, pread},
    {68, "pwrite64", 4, pwrite},
    {120, "readv", 3, readv},
    {121, "writev", 3, writev},
    {140, "sendfile64", 4, sendfile},
    {236, "_llseek", 5, llseek},
    {324, "preadv", 4, preadv},
    {325, "pwritev", 4, pwritev},
    {357, "copy_file_range", 6, copy_file_range},
    {358, "preadv2", 6, preadv2},
    {359, "pwritev2", 6, pwritev2},
};

}  // namespace

std::span<const SystemCall> input_output() { return kInputOutputCalls; }

}  // namespace psim::isa::calls
