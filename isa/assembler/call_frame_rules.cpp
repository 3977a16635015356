// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/call_frame_rules.h"

namespace psim::isa::assembler::frame_rule {
namespace {

constexpr std::uint8_t kAdvance = 0x40, kOffset = 0x80,
                       kRestore = 0xc0;  // a small operand in the lower six bits
constexpr std::uint8_t kAdvance1 = 0x02, kAdvance2 = 0x03, kAdvance4 = 0x04;
constexpr std::uint8_t kOffsetExtended = 0x05, kRestoreExtended = 0x06, kDefCfa = 0x0c, kDefCfaOffset = 0x0e;
constexpr std::uint8_t kOffsetExtendedSigned = 0x11, kDefCfaSigned = 0x12, kDefCfaOffsetSigned = 0x13;
constexpr std::uint8_t kValOffset = 0x14, kValOffsetSigned = 0x15;
constexpr std::uint32_t kSmall = 0x40;

std::string big_endian(std::uint64_t value, unsigned bytes) {
  std::string result;
  while (bytes-- > 0) result += static_cast<char>(value >> (8 * bytes));
  return result;
}

}  // namespace

std::string uleb(std::uint64_t value) {
  std::string result;
  for (; value >= 0x80; value >>= 7) result += static_cast<char>(value | 0x80);
  return result + static_cast<char>(value);
}

std::string sleb(std::int64_t value) {
  std::string result;
  for (;;) {
    const auto low = static_cast<unsigned>(value & 0x7f);
    value >>= 7;
    const bool last = value == ((low & 0x40) != 0 ? -1 : 0);
    result += static_cast<char>(low | (last ? 0u : 0x80u));
    if (last) return result;
  }
}

std::string alone(std::uint8_t rule) { return std::string(1, static_cast<char>(rule)); }
std::string of_register(std::uint8_t rule, std::uint32_t number) { return alone(rule) + uleb(number); }

std::string advance(std::uint64_t instructions) {
  if (instructions < kSmall) return alone(static_cast<std::uint8_t>(kAdvance + instructions));
  if (instructions <= 0xff) return alone(kAdvance1) + big_endian(instructions, 1);
  if (instructions <= 0xffff) return alone(kAdvance2) + big_endian(instructions, 2);
  return alone(kAdvance4) + big_endian(instructions, 4);
}

// Offsets that may be negative have a second form, which counts them in units.
std::string def_cfa(std::uint32_t number, std::int64_t offset) {
  if (offset < 0) return of_register(kDefCfaSigned, number) + sleb(offset / kDataAlignment);
  return of_register(kDefCfa, number) + uleb(static_cast<std::uint64_t>(offset));
}
std::string def_cfa_offset(std::int64_t offset) {
  if (offset < 0) return alone(kDefCfaOffsetSigned) + sleb(offset / kDataAlignment);
  return alone(kDefCfaOffset) + uleb(static_cast<std::uint64_t>(offset));
}
std::string offset(std::uint32_t number, std::int64_t units) {
  if (units < 0) return of_register(kOffsetExtendedSigned, number) + sleb(units);
  const std::string distance = uleb(static_cast<std::uint64_t>(units));
  if (number < kSmall) return alone(static_cast<std::uint8_t>(kOffset + number)) + distance;
  return of_register(kOffsetExtended, number) + distance;
}
std::string val_offset(std::uint32_t number, std::int64_t units) {
  if (units < 0) return of_register(kValOffsetSigned, number) + sleb(units);
  return of_register(kValOffset, number) + uleb(static_cast<std::uint64_t>(units));
}
std::string restore(std::uint32_t number) {
  if (number < kSmall) return alone(static_cast<std::uint8_t>(kRestore + number));
  return of_register(kRestoreExtended, number);
}

unsigned encoded_bytes(std::uint8_t encoding) {
  const unsigned base = encoding & 0x70u;
  if (base != 0 && base != 0x10) return 0;            // absolute, or relative to its own position
  if (base != 0 && (encoding & 0x07) == 2) return 0;  // no relocation
  switch (encoding & 0x07) {
    case 0:  // an address
    case 4:
      return 8;
    case 2:
      return 2;
    case 3:
      return 4;
    default:
      return 0;
  }
}
bool is_pc_relative(std::uint8_t encoding) { return (encoding & 0x70) == 0x10; }

}  // namespace psim::isa::assembler::frame_rule
