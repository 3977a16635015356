// SPDX-License-Identifier: Apache-2.0
// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
#include "ranks/spin/interpreter.h"

#include <dlfcn.h>

#include <array>
#include <bit>

#include "ranks/spin/decoded.h"

namespace psim::net::spin {

namespace {

/// Addresses of functions in the C library, as programs call them.
struct LibraryCode {
  std::uint64_t memset = find("memset"), memcpy = find("memcpy"), memmove = find("memmove");

  static std::uint64_t find(const char* name) {
    return reinterpret_cast<std::uint64_t>(::dlsym(RTLD_DEFAULT, name));
  }
};
const LibraryCode kLibrary;  // looked up at the start: a signal handler must not

constexpr std::uint64_t kMostBytes = 512;  // of a call of memset, memcpy or memmove

}  // namespace

/// Executes memset(rdi, esi, rdx).
bool Interpreter::fill() {
  const std::uint64_t to = registers[rdi].bits, size = registers[rdx].bits;
  if (!registers[rdi].known || !registers[rdx].known || size > kMostBytes) return false;
  for (std::uint64_t i = 0; i < size; ++i)
    if (!store(to + i, 1, {registers[rsi].bits & 0xff, registers[rsi].known})) return false;
  return leave();
}

/// Executes memmove(rdi, rsi, rdx), or memcpy.
bool Interpreter::move() {
  const std::uint64_t to = registers[rdi].bits, from = registers[rsi].bits, size = registers[rdx].bits;
  if (!registers[rdi].known || !registers[rsi].known || !registers[rdx].known || size > kMostBytes)
    return false;
  std::array<Value, kMostBytes> bytes;
  for (std::uint64_t i = 0; i < size; ++i)
    if (!load(from + i, 1, bytes[i])) return false;
  for (std::uint64_t i = 0; i < size; ++i)
    if (!store(to + i, 1, bytes[i])) return false;
  return leave();
}

/// Returns from a function whose result is its first argument. The registers that it may change become
/// unknown.
bool Interpreter::leave() {
  registers[rax] = registers[rdi];
  for (const Register one : {rcx, rdx, rsi, rdi, r8, r9, r10, r11}) registers[one].known = false;
  for (auto& vector : vectors) vector.fill({0, false});
  flags.known = false;
  Value to;
  if (!pop(to) || !to.known) return false;
  pc = to.bits;
  return true;
}

bool Interpreter::step() {
  constexpr std::uint64_t kFirstPage = 4096;  // no code is below it
  if (pc < kFirstPage) return false;
  if (pc == kLibrary.memset) return fill();
  if (pc == kLibrary.memcpy || pc == kLibrary.memmove) return move();
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
  const unsigned size = (opcode & 1) != 0 ? code.size() : 1;  // for opcodes with two sizes
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
    // A register xor itself or minus itself is 0 for every value.
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
      if ((opcode & 1) == 0) return false;  // byte operands
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
        flags.carry = carry;  // inc and dec do not change it
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
      code.modrm(registers);  // prefetches, hints; an unknown address does not matter
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

}  // namespace psim::net::spin
