// SPDX-License-Identifier: Apache-2.0
// The addresses of the network interface for programs: workloads/include/psim_nic.h defines the same for C.
#pragma once

#include <cstdint>

namespace psim::cosim {

/// A page of registers of eight bytes, written only (stx); its addresses are the same in every program.
inline constexpr std::uint64_t kNicWindow = 0xf000000000, kNicWindowBytes = 8192;
/// In the page, read only: the period of a cycle of the core, ps.
inline constexpr std::uint64_t kNicPeriod = kNicWindow + 4096;

/// Offsets of registers. The registers up to kDoorbell keep the last value written.
enum class NicRegister : std::uint64_t {
  Local = 0,   ///< address in this node's memory
  Remote = 8,  ///< address in the peer's memory
  Bytes = 16,  ///< 1 … kMostBytes
  Peer = 24,   ///< number of the other node
  Value = 32,  ///< written to flags
  Done = 40,   ///< address of a flag here (8 bytes, aligned): written when the operation is complete; 0: none
  Notify = 48,    ///< for a put: address of a flag at the peer, written after the data; 0: none
  Doorbell = 56,  ///< kPut or kGet starts the operation with the current registers
  // Of the queues: cosim/queue_format.h.
  Version = 64,             ///< queue::kVersion, first
  Submissions = 72,         ///< address of the ring
  SubmissionEntries = 80,   ///< entries of the ring, 2^n
  SubmissionTail = 88,      ///< doorbell: descriptors written so far
  Completions = 96,         ///< address of the ring
  CompletionEntries = 104,  ///< entries of the ring, 2^n
  CompletionHead = 112,     ///< completions read so far
  Slots = 120,              ///< address of the first slot
  SlotEntries = 128,        ///< number of slots, 2^n
  SlotBytes = 136,          ///< bytes of a slot, with its header; a multiple of 64
  SlotHead = 144,           ///< slots read and returned so far
  Abort = 152,              ///< ends the run of all nodes with this exit status
  BarrierFlag = 160,        ///< sets the S-flag of the barrier network for a group: bits, or 0 for all nodes
  Signal = 168,             ///< ends the pauses of this rank's threads, as a completion does
};
inline constexpr std::uint64_t kNicRegisters = 22;
inline constexpr std::uint64_t kPut = 1, kGet = 2;
inline constexpr std::uint64_t kMostBytes = 1u << 24;

}  // namespace psim::cosim
