// SPDX-License-Identifier: Apache-2.0
#include "pipeline/testing/program.h"

#include <algorithm>

namespace psim::pipeline::testing {

using isa::BranchKind;
using isa::LatencyClass;
using isa::StaticInstruction;
using isa::Unit;

namespace {
StaticInstruction make(Unit unit, LatencyClass latency, const std::vector<Reg>& sources,
                       const std::vector<Reg>& destinations) {
  StaticInstruction si;
  si.unit = unit;
  si.latency = latency;
  for (const Reg& s : sources)
    if (s.range.first != 0) si.source[si.sources++] = s.range;
  for (const Reg& s : destinations)
    if (s.range.first != 0) si.destination[si.destinations++] = s.range;
  si.address_sources = si.sources;
  si.resolve_registers();
  si.serial = latency == LatencyClass::Serial;
  return si;
}
}  // namespace

std::size_t Program::emit(const StaticInstruction& instruction, std::uint64_t address) {
  auto& known = text_[pc_];
  if (!known) known = &instructions_.emplace_back(instruction);
  isa::InstructionRecord record;
  record.pc = pc_;
  record.address = address;
  record.instruction = known;
  records_.push_back(record);
  pc_ = after_slot_ ? after_slot_ : pc_ + 4;
  after_slot_ = 0;
  return records_.size() - 1;
}

std::size_t Program::op(Unit unit, LatencyClass latency, std::vector<Reg> sources,
                        std::vector<Reg> destinations) {
  return emit(make(unit, latency, sources, destinations), 0);
}

std::size_t Program::load(Reg rd, unsigned base, std::uint64_t address, std::uint8_t bytes) {
  StaticInstruction si = make(Unit::Address, LatencyClass::Load, {r(base)}, {rd});
  si.load = true;
  si.access_bytes = bytes;
  return emit(si, address);
}

std::size_t Program::store(Reg datum, unsigned base, std::uint64_t address, std::uint8_t bytes) {
  StaticInstruction si = make(Unit::Address, LatencyClass::Store, {r(base), datum}, {});
  si.store = true;
  si.access_bytes = bytes;
  si.address_sources = base != 0;
  si.resolve_registers();
  return emit(si, address);
}

std::size_t Program::swap(unsigned rd, unsigned base, std::uint64_t address) {
  StaticInstruction si = make(Unit::Address, LatencyClass::Atomic, {r(base), r(rd)}, {r(rd)});
  si.load = si.store = true;
  si.access_bytes = 4;
  si.address_sources = base != 0;
  si.resolve_registers();
  return emit(si, address);
}

std::size_t Program::simd(LatencyClass latency, std::vector<Reg> sources, std::vector<Reg> destinations) {
  StaticInstruction si = make(Unit::Simd, latency, sources, destinations);
  si.simd = true;
  const std::size_t index = emit(si, 0);
  records_[index].simd = 1, records_[index].pes = 16;
  return index;
}

void Program::in_simd_state(std::size_t index, bool sbm) {
  isa::InstructionRecord& record = records_[index];
  record.simd = 1, record.pes = 16, record.sbm = sbm;
  StaticInstruction& si = *text_.at(record.pc);
  const isa::RegisterRange datum = si.load ? si.destination[0] : si.source[si.sources - 1u];
  si.pe_data = datum.first >= isa::reg::kSimdFp;
}

std::size_t Program::transfer(const isa::BlockTransfer& transfer, std::uint64_t descriptor) {
  StaticInstruction si = make(Unit::Address, LatencyClass::BlockTransfer, {}, {});
  si.load = true;
  si.access_bytes = 48;
  const std::size_t index = emit(si, descriptor);
  records_[index].target = transfers_.size();
  transfers_.push_back(transfer);
  return index;
}

std::size_t Program::sync(std::uint64_t tags) {
  const std::size_t index = emit(make(Unit::Address, LatencyClass::TransferSync, {}, {}), 0);
  records_[index].target = tags;
  return index;
}

std::size_t Program::branch(BranchKind kind, bool taken, std::uint64_t target, std::vector<Reg> sources,
                            bool annul) {
  StaticInstruction si = make(Unit::Branch, LatencyClass::Branch, sources, {});
  si.branch = kind;
  si.annul = annul;
  si.displacement = static_cast<std::int64_t>(target - pc_);
  const std::uint64_t here = pc_;
  const std::size_t index = emit(si, 0);
  isa::InstructionRecord& record = records_[index];
  record.taken = taken;
  record.target = taken ? target : here + 8;
  record.annulled_slot = annul && (kind == BranchKind::Conditional ? !taken : taken);
  if (record.annulled_slot)
    pc_ = record.target;
  else
    after_slot_ = record.target;
  return index;
}

void Program::window_trap(isa::RecordKind kind, std::uint64_t address) {
  StaticInstruction si = make(Unit::Address, LatencyClass::Store, {}, {});
  instructions_.push_back(si);
  for (unsigned i = 0; i < 16; ++i) {
    isa::InstructionRecord record;
    record.pc = pc_;
    record.address = address + 8 * i;
    record.instruction = &instructions_.back();
    record.kind = kind;
    record.first_of_trap = i == 0;
    records_.push_back(record);
  }
}

void Program::other_text(std::uint64_t pc, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    auto& known = text_[pc + 4 * i];
    if (!known)
      known = &instructions_.emplace_back(make(Unit::Int, LatencyClass::IntSimple, {}, {r(1 + i % 7)}));
  }
}

void Program::other_simd_text(std::uint64_t pc, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    auto& known = text_[pc + 4 * i];
    if (known) continue;
    StaticInstruction si = make(Unit::Simd, i % 2 ? LatencyClass::FpMultiplyAdd : LatencyClass::FpMove,
                                {pe(0), pe(2)}, {pe(2 * (i % 8))});
    si.simd = true;
    if (i % 5 == 0) {
      si = i % 10 ? make(Unit::Address, LatencyClass::Load, {r(1)}, {pe(4)})
                  : make(Unit::Address, LatencyClass::Store, {r(1), pe(4)}, {});
      si.load = i % 10, si.store = !si.load, si.pe_data = true;
      si.access_bytes = 8, si.address_sources = 1;
      si.resolve_registers();
    }
    known = &instructions_.emplace_back(si);
  }
}

std::vector<std::uint64_t> Program::addresses() const {
  std::vector<std::uint64_t> all;
  for (const auto& [pc, instruction] : text_) all.push_back(pc);
  return all;
}

void Program::make_timed(std::size_t index) { text_.at(records_[index].pc)->timed = true; }

isa::Pull Program::next(std::uint64_t, bool oldest, isa::InstructionRecord& out) {
  if (next_ == records_.size()) return isa::Pull::End;
  const isa::InstructionRecord& record = records_[next_];
  if (record.instruction->timed && !oldest) return isa::Pull::WaitUntilOldest;
  out = record;
  ++next_;
  return isa::Pull::Record;
}

const StaticInstruction* Program::text(std::uint64_t pc, bool) {
  const auto found = text_.find(pc);
  return found == text_.end() ? nullptr : found->second;
}

}  // namespace psim::pipeline::testing
