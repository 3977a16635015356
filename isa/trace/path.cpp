// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/path.h"

#include "isa/state/simd_state.h"
#include "isa/table/fields.h"

namespace psim::isa::trace {

namespace {
constexpr unsigned kNever = 0, kAlways = 8;  // conditions (V9 manual, tables 38 and 39)
}

Path path_of(Executor& executor) {
  const CpuState& state = executor.state();
  const SimdState& simd = executor.simd();
  return {state.pc, state.npc, state.cwp, simd.on, static_cast<std::uint8_t>(simd.enabled())};
}

Outcome outcome_of(const TextImage::Entry& entry) {
  const std::uint32_t word = entry.instruction->word;
  switch (entry.flow) {
    case Flow::BranchIcc:
    case Flow::BranchFcc:
      return cond(word) == kNever || cond(word) == kAlways ? Outcome::Known : Outcome::Branch;
    case Flow::BranchRegister:
    case Flow::CompareBranch:
      return Outcome::Branch;
    case Flow::Jump:
    case Flow::Return:
      return Outcome::Target;
    case Flow::Trap:
      return cond(word) == kNever || cond(word) == kAlways ? Outcome::Known : Outcome::Trap;
    default:
      return Outcome::Known;
  }
}

void Path::pass(const TextImage::Entry& entry, bool taken, std::uint64_t target, InstructionRecord& record) {
  const StaticInstruction& instruction = simd ? *entry.in_simd : *entry.instruction;
  const std::uint32_t word = instruction.word;
  record = {.pc = pc, .instruction = &instruction, .window = window};
  record.simd = simd, record.pes = pes;
  const std::uint64_t relative = pc + static_cast<std::uint64_t>(instruction.displacement);
  if (outcome_of(entry) == Outcome::Known && entry.flow != Flow::Call) taken = cond(word) == kAlways;
  switch (entry.flow) {
    case Flow::Call:
      record.taken = true, record.target = relative;
      break;
    case Flow::Jump:
      record.taken = true, record.target = target;
      break;
    case Flow::Return:
      record.taken = true, record.target = target;
      window = static_cast<std::uint8_t>((window + kWindows - 1) % kWindows);
      break;
    case Flow::CompareBranch:
      record.taken = taken, record.target = taken ? relative : npc;
      go_to(record.target, window);
      return;
    case Flow::BranchIcc:
    case Flow::BranchFcc:
    case Flow::BranchRegister: {
      const bool always = entry.flow != Flow::BranchRegister && cond(word) == kAlways;
      record.taken = taken;
      record.annulled_slot = annul(word) && (!taken || always);
      record.target = taken ? relative : npc + 4;
      if (record.annulled_slot) return go_to(record.target, window);
      break;
    }
    default:
      if (entry.flow == Flow::Trap) record.taken = taken;
      if (entry.flow == Flow::Save) window = static_cast<std::uint8_t>((window + 1) % kWindows);
      if (entry.flow == Flow::Restore) window = static_cast<std::uint8_t>((window + kWindows - 1) % kWindows);
      pc = npc, npc += 4;
      return;
  }
  pc = npc, npc = record.target;
}

}  // namespace psim::isa::trace
