// SPDX-License-Identifier: Apache-2.0
#include "guest/calls/open_flags.h"

#include <fcntl.h>

namespace psim::isa {

namespace {

struct Pair {
  std::uint64_t guest;
  int host;
};
constexpr Pair kPairs[] = {
    {guest_open::kAppend, O_APPEND},
    {0x40, O_ASYNC},
    {guest_open::kCreate, O_CREAT},
    {guest_open::kTruncate, O_TRUNC},
    {guest_open::kExclusive, O_EXCL},
    {0x2000, O_DSYNC},
    {guest_open::kNonBlock, O_NONBLOCK},
    {0x8000, O_NOCTTY},
    {guest_open::kDirectory, O_DIRECTORY},
    {guest_open::kNoFollow, O_NOFOLLOW},
    {0x100000, O_DIRECT},
    {0x200000, O_NOATIME},
    {guest_open::kCloseOnExec, O_CLOEXEC},
    {0x800000, O_SYNC & ~O_DSYNC},
    {guest_open::kPath, O_PATH},
    {guest_open::kTemporary, O_TMPFILE & ~O_DIRECTORY},
};
constexpr std::uint64_t kLargeFile = 0x40000;

}  // namespace

int open_flags_to_host(std::uint64_t guest) {
  int host = static_cast<int>(guest & guest_open::kAccess);
  for (const Pair& pair : kPairs)
    if (guest & pair.guest) host |= pair.host;
  return host;
}

std::uint64_t open_flags_from_host(int host) {
  std::uint64_t guest = static_cast<std::uint64_t>(host & O_ACCMODE) | kLargeFile;
  for (const Pair& pair : kPairs)
    if ((host & pair.host) == pair.host) guest |= pair.guest;
  return guest;
}

}  // namespace psim::isa
