// SPDX-License-Identifier: Apache-2.0
// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
#include "netsim/ranks/spin/interpreter.h"

#include <bit>
#include <cstring>

namespace psim::net::spin {
namespace {

constexpr std::uint64_t mask(unsigned size) {
  return size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
}
constexpr bool sign_of(std::uint64_t value, unsigned size) { return (value >> (8 * size - 1) & 1) != 0; }
constexpr std::uint64_t extend(std::uint64_t value, unsigned size) {
  value &= mask(size);
  return sign_of(value, size) ? value | ~mask(size) : value;
}

enum Operation : unsigned { kAdd, kOr, kAdc, kSbb, kAnd, kSub, kXor, kCmp };

std::uint64_t thread_pointer() {
  std::uint64_t base;
  asm("mov %%fs:0, %0" : "=r"(base));  // the first word of a thread's block is its own address
  return base;
}

}  // namespace

[[gnu::no_sanitize_address]] std::uint64_t in_memory(std::uint64_t address) {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(address), __ATOMIC_RELAXED);
}

/// A register, or memory at a known address.
struct Interpreter::Operand {
  bool memory = false;
  std::uint8_t number = 0;
  std::uint64_t address = 0;
};

struct Interpreter::Decoded {
  std::uint64_t at = 0;  ///< of the next byte
  bool rex = false, wide = false, narrow = false, repeat = false, repeat_not = false, locked = false,
       of_thread = false;
  std::uint8_t rex_r = 0, rex_x = 0, rex_b = 0;
  std::uint8_t field = 0;  ///< of ModRM: the register, or a further opcode
  Operand operand;         ///< of ModRM

  unsigned size() const { return wide ? 8 : narrow ? 2 : 4; }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    at += sizeof value;
    return value;
  }
  std::uint64_t immediate(unsigned size) {
    switch (size) {
      case 1:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int8_t>()));
      case 2:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int16_t>()));
      default:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int32_t>()));
    }
  }
  /// `immediates`: bytes that follow the operand, for addresses relative to the next instruction.
  bool modrm(const std::array<Value, 16>& registers, unsigned immediates = 0) {
    const auto byte = take<std::uint8_t>();
    const unsigned mode = byte >> 6, low = byte & 7;
    field = static_cast<std::uint8_t>((byte >> 3 & 7) | rex_r);
    if (mode == 3) {
      operand = {false, static_cast<std::uint8_t>(low | rex_b), 0};
      return true;
    }
    std::uint64_t address = 0;
    bool known = true;
    const auto add = [&](unsigned number, unsigned scale) {
      address += registers[number].bits << scale;
      known &= registers[number].known;
    };
    bool relative = false;
    if (low == 4) {
      const auto sib = take<std::uint8_t>();
      const unsigned index = (sib >> 3 & 7u) | rex_x, base = sib & 7u;
      if (index != rsp) add(index, sib >> 6);
      if (base == 5 && mode == 0)
        address += immediate(4);
      else
        add(base | rex_b, 0);
    } else if (low == 5 && mode == 0) {
      address += immediate(4);
      relative = true;
    } else {
      add(low | rex_b, 0);
    }
    if (mode == 1) address += immediate(1);
    if (mode == 2) address += immediate(4);
    if (relative) address += at + immediates;
    if (of_thread) address += thread_pointer();
    operand = {true, 0, address};
    return known;
  }
};

Word* Interpreter::word(std::uint64_t address) {
  for (std::size_t i = count_; i-- > 0;)
    if (words_[i].address == address) return &words_[i];
  if (count_ == kMostWords) return nullptr;
  Word& word = words_[count_++];
  word.address = address;
  word.before = in_memory(address);
  word.now = word.before;
  word.known = word.kept = is_dead(address) ? 0 : 0xff;
  return &word;
}

