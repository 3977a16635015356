// SPDX-License-Identifier: Apache-2.0
// Memory accesses with an address space identifier. In Linux user mode the secondary space is the primary
// one, and ASIs below 0x80 are privileged.
#pragma once

#include "isa/state/access.h"
#include "isa/state/alternate_space.h"
#include "isa/state/sbm.h"
#include "isa/table/fields.h"

namespace psim::isa {

enum class Space : std::uint8_t {
  Unknown,
  Privileged,
  Plain,
  Monitor,  ///< a load that also notes the line, for wr %mwait
  NoFault,
  BlockInit,
  Block,
  Partial,
  Short,
  Sbm
};

struct AsiMeaning {
  Space space = Space::Unknown;
  bool little = false;     ///< little-endian
  std::uint8_t bytes = 0;  ///< of an element of a partial or short access
};

constexpr AsiMeaning meaning_of(std::uint8_t asi) {
  if (asi < 0x80) return {Space::Privileged, false, 0};
  switch (asi) {
    case 0x80:
    case 0x81:
      return {Space::Plain, false, 0};
    case 0x84:
    case 0x85:
      return {Space::Monitor, false, 0};
    case 0x88:
    case 0x89:
      return {Space::Plain, true, 0};
    case 0x82:
    case 0x83:
      return {Space::NoFault, false, 0};
    case 0x8a:
    case 0x8b:
      return {Space::NoFault, true, 0};
    case 0xe2:
    case 0xe3:
    case 0xf2:
    case 0xf3:
      return {Space::BlockInit, false, 0};
    case 0xea:
    case 0xeb:
    case 0xfa:
    case 0xfb:
      return {Space::BlockInit, true, 0};
    case 0xe0:
    case 0xe1:
    case 0xf0:
    case 0xf1:
      return {Space::Block, false, 0};
    case 0xf8:
    case 0xf9:
      return {Space::Block, true, 0};
    case kAsiSbm:
      return {Space::Sbm, false, 0};
    case 0xc0:
    case 0xc1:
      return {Space::Partial, false, 1};
    case 0xc2:
    case 0xc3:
      return {Space::Partial, false, 2};
    case 0xc4:
    case 0xc5:
      return {Space::Partial, false, 4};
    case 0xc8:
    case 0xc9:
      return {Space::Partial, true, 1};
    case 0xca:
    case 0xcb:
      return {Space::Partial, true, 2};
    case 0xcc:
    case 0xcd:
      return {Space::Partial, true, 4};
    case 0xd0:
    case 0xd1:
      return {Space::Short, false, 1};
    case 0xd2:
    case 0xd3:
      return {Space::Short, false, 2};
    case 0xd8:
    case 0xd9:
      return {Space::Short, true, 1};
    case 0xda:
    case 0xdb:
      return {Space::Short, true, 2};
    default:
      return {};
  }
}

/// Returns the ASI: for i = 0 that of the word, for i = 1 that of %asi.
template <bool I>
inline std::uint8_t asi_of(const Context* c, const Action* a) {
  return I ? c->asi : imm_asi(a->word);
}

const Action* bad_asi(Context* c, const Action* a, std::uint8_t asi, std::uint64_t address);

/// Finds the offset and the PE of an access by ASI_SBM. Returns false if the block has been left.
bool find_sbm(Context* c, const Action* a, std::uint64_t address, unsigned bytes, bool store,
              std::uint64_t& offset, unsigned& pe);

template <class T>
T swapped_if(bool little, T value) {
  return little ? big_endian(value) : value;
}

/// Loads one T of an integer or register-sized load. Returns false if the block has been left.
template <class T>
bool load_element(Context* c, const Action* a, std::uint8_t asi, std::uint64_t address, T& value) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Sbm) {
    std::uint64_t offset;
    unsigned pe;
    if (!find_sbm(c, a, address, sizeof(T), false, offset, pe)) return false;
    value = static_cast<T>(simd::read_sbm(c->simd, pe, offset, sizeof(T)));
    return true;
  }
  if (meaning.space != Space::Plain && meaning.space != Space::NoFault && meaning.space != Space::BlockInit &&
      meaning.space != Space::Monitor) {
    bad_asi(c, a, asi, address);
    return false;
  }
  if (!c->memory->load<T>(address, value)) {
    // A no-fault load reads 0 from unreadable memory; it must still be aligned.
    if (meaning.space != Space::NoFault || address % sizeof(T) != 0) {
      bad_access(c, a, address, sizeof(T), kRead);
      return false;
    }
    value = 0;
  }
  if (meaning.space == Space::Monitor) c->monitor.arm(address, *c->memory);
  value = swapped_if(meaning.little, value);
  return true;
}
template <class T>
bool store_element(Context* c, const Action* a, std::uint8_t asi, std::uint64_t address, T value) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Sbm) {
    std::uint64_t offset;
    unsigned pe;
    if (!find_sbm(c, a, address, sizeof(T), true, offset, pe)) return false;
    simd::write_sbm(c->simd, pe, offset, sizeof(T), value);
    return true;
  }
  if (meaning.space != Space::Plain && meaning.space != Space::BlockInit) {
    bad_asi(c, a, asi, address);
    return false;
  }
  if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return false;
  c->memory->store<T>(address, swapped_if(meaning.little, value));
  return true;
}

// Each operation is a function of its own, which may hold references, called from a handler that ends in the
// tail call.
using Operation = const Action* (*)(Context*, const Action*, std::uint8_t asi, std::uint64_t address);
template <Operation F, bool I>
PSIM_HANDLER(alternate) {
  const Action* const after = F(c, a, asi_of<I>(c, a), effective<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

}  // namespace psim::isa
