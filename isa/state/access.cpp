// SPDX-License-Identifier: Apache-2.0
#include "isa/state/access.h"

#include "isa/state/code_lines.h"

namespace psim::isa {

const Action* trouble(Context* c, const Action* a, FaultKind kind, std::uint64_t address, std::uint8_t asi) {
  c->exit = Exit::Trouble, c->exit_action = a;
  c->fault = {.kind = kind, .pc = 0, .address = address, .word = a->word, .asi = asi};
  return nullptr;
}

const Action* bad_access(Context* c, const Action* a, std::uint64_t address, unsigned alignment,
                         std::uint8_t need) {
  if (address % alignment != 0) return trouble(c, a, FaultKind::Misaligned, address);
  const std::uint8_t page = c->memory->permission(address);
  const bool mapped = (page & kMapped) != 0;
  return trouble(c, a, mapped && (page & need) == 0 ? FaultKind::NotPermitted : FaultKind::NotMapped,
                 address);
}

bool may_store_slowly(Context* c, const Action* a, std::uint64_t address, unsigned bytes,
                      unsigned alignment) {
  if (address % alignment != 0 || (c->memory->permission(address) & kWrite) == 0) {
    bad_access(c, a, address, alignment, kWrite);
    return false;
  }
  // Data and code often share a page (.data after .text, trampolines on the stack). Only bytes that were
  // decoded matter; the store may then change the running block.
  if (!c->alone && c->code_lines->decoded(address, bytes)) {
    do_alone(c, a);
    return false;
  }
  return true;
}

}  // namespace psim::isa