bool Interpreter::load(std::uint64_t address, unsigned size, Value& value) {
  const unsigned offset = address & 7;
  const Word* low = word(address - offset);
  if (low == nullptr) return false;
  unsigned known = low->known;
  value.bits = low->now >> 8 * offset;
  if (offset + size > 8) {
    const Word* high = word(address - offset + 8);
    if (high == nullptr) return false;
    value.bits |= high->now << (64 - 8 * offset);
    known |= unsigned{high->known} << 8;
  }
  const unsigned bytes = (1u << size) - 1;
  value.known = (known >> offset & bytes) == bytes;
  value.bits &= mask(size);
  return true;
}

bool Interpreter::store(std::uint64_t address, unsigned size, Value value) {
  const unsigned offset = address & 7;
  const auto put = [&](std::uint64_t at, std::uint64_t bits, std::uint64_t which, unsigned bytes) {
    Word* one = word(at);
    if (one == nullptr) return false;
    one->now = (one->now & ~which) | (bits & which);
    one->known = static_cast<std::uint8_t>(value.known ? one->known | bytes : one->known & ~bytes);
    return true;
  };
  const unsigned bytes = ((1u << size) - 1) << offset;
  if (!put(address - offset, value.bits << 8 * offset, mask(size) << 8 * offset, bytes)) return false;
  if (offset + size <= 8) return true;
  return put(address - offset + 8, value.bits >> (64 - 8 * offset), mask(size) >> (64 - 8 * offset),
             bytes >> 8);
}

Value Interpreter::get(const Decoded& code, unsigned number, unsigned size) const {
  if (size == 1 && !code.rex && number >= 4 && number < 8) {  // ah, ch, dh, bh
    const Value value = registers[number - 4];
    return {value.bits >> 8 & 0xff, value.known};
  }
  return {registers[number].bits & mask(size), registers[number].known};
}

void Interpreter::set(const Decoded& code, unsigned number, unsigned size, Value value) {
  if (size == 1 && !code.rex && number >= 4 && number < 8) {
    Value& whole = registers[number - 4];
    whole.bits = (whole.bits & ~std::uint64_t{0xff00}) | (value.bits & 0xff) << 8;
    whole.known &= value.known;
    return;
  }
  Value& whole = registers[number];
  if (size >= 4) {  // results of 32 bits clear the upper half
    whole = {value.bits & mask(size), value.known};
  } else {
    whole.bits = (whole.bits & ~mask(size)) | (value.bits & mask(size));
    whole.known &= value.known;
  }
}

bool Interpreter::read(const Decoded& code, const Operand& operand, unsigned size, Value& value) {
  if (operand.memory) return load(operand.address, size, value);
  value = get(code, operand.number, size);
  return true;
}

bool Interpreter::write(const Decoded& code, const Operand& operand, unsigned size, Value value) {
  if (operand.memory) return store(operand.address, size, value);
  set(code, operand.number, size, value);
  return true;
}

bool Interpreter::push(Value value) {
  if (!registers[rsp].known) return false;
  registers[rsp].bits -= 8;
  return store(registers[rsp].bits, 8, value);
}

bool Interpreter::pop(Value& value) {
  if (!registers[rsp].known || !load(registers[rsp].bits, 8, value)) return false;
  registers[rsp].bits += 8;
  return true;
}

void Interpreter::set_logic(std::uint64_t result, unsigned size, bool known) {
  result &= mask(size);
  flags = {.carry = false,
           .zero = result == 0,
           .sign = sign_of(result, size),
           .overflow = false,
           .parity = std::popcount(result & 0xff) % 2 == 0,
           .known = known};
}

/// The eight operations of the opcodes 00 to 3F and their flags. False: a carry that is unknown.
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

