// SPDX-License-Identifier: Apache-2.0
// A program written as the records that it will retire, for timing tests: instructions with their units,
// registers and outcomes, laid out from a base address. The test defines the control flow.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "isa/state/instruction_source.h"

namespace psim::pipeline::testing {

/// Register operands: %g1–%g7, %l0… by number 1–31; %d0, %d2 … as d(0), d(2) ….
struct Reg {
  isa::RegisterRange range;
};
inline Reg r(unsigned n) { return {{static_cast<std::uint8_t>(n), 1}}; }
inline Reg d(unsigned n) { return {{static_cast<std::uint8_t>(isa::reg::kFp + n), 2}}; }
/// SFPR %d0, %d2 … of the PEs; the next function returns their fcc0.
inline Reg pe(unsigned n) { return {{static_cast<std::uint8_t>(isa::reg::kSimdFp + n), 2}}; }
inline Reg pe_fcc() { return {{isa::reg::kSimdFcc, 1}}; }
inline Reg ccr() { return {{isa::reg::kCcr, 1}}; }

class Program final : public isa::InstructionSource {
 public:
  explicit Program(std::uint64_t base = 0x100000) : pc_(base) {}

  // Adds a straight-line instruction at the next address. Returns its index among the records.
  std::size_t op(isa::Unit unit, isa::LatencyClass latency, std::vector<Reg> sources,
                 std::vector<Reg> destinations);
  std::size_t add(unsigned rd, unsigned a, unsigned b) {
    return op(isa::Unit::Int, isa::LatencyClass::IntSimple, {r(a), r(b)}, {r(rd)});
  }
  std::size_t load(Reg rd, unsigned base, std::uint64_t address, std::uint8_t bytes = 8);
  std::size_t store(Reg datum, unsigned base, std::uint64_t address, std::uint8_t bytes = 8);
  std::size_t swap(unsigned rd, unsigned base, std::uint64_t address);
  std::size_t prefetch(unsigned base, std::uint64_t address) {
    const std::size_t index = op(isa::Unit::Address, isa::LatencyClass::Prefetch, {r(base)}, {});
    records_[index].address = address;
    return index;
  }
  /// Adds a FLUSH, which goes through the cache pipeline without an access when it is the oldest.
  std::size_t flush() { return op(isa::Unit::Address, isa::LatencyClass::Serial, {}, {}); }
  std::size_t nop() { return op(isa::Unit::None, isa::LatencyClass::None, {}, {}); }
  std::size_t serial() { return op(isa::Unit::Int, isa::LatencyClass::Serial, {}, {}); }
  std::size_t timed() { return op(isa::Unit::None, isa::LatencyClass::Serial, {}, {}); }

  // Adds instructions in SIMD state, with 16 PEs enabled.
  std::size_t simd(isa::LatencyClass latency, std::vector<Reg> sources, std::vector<Reg> destinations);
  /// Makes the load or store at `place` one of SIMD state: of SBM or, for a load, of memory for all PEs.
  void in_simd_state(std::size_t index, bool sbm);
  /// Sets the number of PEs of a pair in which the operation at `place` takes an operand from the other.
  void make_cross(std::size_t index, std::uint8_t takers) { text_.at(records_[index].pc)->crosses = takers; }
  std::size_t transfer(const isa::BlockTransfer& transfer, std::uint64_t descriptor);
  std::size_t sync(std::uint64_t tags);

  /// Adds a branch. If `taken`, control goes to `target` after its delay slot. The next record is the delay
  /// slot, unless it is annulled; later records follow at the target or after the slot.
  std::size_t branch(isa::BranchKind kind, bool taken, std::uint64_t target, std::vector<Reg> sources = {},
                     bool annul = false);
  /// Adds 16 stores or loads of a window trap, from `address` on.
  void window_trap(isa::RecordKind kind, std::uint64_t address);

  /// Continues the records at `pc` (the end of a delay slot does so by itself).
  void at(std::uint64_t pc) { pc_ = pc; }
  std::uint64_t pc() const { return pc_; }
  isa::InstructionRecord& record(std::size_t index) { return records_[index]; }
  /// Returns the addresses of all its text.
  std::vector<std::uint64_t> addresses() const;
  std::size_t size() const { return records_.size(); }
  void rewind() { next_ = 0; }  ///< returns the records again from the first
  /// Adds text outside the right path: `count` independent adds from `pc` on.
  void other_text(std::uint64_t pc, unsigned count);
  /// Adds the same with work for the PEs: operations on `%d0`, broadcast loads, stores.
  void other_simd_text(std::uint64_t pc, unsigned count);
  /// Makes the instruction at `place` wait until it is the oldest.
  void make_timed(std::size_t index);

  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd = false) override;
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return transfers_.at(record.target);
  }

 private:
  std::size_t emit(const isa::StaticInstruction& instruction, std::uint64_t address);

  std::uint64_t pc_;
  std::uint64_t after_slot_ = 0;  // where control continues after the next record; 0: straight on
  std::deque<isa::StaticInstruction> instructions_;  // a deque keeps addresses
  std::map<std::uint64_t, isa::StaticInstruction*> text_;
  std::vector<isa::InstructionRecord> records_;
  std::vector<isa::BlockTransfer> transfers_;
  std::size_t next_ = 0;
};

}  // namespace psim::pipeline::testing
