// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pe_activity.h"

#include <algorithm>

namespace psim::pipeline {

using isa::LatencyClass;
using isa::RegisterRange;
using isa::StaticInstruction;

namespace {

bool names_integer(const std::array<RegisterRange, 6>& ranges, unsigned count) {
  return std::any_of(ranges.begin(), ranges.begin() + count,
                     [](RegisterRange range) { return range.first < isa::reg::kFp; });
}

/// Returns the number of SFPRs of 64 bits in `count` ranges.
template <class Ranges>
std::uint64_t of_pes(const Ranges& ranges, unsigned count) {
  std::uint64_t registers = 0;
  for (unsigned i = 0; i < count; ++i)
    if (ranges[i].first >= isa::reg::kSimdFp && ranges[i].first < isa::reg::kSimdFcc)
      registers += (ranges[i].count + 1u) / 2;
  return registers;
}

template <class Ranges>
std::uint64_t of_scalar_part(const Ranges& ranges, unsigned count) {
  return static_cast<std::uint64_t>(std::count_if(ranges.begin(), ranges.begin() + count,
                                                  [](RegisterRange r) { return r.first < isa::reg::kCcr; }));
}

}  // namespace

std::uint8_t pes_of(const isa::InstructionRecord& record) {
  const StaticInstruction& si = *record.instruction;
  if (si.simd) {
    const bool to_integer = si.destinations != 0 && si.destination[0].first < isa::reg::kFp;
    const bool one_named = si.latency == LatencyClass::PeMove && names_integer(si.source, si.sources);
    return to_integer || one_named ? 1 : record.pes;
  }
  if (si.pe_data) return record.pes;
  if (record.sbm) return record.simd && si.store ? record.pes : 1;
  return 0;
}

PeWork::PeWork(PeActivity& to, const StaticInstruction& instruction, std::uint8_t pes, bool sbm)
    : to_(to),
      instruction_(instruction),
      pes_(pes),
      sbm_(sbm),
      involved_(instruction.simd || instruction.pe_data || sbm) {}

void PeWork::entered() { to_.station_writes += instruction_.simd; }

void PeWork::sent(std::uint64_t cycles) {
  if (!involved_ || cycles == 0) return;
  to_.broadcasts += cycles;
  to_.begun += pes_;
  to_.register_reads += pes_ * of_pes(instruction_.source, instruction_.sources);
  if (instruction_.simd) {
    to_.moves += of_scalar_part(instruction_.source, instruction_.sources);
  } else {  // the address is computed in the scalar part; a datum for all PEs goes out as an operand
    to_.cycles += pes_;
    to_.moves += !sbm_ && instruction_.load;
  }
}

void PeWork::executed(std::uint64_t cycles) {
  if (!instruction_.simd) return;
  to_.operations += pes_;
  to_.cycles += pes_ * cycles;
  if (instruction_.latency == LatencyClass::PeSum)  // a tree: each PE's value but one goes to another PE
    to_.cross_operands += pes_ != 0 ? pes_ - 1 : 0;
  else
    to_.cross_operands += instruction_.crosses == 1 ? (pes_ + 1) / 2 : instruction_.crosses * pes_ / 2;
}

void PeWork::read() { to_.sbm_reads += sbm_ && instruction_.load ? pes_ : 0; }

void PeWork::finished() {
  if (!involved_) return;
  to_.results += pes_;
  to_.register_writes += pes_ * of_pes(instruction_.destination, instruction_.destinations);
}

void PeWork::noticed(std::uint64_t cycles) {
  if (!involved_ || cycles == 0) return;
  to_.notices += cycles;
  to_.moves += of_scalar_part(instruction_.destination, instruction_.destinations);
}

void PeWork::retired() { to_.sbm_writes += sbm_ && instruction_.store ? pes_ : 0; }

}  // namespace psim::pipeline