bool Interpreter::shift(Decoded& code, const Operand& to, Value by) {
  const unsigned size = code.size();
  if (!by.known) return false;
  const auto count = static_cast<unsigned>(by.bits & (size == 8 ? 63 : 31));
  Value value;
  if (!read(code, to, size, value)) return false;
  if (count == 0) return write(code, to, size, value);
  const unsigned bits = 8 * size;
  std::uint64_t result;
  bool carry;
  switch (code.field & 7) {
    case 0:  // rol
      result = (value.bits << count % bits | (count % bits != 0 ? value.bits >> (bits - count % bits) : 0)) &
               mask(size);
      flags.known &= value.known;
      flags.carry = (result & 1) != 0;
      return count <= bits && write(code, to, size, {result, value.known});
    case 1:  // ror
      result = (value.bits >> count % bits | (count % bits != 0 ? value.bits << (bits - count % bits) : 0)) &
               mask(size);
      flags.known &= value.known;
      flags.carry = sign_of(result, size);
      return count <= bits && write(code, to, size, {result, value.known});
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
  return write(code, to, size, {result, value.known});
}

/// Opcodes F6, F7: test, not, neg, mul, imul, div, idiv.
bool Interpreter::unary(Decoded& code, std::uint8_t opcode) {
  const unsigned size = opcode == 0xf6 ? 1 : code.size();
  const bool tests = ((*reinterpret_cast<const std::uint8_t*>(code.at) >> 3) & 7) < 2;
  const unsigned immediates = !tests ? 0 : size == 8 ? 4 : size;
  if (!code.modrm(registers, immediates)) return false;
  Value value, result;
  if (!read(code, code.operand, size, value)) return false;
  switch (code.field & 7) {
    case 0:
    case 1:
      return compute(kAnd, size, value, {code.immediate(immediates)}, result);
    case 2:
      return write(code, code.operand, size, {~value.bits & mask(size), value.known});
    case 3:
      return compute(kSub, size, {0}, value, result) && write(code, code.operand, size, result);
    case 4:
    case 5: {
      if (size < 4) return false;
      const bool is_signed = (code.field & 7) == 5;
      const Value other = get(code, rax, size);
      const auto product =
          is_signed ? static_cast<unsigned __int128>(
                          static_cast<__int128>(static_cast<std::int64_t>(extend(value.bits, size))) *
                          static_cast<std::int64_t>(extend(other.bits, size)))
                    : static_cast<unsigned __int128>(value.bits) * other.bits;
      const bool known = value.known && other.known;
      set(code, rax, size, {static_cast<std::uint64_t>(product), known});
      set(code, rdx, size, {static_cast<std::uint64_t>(product >> 8 * size), known});
      flags.known = false;
      return true;
    }
    default:
      return divide(code, size, (code.field & 7) == 7, value);
  }
}

bool Interpreter::divide(const Decoded& code, unsigned size, bool is_signed, Value by) {
  const Value low = get(code, rax, size), high = get(code, rdx, size);
  if (size < 4 || !by.known || !low.known || !high.known || by.bits == 0) return false;
  // A dividend that needs its upper half is left to the processor.
  const std::uint64_t divisor = is_signed ? extend(by.bits, size) : by.bits;
  const std::uint64_t dividend = is_signed ? extend(low.bits, size) : low.bits;
  const std::uint64_t upper = is_signed && sign_of(low.bits, size) ? mask(size) : 0;
  if (high.bits != upper || (is_signed && divisor == ~std::uint64_t{0})) return false;
  const auto quotient = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(dividend) /
                                                               static_cast<std::int64_t>(divisor))
                                  : dividend / divisor;
  set(code, rax, size, {quotient});
  set(code, rdx, size, {dividend - quotient * divisor});
  flags.known = false;
  return true;
}

