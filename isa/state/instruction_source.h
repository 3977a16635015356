// SPDX-License-Identifier: Apache-2.0
// Functional execution first, timing separately: the retired-path instruction records that a timing model
// consumes, from a running program or from a recorded trace. A consumer cannot change the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "isa/table/static_instruction.h"

namespace psim::isa {

enum class RecordKind : std::uint8_t {
  Instruction,
  SpillStore,  ///< one of 16 stores of a window-spill trap, before the save that raised it
  FillLoad,    ///< one of 16 loads of a window-fill trap, before the restore that raised it
};

/// A block transfer between memory and the SBMs (docs/isa.md): of each PE in `pes`, `rows` rows of
/// `row_bytes` bytes. Strides and pitches are bytes and may be negative.
struct BlockTransfer {
  bool put = false;                             ///< SBM to memory; else memory to SBM
  std::uint8_t tag = 0;                         ///< 0–15, for sbmsync
  std::uint32_t pes = 0;                        ///< mask of the PEs that take part
  std::uint64_t memory = 0;                     ///< of PE 0's first byte
  std::int64_t pe_stride = 0, row_stride = 0;   ///< in memory, from PE to PE and from row to row
  std::uint32_t sbm_offset = 0, sbm_pitch = 0;  ///< in every SBM: first byte, and from row to row
  std::uint32_t row_bytes = 0, rows = 0;
};

/// One instruction of the retired path, in program order. 40 bytes.
struct InstructionRecord {
  std::uint64_t pc = 0;
  std::uint64_t address =
      0;  ///< effective address of a memory access; of sbmget and sbmput, the descriptor's
  /// For a control transfer: the address after the delay slot (taken or not). For an SBM access: the byte
  /// offset in SBM. For sbmget and sbmput: a number for InstructionSource::transfer(). For sbmsync: the mask
  /// of the tags it waits for.
  std::uint64_t target = 0;
  const StaticInstruction* instruction = nullptr;
  RecordKind kind = RecordKind::Instruction;
  std::uint8_t window =
      0;               ///< CWP before the instruction; with NWINDOWS windows, the physical window of r8–r31
  bool taken = false;  ///< a control transfer that was taken
  bool annulled_slot = false;          ///< its delay slot is annulled: the next record is at `target`
  bool region_marker = false;          ///< a PSIM_REGION_BEGIN or END; region_of() of the source returns it
  std::uint8_t first_of_trap : 1 = 0;  ///< first record of a spill or fill trap: trap entry is charged here
  std::uint8_t signal : 1 = 0;         ///< a signal or a trap led here, not fall-through or branch
  std::uint8_t simd : 1 = 0;           ///< executed in SIMD state
  std::uint8_t sbm : 1 = 0;            ///< a load or store that went to SBM, not to memory
  std::uint8_t pes = 0;                ///< enabled PEs, 0–32; 0 on a core without PEs
};

/// Returns true if the records are equal but for their addresses.
inline bool same_path(const InstructionRecord& a, const InstructionRecord& b) {
  constexpr std::uint64_t kUsed = 0x00FF'0FFF'FFFF'FFFF;  // of the parts from `kind` on
  static_assert(offsetof(InstructionRecord, kind) == 32 && offsetof(InstructionRecord, pes) == 38);
  std::uint64_t x, y;
  std::memcpy(&x, &a.kind, sizeof x), std::memcpy(&y, &b.kind, sizeof y);
  return ((a.pc ^ b.pc) | (a.target ^ b.target) | ((x ^ y) & kUsed)) == 0 && a.instruction == b.instruction;
}

enum class Pull : std::uint8_t {
  Record,           ///< `out` is filled
  WaitUntilOldest,  ///< the next instruction is timed: call again with oldest = true when nothing older is in
                    ///< flight
  Idle,             ///< no thread can run: call again in cycle `out.target`, or when the source reports one;
                    ///< kNeverAgain: then only
  End,              ///< the program has ended
};

inline constexpr std::uint64_t kNeverAgain = ~std::uint64_t{0};  ///< see Pull::Idle

/// Room for the records of consecutive instructions, `stride` bytes apart.
struct RecordSlots {
  InstructionRecord* first;
  std::size_t stride;
  InstructionRecord& operator[](std::size_t n) const {
    return *reinterpret_cast<InstructionRecord*>(reinterpret_cast<std::byte*>(first) + n * stride);
  }
};

/// A source of records; implementations run ahead only as far as they are pulled.
class InstructionSource {
 public:
  virtual ~InstructionSource() = default;
  /// Returns the next retired-path record at `cycle`. `oldest`: all earlier records have committed.
  virtual Pull next(std::uint64_t cycle, bool oldest, InstructionRecord& out) = 0;
  /// Does the same for up to `count` instructions at once, with `oldest` false. They are at consecutive
  /// addresses in one block of `block_bytes`; only the last may be a control transfer. Returns their number.
  /// It is 0 if the first instruction needs next(). With `pc`, the first is there, and the caller could call
  /// next() for all of them in this cycle; with kAnyPc, it may need later ones in later cycles.
  virtual std::uint32_t next_straight([[maybe_unused]] std::uint64_t cycle, [[maybe_unused]] std::uint64_t pc,
                                      [[maybe_unused]] std::uint64_t block_bytes,
                                      [[maybe_unused]] std::uint32_t count,
                                      [[maybe_unused]] RecordSlots out) {
    return 0;
  }
  static constexpr std::uint64_t kAnyPc = ~std::uint64_t{0};
  /// Delivers records ahead of the cycles in which they are needed, as long as they are `expected` but for
  /// their addresses, and as next_straight() would deliver them in any later cycle. Returns their number; it
  /// may be 0.
  virtual std::uint32_t follow([[maybe_unused]] std::uint64_t cycle,
                               [[maybe_unused]] std::span<const InstructionRecord> expected,
                               [[maybe_unused]] RecordSlots out) {
    return 0;
  }
  /// Returns the instruction at `pc` in the text image, for wrong-path fetch; null if there is no text.
  /// `simd`: as executed in SIMD state.
  virtual const StaticInstruction* text(std::uint64_t pc, bool simd = false) = 0;
  /// Does the same for the instructions from `pc` on, in order. Returns their number: at least 1 if there is
  /// text at `pc`, but possibly fewer than `out` has room for.
  virtual std::uint32_t texts(std::uint64_t pc, bool simd, std::span<const StaticInstruction*> out) {
    out[0] = text(pc, simd);
    return out[0] != nullptr;
  }
  /// Returns the descriptor of an sbmget or sbmput; kept for at least the next 1024 transfers.
  virtual BlockTransfer transfer(const InstructionRecord& record) const;
  /// Returns true once the records may come from several threads.
  virtual bool has_threads() const { return false; }
};

/// A source before another one, which outlives it: its text and its transfers are those of the other.
class SourceBefore : public InstructionSource {
 public:
  explicit SourceBefore(InstructionSource& source) : source_(source) {}
  const StaticInstruction* text(std::uint64_t pc, bool simd = false) override {
    return source_.text(pc, simd);
  }
  std::uint32_t texts(std::uint64_t pc, bool simd, std::span<const StaticInstruction*> out) override {
    return source_.texts(pc, simd, out);
  }
  BlockTransfer transfer(const InstructionRecord& record) const override { return source_.transfer(record); }
  bool has_threads() const override { return source_.has_threads(); }

 protected:
  InstructionSource& source_;
};

}  // namespace psim::isa
