// SPDX-License-Identifier: Apache-2.0
// Integer operations and their flags.
#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

void Interpreter::set_logic(std::uint64_t result, unsigned size, bool known) {
  result &= mask(size);
  flags = {.carry = false,
           .zero = result == 0,
           .sign = sign_of(result, size),
           .overflow = false,
           .parity = __builtin_parity(static_cast<unsigned>(result & 0xff)) == 0,
           .known = known};
}

/// Computes one of the eight operations of opcodes 00 to 3F and its flags. Returns false for an unknown
/// carry.
bool Interpreter::compute(unsigned operation, unsigned size, Value a, Value b, Value& result) {
  const bool carries = operation == kAdc || operation == kSbb;
  if (carries && !flags.known) return false;
  const bool carry = carries && flags.carry;
  const std::uint64_t x = a.bits & mask(size), y = b.bits & mask(size);
  result.known = a.known && b.known;
  switch (operation) {
    case kOr:
      result.bits = x | y;
      set_logic(result.bits, size, result.known);
      return true;
    case kAnd:
      result.bits = x & y;
      set_logic(result.bits, size, result.known);
      return true;
    case kXor:
      result.bits = x ^ y;
      set_logic(result.bits, size, result.known);
      return true;
    case kAdd:
    case kAdc: {
      const std::uint64_t sum = (x + y + carry) & mask(size);
      set_logic(sum, size, result.known);
      flags.carry = carry ? sum <= x : sum < x;
      flags.overflow = sign_of(~(x ^ y) & (x ^ sum), size);
      result.bits = sum;
      return true;
    }
    default: {
      const std::uint64_t difference = (x - y - carry) & mask(size);
      set_logic(difference, size, result.known);
      flags.carry = carry ? x <= y : x < y;
      flags.overflow = sign_of((x ^ y) & (x ^ difference), size);
      result.bits = difference;
      return true;
    }
  }
}

bool Interpreter::condition(unsigned code, bool& holds) const {
  if (!flags.known) return false;
  switch (code >> 1) {
    case 0:
      holds = flags.overflow;
      break;
    case 1:
      holds = flags.carry;
      break;
    case 2:
      holds = flags.zero;
      break;
    case 3:
      holds = flags.carry || flags.zero;
      break;
    case 4:
      holds = flags.sign;
      break;
    case 5:
      holds = flags.parity;
      break;
    case 6:
      holds = flags.sign != flags.overflow;
      break;
    default:
      holds = flags.zero || flags.sign != flags.overflow;
  }
  holds ^= (code & 1) != 0;
  return true;
}

bool Interpreter::shift(const Instruction& code, Value by) {
  const unsigned size = code.size;
  if (!by.known) return false;
  const auto count = static_cast<unsigned>(by.bits & (size == 8 ? 63 : 31));
  Value value;
  if (!read(code.rm, size, value)) return false;
  if (count == 0) return write(code.rm, size, value);
  const unsigned bits = 8 * size;
  std::uint64_t result;
  bool carry;
  switch (code.detail) {
    case 0:  // rol
      result = (value.bits << count % bits | (count % bits != 0 ? value.bits >> (bits - count % bits) : 0)) &
               mask(size);
      flags.known &= value.known;
      flags.carry = (result & 1) != 0;
      return count <= bits && write(code.rm, size, {result, value.known});
    case 1:  // ror
      result = (value.bits >> count % bits | (count % bits != 0 ? value.bits << (bits - count % bits) : 0)) &
               mask(size);
      flags.known &= value.known;
      flags.carry = sign_of(result, size);
      return count <= bits && write(code.rm, size, {result, value.known});
    case 4:
    case 6:
      if (count > bits) return false;
      carry = (value.bits >> (bits - count) & 1) != 0;
      result = count == bits ? 0 : value.bits << count & mask(size);
      break;
    case 5:
      if (count > bits) return false;
      carry = (value.bits >> (count - 1) & 1) != 0;
      result = count == 64 ? 0 : value.bits >> count;
      break;
    case 7: {
      if (count > bits) return false;
      const auto whole = static_cast<std::int64_t>(extend(value.bits, size));
      carry = (whole >> (count - 1) & 1) != 0;
      result = static_cast<std::uint64_t>(whole >> (count == 64 ? 63 : count)) & mask(size);
      break;
    }
    default:
      return false;
  }
  set_logic(result, size, value.known);
  flags.carry = carry;
  return write(code.rm, size, {result, value.known});
}

bool Interpreter::test_bit(const Instruction& code, Value bit) {
  const Value value = get(code.rm.number, code.size);
  flags.carry = (value.bits >> (bit.bits % (8u * code.size)) & 1) != 0;
  flags.known &= value.known && bit.known;
  return true;
}

void Interpreter::multiply(const Instruction& code, Value a, Value b) {
  set(code.reg, code.size, {extend(a.bits, code.size) * extend(b.bits, code.size), a.known && b.known});
  flags.known = false;
}

void Interpreter::multiply_wide(const Instruction& code, Value by) {
  const unsigned size = code.size;
  const Value other = get(rax, size);
  const auto product = code.detail != 0
                           ? static_cast<unsigned __int128>(
                                 static_cast<__int128>(static_cast<std::int64_t>(extend(by.bits, size))) *
                                 static_cast<std::int64_t>(extend(other.bits, size)))
                           : static_cast<unsigned __int128>(by.bits) * other.bits;
  const bool known = by.known && other.known;
  set(rax, size, {static_cast<std::uint64_t>(product), known});
  set(rdx, size, {static_cast<std::uint64_t>(product >> 8 * size), known});
  flags.known = false;
}

bool Interpreter::divide(const Instruction& code, Value by) {
  const unsigned size = code.size;
  const bool is_signed = code.detail != 0;
  const Value low = get(rax, size), high = get(rdx, size);
  if (!by.known || !low.known || !high.known || by.bits == 0) return false;
  // Refuses a dividend that needs its upper half.
  const std::uint64_t divisor = is_signed ? extend(by.bits, size) : by.bits;
  const std::uint64_t dividend = is_signed ? extend(low.bits, size) : low.bits;
  const std::uint64_t upper = is_signed && sign_of(low.bits, size) ? mask(size) : 0;
  if (high.bits != upper || (is_signed && divisor == ~std::uint64_t{0})) return false;
  const auto quotient = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(dividend) /
                                                               static_cast<std::int64_t>(divisor))
                                  : dividend / divisor;
  set(rax, size, {quotient});
  set(rdx, size, {dividend - quotient * divisor});
  flags.known = false;
  return true;
}

}  // namespace psim::net::spin