bool Interpreter::step() {
  constexpr std::uint64_t kFirstPage = 4096;  // where no code is
  if (pc < kFirstPage) return false;
  Decoded code{.at = pc, .operand = {}};
  for (;;) {
    const auto byte = code.take<std::uint8_t>();
    switch (byte) {
      case 0x66:
        code.narrow = true;
        continue;
      case 0xf2:
        code.repeat_not = true;
        continue;
      case 0xf3:
        code.repeat = true;
        continue;
      case 0xf0:
        code.locked = true;
        continue;
      case 0x64:
        code.of_thread = true;
        continue;
      case 0x2e:
      case 0x3e:
        continue;
      default:
        break;
    }
    if ((byte & 0xf0) == 0x40) {
      code.rex = true;
      code.wide = (byte & 8) != 0;
      code.rex_r = static_cast<std::uint8_t>((byte & 4) << 1);
      code.rex_x = static_cast<std::uint8_t>((byte & 2) << 2);
      code.rex_b = static_cast<std::uint8_t>((byte & 1) << 3);
    } else {
      --code.at;
    }
    break;
  }
  if (!execute(code)) return false;
  pc = code.at;
  return true;
}

bool Interpreter::execute(Decoded& code) {
  const auto opcode = code.take<std::uint8_t>();
  const unsigned size = (opcode & 1) != 0 ? code.size() : 1;  // of opcodes that come in two sizes
  Value a, b, result;
  if (opcode < 0x40 && (opcode & 7) < 6) {
    const unsigned operation = opcode >> 3;
    if ((opcode & 7) >= 4) {  // al or eax, immediate
      b.bits = code.immediate(size == 8 ? 4 : size);
      if (!compute(operation, size, get(code, rax, size), b, result)) return false;
      if (operation != kCmp) set(code, rax, size, result);
      return true;
    }
    if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
    const bool to_register = (opcode & 2) != 0;
    b = get(code, code.field, size);
    // A register xor or minus itself is 0 whatever it holds.
    if (!code.operand.memory && code.operand.number == code.field && (operation == kXor || operation == kSub))
      a = b = {0};
    if (!compute(operation, size, to_register ? b : a, to_register ? a : b, result)) return false;
    if (operation == kCmp) return true;
    if (!to_register) return write(code, code.operand, size, result);
    set(code, code.field, size, result);
    return true;
  }
  if ((opcode & 0xf0) == 0x50) {
    const unsigned number = (opcode & 7u) | code.rex_b;
    if (code.narrow) return false;
    if ((opcode & 8) == 0) return push(registers[number]);
    return pop(registers[number]);
  }
  if ((opcode & 0xf0) == 0x70) {
    const std::uint64_t offset = code.immediate(1);
    bool holds = false;
    if (!condition(opcode & 15, holds)) return false;
    if (holds) code.at += offset;
    return true;
  }
  if ((opcode & 0xf0) == 0xb0) {
    const unsigned number = (opcode & 7u) | code.rex_b;
    if ((opcode & 8) == 0)
      set(code, number, 1, {code.take<std::uint8_t>()});
    else if (code.wide)
      set(code, number, 8, {code.take<std::uint64_t>()});
    else
      set(code, number, code.size(), {code.immediate(code.size())});
    return true;
  }
  switch (opcode) {
    case 0x0f:
      return execute_two_byte(code, code.take<std::uint8_t>());
    case 0x63:
      if (!code.modrm(registers) || !read(code, code.operand, 4, a)) return false;
      set(code, code.field, code.size(), {extend(a.bits, 4), a.known});
      return true;
    case 0x68:
      return push({code.immediate(4)});
    case 0x6a:
      return push({code.immediate(1)});
    case 0x69:
    case 0x6b: {
      const unsigned bytes = opcode == 0x6b ? 1 : code.narrow ? 2 : 4;
      if (!code.modrm(registers, bytes) || !read(code, code.operand, code.size(), a)) return false;
      set(code, code.field, code.size(), {extend(a.bits, code.size()) * code.immediate(bytes), a.known});
      flags.known = false;
      return true;
    }
    case 0x80:
    case 0x81:
    case 0x83: {
      const unsigned bytes = opcode == 0x81 ? (code.narrow ? 2 : 4) : 1;
      if (!code.modrm(registers, bytes) || !read(code, code.operand, size, a)) return false;
      b.bits = code.immediate(bytes);
      if (!compute(code.field & 7, size, a, b, result)) return false;
      return (code.field & 7) == kCmp || write(code, code.operand, size, result);
    }
    case 0x84:
    case 0x85:
      if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
      return compute(kAnd, size, a, get(code, code.field, size), result);
    case 0x86:
    case 0x87:
      if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
      b = get(code, code.field, size);
      set(code, code.field, size, a);
      return write(code, code.operand, size, b);
    case 0x88:
    case 0x89:
      return code.modrm(registers) && write(code, code.operand, size, get(code, code.field, size));
    case 0x8a:
    case 0x8b:
      if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
      set(code, code.field, size, a);
      return true;
    case 0x8d: {
      const bool known = code.modrm(registers);
      if (!code.operand.memory || code.of_thread) return false;
      set(code, code.field, code.size(), {code.operand.address, known});
      return true;
    }
    case 0x90:
      return code.rex_b == 0;  // nop, pause
    case 0x98:
      a = get(code, rax, code.size() / 2);
      set(code, rax, code.size(), {extend(a.bits, code.size() / 2), a.known});
      return true;
    case 0x99:
      a = get(code, rax, code.size());
      set(code, rdx, code.size(), {sign_of(a.bits, code.size()) ? ~std::uint64_t{0} : 0, a.known});
      return true;
    case 0xa8:
    case 0xa9:
      b.bits = code.immediate(size == 8 ? 4 : size);
      return compute(kAnd, size, get(code, rax, size), b, result);
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: {
      if ((opcode & 1) == 0) return false;  // of bytes
      const bool immediate = opcode < 0xd0;
      if (!code.modrm(registers, immediate ? 1 : 0)) return false;
      return shift(code, code.operand,
                   immediate       ? Value{code.immediate(1) & 0xff}
                   : opcode < 0xd2 ? Value{1}
                                   : get(code, rcx, 4));
    }
    case 0xc3:
      if (!pop(a) || !a.known) return false;
      code.at = a.bits;
      return true;
    case 0xc6:
    case 0xc7: {
      const unsigned bytes = size == 8 ? 4 : size;
      if (!code.modrm(registers, bytes) || (code.field & 7) != 0) return false;
      return write(code, code.operand, size, {code.immediate(bytes)});
    }
    case 0xc9:
      registers[rsp] = registers[rbp];
      return pop(registers[rbp]);
    case 0xe8: {
      const std::uint64_t offset = code.immediate(4);
      if (!push({code.at})) return false;
      code.at += offset;
      return true;
    }
    case 0xe9: {
      const std::uint64_t offset = code.immediate(4);
      code.at += offset;
      return true;
    }
    case 0xeb: {
      const std::uint64_t offset = code.immediate(1);
      code.at += offset;
      return true;
    }
    case 0xf6:
    case 0xf7:
      return unary(code, opcode);
    case 0xfe:
    case 0xff: {
      if (!code.modrm(registers)) return false;
      const unsigned what = code.field & 7;
      if (what < 2) {
        if (!read(code, code.operand, size, a)) return false;
        const bool carry = flags.carry, known = flags.known;
        if (!compute(what == 0 ? kAdd : kSub, size, a, {1}, result)) return false;
        flags.carry = carry;  // inc and dec leave it as it is
        flags.known &= known;
        return write(code, code.operand, size, result);
      }
      if (opcode == 0xfe || code.narrow || (what != 2 && what != 4 && what != 6)) return false;
      if (!read(code, code.operand, 8, a)) return false;
      if (what == 6) return push(a);
      if (!a.known || (what == 2 && !push({code.at}))) return false;
      code.at = a.bits;
      return true;
    }
    default:
      return false;
  }
}

