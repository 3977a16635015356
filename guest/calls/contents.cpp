// SPDX-License-Identifier: Apache-2.0
// Calls on the contents of an open file: its size, its blocks, and when they reach the disk.
#include <fcntl.h>
#include <unistd.h>

#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

// Calls a function on the descriptor alone.
template <class Call>
CallResult on_file(Process& p, std::uint64_t fd, Call call) {
  const auto file = p.files.get(fd);
  if (!file) return CallResult::fail(EBADF);
  if (file->kind != OpenFile::Kind::Host) return CallResult::fail(EINVAL);
  return CallResult::of(call(file->host.get()));
}
// Calls a function that changes the file.
template <class Call>
CallResult change_file(Process& p, std::uint64_t fd, Call call) {
  const auto file = p.files.get(fd);
  if (file && file->outside) return CallResult::fail(EPERM);
  const CallResult result = on_file(p, fd, call);
  if (file && file->seen && result.kind == CallResult::Kind::Value) file->seen->write(file_time(p));
  return result;
}

CallResult fsync(Process& p, const Arguments& a) { return on_file(p, a[0], ::fsync); }
CallResult fdatasync(Process& p, const Arguments& a) { return on_file(p, a[0], ::fdatasync); }
// syncfs, readahead: without effect on an open file.
CallResult advise(Process& p, const Arguments& a) {
  return p.files.get(a[0]) ? CallResult(0) : CallResult::fail(EBADF);
}
CallResult sync(Process&, const Arguments&) { return 0; }
CallResult ftruncate(Process& p, const Arguments& a) {
  return change_file(p, a[0], [&](int fd) { return ::ftruncate(fd, static_cast<off_t>(a[1])); });
}
CallResult fallocate(Process& p, const Arguments& a) {
  return change_file(p, a[0], [&](int fd) {
    return ::fallocate(fd, as_int(a[1]), static_cast<off_t>(a[2]), static_cast<off_t>(a[3]));
  });
}
CallResult fadvise(Process& p, const Arguments& a) {
  return on_file(p, a[0], [&](int fd) {
    errno = ::posix_fadvise(fd, static_cast<off_t>(a[1]), static_cast<off_t>(a[2]), as_int(a[3]));
    return errno ? -1 : 0;
  });
}

constexpr SystemCall kContentsCalls[] = {
    {36, "sync", 0, sync},
    {95, "fsync", 1, fsync},
    {130, "ftruncate", 2, ftruncate},
    {205, "readahead", 3, advise},
    {209, "fadvise64", 4, fadvise},
    {210, "fadvise64_64", 4, fadvise},
    {253, "fdatasync", 1, fdatasync},
    {314, "fallocate", 4, fallocate},
    {335, "syncfs", 1, advise},
};

}  // namespace

std::span<const SystemCall> contents() { return kContentsCalls; }

}  // namespace psim::isa::calls
