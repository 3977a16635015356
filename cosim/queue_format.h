// SPDX-License-Identifier: Apache-2.0
// The queues of a network interface in the memory of a program. All numbers in memory are big-endian, as the
// program's are; its own driver includes this header, too.
//
//   submissions   a ring of descriptors, written by the program; the register SubmissionTail is the doorbell
//   completions   a ring of completions, written by the interface: ends of operations, and messages that came
//   slots         a ring of buffers for messages that come: 64 bytes of header, then data
//
// Rings have 2^n entries. A counter of entries only grows; entry i is at index i mod size.
#pragma once

#include <cstdint>

namespace psim::cosim::queue {

/// Of this interface. A driver writes the number that it is built for to the register Version.
inline constexpr std::uint64_t kVersion = 1;

enum class Opcode : std::uint32_t {
  Send = 1,         ///< header and `bytes` at `local` go to a slot of the peer
  Put = 2,          ///< `bytes` at `local` go to `remote` at the peer
  Get = 3,          ///< `bytes` at `remote` at the peer come to `local`
  FetchAdd = 4,     ///< the 8 bytes at `remote` grow by `operand`; the old value comes to `local`
  Swap = 5,         ///< … become `operand`; …
  CompareSwap = 6,  ///< … become `operand` if they are `expected`; …
};
/// Bits of Descriptor::flags.
inline constexpr std::uint32_t kNotify = 1;  ///< of a put: then the header goes to a slot of the peer
inline constexpr std::uint32_t kRemote =
    2;  ///< of a put: complete when the data are in the peer's memory, else when they have left this one

struct Descriptor {
  std::uint32_t opcode;
  std::uint32_t flags;
  std::uint32_t peer;  ///< number of a node; not this one
  std::uint32_t spare;
  std::uint64_t local, remote;  ///< addresses here and at the peer
  std::uint64_t bytes;
  std::uint64_t operand, expected;
  std::uint64_t cookie;  ///< returned in the completion
  unsigned char header[64];
};
static_assert(sizeof(Descriptor) == 128);

enum class Event : std::uint32_t {
  Done = 1,     ///< the operation with `value` as its cookie has ended
  Message = 2,  ///< slot number `value` holds a message with `bytes` of data
  Stuck = 3,    ///< nothing can happen any more: every node waits or has ended
  Barrier = 4,  ///< the S-flag was cleared at `value`, ps
};
enum class Status : std::uint32_t {
  Good = 0,
  UnknownOpcode = 1,
  NoSuchPeer = 2,
  BadLength = 3,
  BadLocalAddress = 4,
  BadRemoteAddress = 5,
  Misaligned = 6,
};

struct Completion {
  std::uint64_t number;  ///< 1 for the first, …: written with the rest, so that a new entry is recognised
  std::uint32_t event, status;
  std::uint64_t value, bytes;
};
static_assert(sizeof(Completion) == 32);

inline constexpr std::uint64_t kHeaderBytes = 64;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;  ///< of an operation
inline constexpr std::uint64_t kMostEntries = 1 << 16;               ///< of a ring

}  // namespace psim::cosim::queue