bool Interpreter::execute_two_byte(Decoded& code, std::uint8_t opcode) {
  const unsigned size = code.size();
  Value a, result;
  bool holds = false;
  if ((opcode & 0xf0) == 0x80) {
    const std::uint64_t offset = code.immediate(4);
    if (!condition(opcode & 15, holds)) return false;
    if (holds) code.at += offset;
    return true;
  }
  if ((opcode & 0xf0) == 0x40) {
    if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
    if (!condition(opcode & 15, holds)) return false;
    set(code, code.field, size, holds ? a : get(code, code.field, size));
    return true;
  }
  if ((opcode & 0xf0) == 0x90) {
    if (!code.modrm(registers)) return false;
    result.known = condition(opcode & 15, holds);
    result.bits = holds;
    return write(code, code.operand, 1, result);
  }
  if ((opcode & 0xf8) == 0xc8) {  // bswap
    Value& value = registers[(opcode & 7u) | code.rex_b];
    value.bits =
        code.wide ? __builtin_bswap64(value.bits) : __builtin_bswap32(static_cast<std::uint32_t>(value.bits));
    return !code.narrow;
  }
  switch (opcode) {
    case 0x0d:
    case 0x18:
    case 0x19:
    case 0x1e:  // endbr64
    case 0x1f:
      code.modrm(registers);  // prefetches, hints; an address that is unknown does not matter
      return true;
    case 0xa3:
    case 0xba: {  // bt
      if (!code.modrm(registers, opcode == 0xba ? 1 : 0) || code.operand.memory ||
          (opcode == 0xba && (code.field & 7) != 4))
        return false;
      const Value bit = opcode == 0xba ? Value{code.immediate(1) & 0xff} : get(code, code.field, size);
      a = get(code, code.operand.number, size);
      flags.carry = (a.bits >> (bit.bits % (8 * size)) & 1) != 0;
      flags.known &= a.known && bit.known;
      return true;
    }
    case 0xae:  // lfence, mfence, sfence
      return *reinterpret_cast<const std::uint8_t*>(code.at) >= 0xe8 && !code.repeat && !code.narrow &&
             code.modrm(registers);
    case 0xaf:
      if (!code.modrm(registers) || !read(code, code.operand, size, a)) return false;
      result = get(code, code.field, size);
      set(code, code.field, size,
          {extend(a.bits, size) * extend(result.bits, size), a.known && result.known});
      flags.known = false;
      return true;
    case 0xb0:
    case 0xb1: {  // cmpxchg
      const unsigned bytes = opcode == 0xb0 ? 1 : size;
      if (!code.modrm(registers) || !read(code, code.operand, bytes, a)) return false;
      if (!compute(kCmp, bytes, get(code, rax, bytes), a, result) || !flags.known) return false;
      if (flags.zero) return write(code, code.operand, bytes, get(code, code.field, bytes));
      set(code, rax, bytes, a);
      return true;
    }
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: {
      const unsigned from = (opcode & 1) != 0 ? 2 : 1;
      if (!code.modrm(registers) || !read(code, code.operand, from, a)) return false;
      if (opcode >= 0xbe) a.bits = extend(a.bits, from);
      set(code, code.field, size, a);
      return true;
    }
    case 0xc0:
    case 0xc1: {  // xadd
      const unsigned bytes = opcode == 0xc0 ? 1 : size;
      if (!code.modrm(registers) || !read(code, code.operand, bytes, a)) return false;
      if (!compute(kAdd, bytes, a, get(code, code.field, bytes), result)) return false;
      set(code, code.field, bytes, a);
      return write(code, code.operand, bytes, result);
    }
    default:
      return execute_vector(code, opcode);
  }
}

