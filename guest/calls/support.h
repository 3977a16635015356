// SPDX-License-Identifier: Apache-2.0
// Helpers of the system calls: guest strings and structures, path arguments, times.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "guest/guest_struct.h"
#include "guest/process.h"

struct stat;
struct iovec;

namespace psim::isa::calls {

/// Returns the low 32 bits: 32-bit arguments arrive sign- or zero-extended, or with arbitrary upper bits.
constexpr int as_int(std::uint64_t value) { return static_cast<int>(static_cast<std::uint32_t>(value)); }

inline constexpr int kAtCwd = -100;                    ///< AT_FDCWD
inline constexpr std::uint64_t kMostIo = 0x7FFF'F000;  ///< of one read or write, as Linux

/// The memory of the machine, as the program sees it.
inline constexpr std::uint64_t kMemoryBytes = std::uint64_t{8} << 30;
/// Returns the part of it that no accessible page of the program takes.
std::uint64_t free_memory(const Process& p);

/// Reads a path argument. Returns 0, EFAULT or ENAMETOOLONG.
int read_path(Process& p, std::uint64_t address, std::string& path);

/// Finds the guest directory that a relative path starts from. Returns 0, EBADF or ENOTDIR.
int base_of(Process& p, int dirfd, std::string& base);

/// Reads and walks a path argument. Returns 0 or a host errno.
int resolve(Process& p, int dirfd, std::uint64_t address, bool follow_last, PathTarget& target);
/// Resolves the path of a file to create, remove or rename. Returns EROFS, EEXIST or EPERM if psim provides
/// the file itself.
int resolve_for_change(Process& p, int dirfd, std::uint64_t address, PathTarget& target);

/// Reads the struct stat of a resolved path. resolve() has already handled `follow_last`. Returns 0 or a host
/// errno.
int status_of(Process& p, const PathTarget& target, struct ::stat& status);
/// Reads the struct stat of an open file. Returns 0 or a host errno.
int status_of(Process& p, const OpenFile& file, struct ::stat& status);

/// Returns the simulated wall-clock time for file times.
struct timespec file_time(Process& p);
/// Records that the program has created this file, which gets a new number and new times.
void note_made(Process& p, const PathTarget& target);
/// Records that the program has created, removed or renamed this name in its directory.
void note_renamed(Process& p, const PathTarget& target);

/// poll() for a host file: returns a number other than 0 once a transfer (POLLIN, POLLOUT) need not wait.
int poll_one(const OpenFile& file, short events, int milliseconds);

/// Ends the process if a transfer on the guest's own pipe or socket pair would wait for ever, since the
/// process is alone and holds both ends. If another thread must end the wait, the call is repeated later.
/// Returns the result of the call in both cases, and nothing if the transfer is to be made.
std::optional<CallResult> wait_for_itself(Process& p, const OpenFile& file, short events);

/// Returns true for a write that is larger than the room which a pipe or stream socket of the guest's own may
/// have, if only this process can make room: the host must not wait then.
bool writes_in_parts(const Process& p, const OpenFile& file, std::uint64_t bytes);
/// Makes such a write, in parts that fit. Other threads run between them.
CallResult write_in_parts(Process& p, const OpenFile& file, std::span<const struct iovec> pieces);

/// Sets the guest's umask while psim creates a file for it.
class GuestUmask {
 public:
  explicit GuestUmask(const Process& p);
  ~GuestUmask();
  GuestUmask(const GuestUmask&) = delete;
  GuestUmask& operator=(const GuestUmask&) = delete;

 private:
  mode_t before_;
};

/// Returns the host bytes of a guest buffer, cut to the part that the guest may access (`need`). An empty
/// span with `bytes` > 0 means EFAULT.
std::span<std::byte> buffer(Process& p, std::uint64_t address, std::uint64_t bytes, std::uint8_t need);

/// Reads struct timespec or struct timeval. Returns false for EFAULT.
struct GuestTime {
  std::int64_t seconds = 0, fraction = 0;  ///< nanoseconds or microseconds
};
bool read_timespec(Process& p, std::uint64_t address, GuestTime& time);
bool write_timespec(Process& p, std::uint64_t address, GuestTime time);
/// Reads a timeval: tv_usec is an int followed by padding (__kernel_suseconds_t of sparc64).
bool read_timeval(Process& p, std::uint64_t address, GuestTime& time);
bool write_timeval(Process& p, std::uint64_t address, GuestTime time);
/// Converts to nanoseconds, saturating. Returns false if the time is not a valid duration (EINVAL).
bool duration(GuestTime time, std::uint64_t unit_nanoseconds, std::uint64_t& nanoseconds);

/// Returns the simulated wall-clock time in nanoseconds since 1970.
std::uint64_t wall_clock(Process& p);

}  // namespace psim::isa::calls
