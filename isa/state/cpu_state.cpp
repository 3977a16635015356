// SPDX-License-Identifier: Apache-2.0
#include "isa/state/cpu_state.h"

namespace psim::isa {

namespace {
// Returns NZVC of a result of `bits` bits, with carry and overflow computed by the caller.
constexpr std::uint8_t condition_nibble(std::uint64_t result, unsigned sign_bit, bool overflow, bool carry) {
  const bool negative = result >> sign_bit & 1;
  const bool zero = sign_bit == 63 ? result == 0 : static_cast<std::uint32_t>(result) == 0;
  return static_cast<std::uint8_t>(negative << 3 | zero << 2 | overflow << 1 | carry);
}
}  // namespace

Ccr CpuState::cc() const {
  const std::uint64_t a = cc_a, b = cc_b;
  std::uint64_t s = a, carry = 0, overflow = 0;  // carry and overflow out of every bit position
  switch (cc_kind) {
    case CcKind::Flags:
      return cc_flags;
    case CcKind::Logic:
      break;
    case CcKind::Add:
      s = a + b, carry = (a & b) | ((a | b) & ~s), overflow = (a ^ s) & (b ^ s);
      break;
    case CcKind::Sub:
      s = a - b, carry = (~a & b) | ((~a | b) & s), overflow = (a ^ b) & (a ^ s);
      break;
  }
  return {condition_nibble(s, 31, overflow >> 31 & 1, carry >> 31 & 1),
          condition_nibble(s, 63, overflow >> 63 & 1, carry >> 63 & 1)};
}

}  // namespace psim::isa