bool Interpreter::execute_vector(Decoded& code, std::uint8_t opcode) {
  const bool plain = !code.narrow && !code.repeat && !code.repeat_not;
  const auto load_whole = [&](std::array<Value, 2>& to) {
    if (!code.operand.memory) {
      to = vectors[code.operand.number];
      return true;
    }
    return load(code.operand.address, 8, to[0]) && load(code.operand.address + 8, 8, to[1]);
  };
  const auto store_whole = [&](const std::array<Value, 2>& from) {
    if (!code.operand.memory) {
      vectors[code.operand.number] = from;
      return true;
    }
    return store(code.operand.address, 8, from[0]) && store(code.operand.address + 8, 8, from[1]);
  };
  /// The low `size` bytes of the operand, which may be a vector register.
  const auto load_low = [&](unsigned size, Value& value) {
    if (code.operand.memory) return load(code.operand.address, size, value);
    value = vectors[code.operand.number][0];
    value.bits &= mask(size);
    return true;
  };
  if (!code.modrm(registers)) return false;
  auto& own = vectors[code.field];
  Value value;
  switch (opcode) {
    case 0x10:
    case 0x28:
    case 0x6f:
      if (opcode == 0x10 && (code.repeat || code.repeat_not)) {  // movss, movsd
        const unsigned size = code.repeat ? 4 : 8;
        if (!load_low(size, value)) return false;
        if (code.operand.memory) {
          own = {value, Value{0}};
        } else {
          own[0].bits = (own[0].bits & ~mask(size)) | value.bits;
          own[0].known = value.known && (own[0].known || size == 8);
        }
        return true;
      }
      return (opcode != 0x6f || code.narrow || code.repeat) && load_whole(own);
    case 0x11:
    case 0x29:
    case 0x7f:
      if (opcode == 0x11 && (code.repeat || code.repeat_not)) {
        const unsigned size = code.repeat ? 4 : 8;
        return code.operand.memory && store(code.operand.address, size, own[0]);
      }
      return (opcode != 0x7f || code.narrow || code.repeat) && store_whole(own);
    case 0x12:
    case 0x13:
    case 0x16:
    case 0x17: {  // movlps, movhps
      if (!code.operand.memory || code.repeat || code.repeat_not) return false;
      Value& half = own[opcode >= 0x16 ? 1 : 0];
      return (opcode & 1) == 0 ? load(code.operand.address, 8, half) : store(code.operand.address, 8, half);
    }
    case 0x2e:
    case 0x2f: {  // ucomiss, ucomisd, comiss, comisd
      if (code.repeat || code.repeat_not || !load_low(code.narrow ? 8 : 4, value)) return false;
      const double x = code.narrow ? std::bit_cast<double>(own[0].bits)
                                   : std::bit_cast<float>(static_cast<std::uint32_t>(own[0].bits));
      const double y = code.narrow ? std::bit_cast<double>(value.bits)
                                   : std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
      const bool unordered = __builtin_isunordered(x, y);
      flags = {.carry = unordered || x < y,
               .zero = unordered || !(__builtin_isgreater(x, y) || __builtin_isless(x, y)),
               .sign = false,
               .overflow = false,
               .parity = unordered,
               .known = own[0].known && value.known};
      return true;
    }
    case 0x57:
    case 0xef:  // xorps, xorpd, pxor
      if ((opcode == 0x57 ? code.repeat || code.repeat_not : !code.narrow) || code.operand.memory ||
          code.operand.number != code.field)
        return false;
      own = {Value{0}, Value{0}};
      return true;
    case 0x6c: {  // punpcklqdq
      std::array<Value, 2> other;
      if (!code.narrow || !load_whole(other)) return false;
      own[1] = other[0];
      return true;
    }
    case 0x6e:
      if (!code.narrow || !read(code, code.operand, code.wide ? 8 : 4, value)) return false;
      own = {value, Value{0}};
      return true;
    case 0x7e:
      if (code.repeat) {  // movq from the low half
        if (!load_low(8, value)) return false;
        own = {value, Value{0}};
        return true;
      }
      return code.narrow && write(code, code.operand, code.wide ? 8 : 4, own[0]);
    case 0xd6:
      if (!code.narrow || plain) return false;
      if (code.operand.memory) return store(code.operand.address, 8, own[0]);
      vectors[code.operand.number] = {own[0], Value{0}};
      return true;
    default:
      return false;
  }
}

}  // namespace psim::net::spin
