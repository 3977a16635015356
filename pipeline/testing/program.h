// SPDX-License-Identifier: Apache-2.0
// A program written as the records it will retire, for timing tests: instructions with their units, registers
// and outcomes, laid out from a base address. Control flow is what the test says it is.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "isa/instruction_source.h"

namespace psim::pipeline::testing {

/// Register operands: %g1–%g7, %l0… by number 1–31; %d0, %d2 … as d(0), d(2) ….
struct Reg {
  isa::RegisterRange range;
};
inline Reg r(unsigned n) { return {{static_cast<std::uint8_t>(n), 1}}; }
inline Reg d(unsigned n) { return {{static_cast<std::uint8_t>(isa::reg::kFp + n), 2}}; }
/// SFPR %d0, %d2 … of the PEs; their fcc0.
inline Reg pe(unsigned n) { return {{static_cast<std::uint8_t>(isa::reg::kSimdFp + n), 2}}; }
inline Reg pe_fcc() { return {{isa::reg::kSimdFcc, 1}}; }
inline Reg ccr() { return {{isa::reg::kCcr, 1}}; }

class Program final : public isa::InstructionSource {
 public:
  explicit Program(std::uint64_t base = 0x100000) : pc_(base) {}

  // Straight-line instructions, each at the next address. Returns its place among the records.
  std::size_t op(isa::Unit unit, isa::LatencyClass latency, std::vector<Reg> sources,
                 std::vector<Reg> destinations);
  std::size_t add(unsigned rd, unsigned a, unsigned b) {
    return op(isa::Unit::Int, isa::LatencyClass::IntSimple, {r(a), r(b)}, {r(rd)});
  }
  std::size_t load(Reg rd, unsigned base, std::uint64_t address, std::uint8_t bytes = 8);
  std::size_t store(Reg datum, unsigned base, std::uint64_t address, std::uint8_t bytes = 8);
  std::size_t swap(unsigned rd, unsigned base, std::uint64_t address);
  std::size_t prefetch(unsigned base, std::uint64_t address) {
    const std::size_t place = op(isa::Unit::Address, isa::LatencyClass::Prefetch, {r(base)}, {});
    records_[place].address = address;
    return place;
  }
  /// Goes through the cache pipeline without an access, when it is the oldest: FLUSH.
  std::size_t flush() { return op(isa::Unit::Address, isa::LatencyClass::Serial, {}, {}); }
  std::size_t nop() { return op(isa::Unit::None, isa::LatencyClass::None, {}, {}); }
  std::size_t serial() { return op(isa::Unit::Int, isa::LatencyClass::Serial, {}, {}); }
  std::size_t timed() { return op(isa::Unit::None, isa::LatencyClass::Serial, {}, {}); }

  // SIMD state, 16 PEs enabled.
  std::size_t simd(isa::LatencyClass latency, std::vector<Reg> sources, std::vector<Reg> destinations);
  /// Makes the load or store at `place` one of SIMD state, of SBM or, a load, of memory for all PEs.
  void in_simd_state(std::size_t place, bool sbm);
  /// In how many PEs of a pair the operation at `place` takes an operand from the other.
  void make_cross(std::size_t place, std::uint8_t takers) { text_.at(records_[place].pc)->crosses = takers; }
  std::size_t transfer(const isa::BlockTransfer& transfer, std::uint64_t descriptor);
  std::size_t sync(std::uint64_t tags);

  /// A branch here; control goes to `target` behind its delay slot if `taken`. The next record added is the
  /// delay slot, unless it is annulled; then records go on at the target or behind the slot.
  std::size_t branch(isa::BranchKind kind, bool taken, std::uint64_t target, std::vector<Reg> sources = {},
                     bool annul = false);
  /// 16 stores or loads of a window trap, from `address` on.
  void window_trap(isa::RecordKind kind, std::uint64_t address);

  /// Records go on at `pc` (an end of a delay slot does so by itself).
  void at(std::uint64_t pc) { pc_ = pc; }
  std::uint64_t pc() const { return pc_; }
  isa::InstructionRecord& record(std::size_t place) { return records_[place]; }
  /// Addresses of all its text.
  std::vector<std::uint64_t> addresses() const;
  std::size_t size() const { return records_.size(); }
  void rewind() { next_ = 0; }  ///< gives the records again from the first
  /// Text that is not on the right path: `count` independent adds from `pc` on.
  void other_text(std::uint64_t pc, unsigned count);
  /// The same of work for the PEs: operations on `%d0`, broadcast loads, stores.
  void other_simd_text(std::uint64_t pc, unsigned count);
  /// Makes the instruction at `place` wait until it is oldest.
  void make_timed(std::size_t place);

  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd = false) override;
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return transfers_.at(record.target);
  }

 private:
  std::size_t emit(const isa::StaticInstruction& instruction, std::uint64_t address);

  std::uint64_t pc_;
  std::uint64_t after_slot_ = 0;  // where control goes behind the next record; 0: straight on
  std::deque<isa::StaticInstruction> instructions_;  // addresses stay
  std::map<std::uint64_t, isa::StaticInstruction*> text_;
  std::vector<isa::InstructionRecord> records_;
  std::vector<isa::BlockTransfer> transfers_;
  std::size_t next_ = 0;
};

}  // namespace psim::pipeline::testing
