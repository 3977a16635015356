// SPDX-License-Identifier: Apache-2.0
// What the system calls have in common: guest strings and structures, places of *at calls.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "guest/guest_struct.h"
#include "guest/process.h"

struct stat;

namespace psim::isa::calls {

/// 32-bit arguments arrive sign- or zero-extended, or with rubbish above.
constexpr int as_int(std::uint64_t value) { return static_cast<int>(static_cast<std::uint32_t>(value)); }

inline constexpr int kAtCwd = -100;                    ///< AT_FDCWD
inline constexpr std::uint64_t kMostIo = 0x7FFF'F000;  ///< of one read or write, as Linux

/// A path argument. 0 or EFAULT, ENAMETOOLONG.
int read_path(Process& p, std::uint64_t address, std::string& path);

/// The guest directory that a relative path starts from. 0 or EBADF, ENOTDIR.
int base_of(Process& p, int dirfd, std::string& base);

/// Reads and walks a path argument. 0 or a host errno.
int resolve(Process& p, int dirfd, std::uint64_t address, bool follow_last, Place& place);
/// … whose file is to be made, removed or renamed: EROFS, EEXIST or EPERM where psim provides it itself.
int resolve_for_change(Process& p, int dirfd, std::uint64_t address, Place& place);

/// struct stat of a place. `follow_last` was already obeyed by resolve. 0 or a host errno.
int status_of(Process& p, const Place& place, struct ::stat& status);
/// … of an open file.
int status_of(Process& p, const OpenFile& file, struct ::stat& status);

/// Simulated wall-clock time, as files have it.
struct timespec file_time(Process& p);
/// Notes that the program has made the file of this place, so that its number and times are new.
void note_made(Process& p, const Place& place);
/// Notes that the program has made, removed or renamed the name of this place in its directory.
void note_renamed(Process& p, const Place& place);

/// True if a transfer of a pipe or socket pair of the guest's own waits for ever and has ended the process:
/// it is alone and the other end is its own, too.
bool waits_for_itself(Process& p, const OpenFile& file, short events);

/// The umask of the guest while psim makes a file for it.
class GuestUmask {
 public:
  explicit GuestUmask(const Process& p);
  ~GuestUmask();
  GuestUmask(const GuestUmask&) = delete;
  GuestUmask& operator=(const GuestUmask&) = delete;

 private:
  mode_t before_;
};

/// Host bytes of a guest buffer, cut to what the guest may touch (`need`). Empty with `bytes` > 0: EFAULT.
std::span<std::byte> buffer(Process& p, std::uint64_t address, std::uint64_t bytes, std::uint8_t need);

/// struct timespec, struct timeval. False: EFAULT.
struct GuestTime {
  std::int64_t seconds = 0, fraction = 0;  ///< nanoseconds or microseconds
};
bool read_timespec(Process& p, std::uint64_t address, GuestTime& time);
bool write_timespec(Process& p, std::uint64_t address, GuestTime time);
/// timeval: tv_usec is an int with padding behind it (__kernel_suseconds_t of sparc64).
bool read_timeval(Process& p, std::uint64_t address, GuestTime& time);
bool write_timeval(Process& p, std::uint64_t address, GuestTime time);
/// Nanoseconds, saturating; false if the time is not a valid duration (EINVAL).
bool duration(GuestTime time, std::uint64_t unit_nanoseconds, std::uint64_t& nanoseconds);

/// Simulated wall-clock time in nanoseconds since 1970.
std::uint64_t wall_clock(Process& p);

}  // namespace psim::isa::calls
