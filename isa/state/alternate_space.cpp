// SPDX-License-Identifier: Apache-2.0
#include "isa/state/alternate_space.h"

#include "isa/state/asi_access.h"

namespace psim::isa {

const Action* bad_asi(Context* c, const Action* a, std::uint8_t asi, std::uint64_t address) {
  const bool privileged = meaning_of(asi).space == Space::Privileged;
  return trouble(c, a, privileged ? FaultKind::PrivilegedInstruction : FaultKind::UnknownAsi, address, asi);
}

bool find_sbm(Context* c, const Action* a, std::uint64_t address, unsigned bytes, bool store,
              std::uint64_t& offset, unsigned& pe) {
  const std::uint64_t number = address >> kSbmAddressBits;
  offset = address & ((std::uint64_t{1} << kSbmAddressBits) - 1);
  pe = static_cast<unsigned>(number);
  if (c->simd.pes == 0) return trouble(c, a, FaultKind::UnknownAsi, address, kAsiSbm) != nullptr;
  if (address % bytes != 0) return trouble(c, a, FaultKind::Misaligned, address) != nullptr;
  if (number >= c->simd.pes) return trouble(c, a, FaultKind::PeAccess, address) != nullptr;
  return simd::may_access(c, a, offset, bytes, bytes, store);
}

bool is_plain_asi(std::uint8_t asi) {
  const AsiMeaning meaning = meaning_of(asi);
  return !meaning.little && (meaning.space == Space::Plain || meaning.space == Space::NoFault ||
                             meaning.space == Space::BlockInit);
}
bool is_block_asi(std::uint8_t asi) {
  const AsiMeaning meaning = meaning_of(asi);
  return meaning.space == Space::Block && !meaning.little;
}

std::uint64_t sbm_offset(const Context& c, std::uint32_t word, std::uint64_t address) {
  if (is_alternate_access(word) && (has_immediate(word) ? c.asi : imm_asi(word)) == kAsiSbm)
    return address & ((std::uint64_t{1} << kSbmAddressBits) - 1);
  return c.simd.on ? c.simd.window_offset(address) : SimdState::kNoWindow;
}

}  // namespace psim::isa
