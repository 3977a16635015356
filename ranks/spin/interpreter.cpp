// SPDX-License-Identifier: Apache-2.0
#include "ranks/spin/interpreter.h"

#include <dlfcn.h>

#include <array>

#include "ranks/spin/instruction_cache.h"
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

InstructionCache instructions;  // of the code of all ranks; one rank at a time is examined

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

/// Continues at an address that may be that of a function of the C library.
bool Interpreter::go_to(Value address) {
  if (!address.known) return false;
  pc = address.bits;
  if (pc == kLibrary.memset) return fill();
  return (pc != kLibrary.memcpy && pc != kLibrary.memmove) || move();
}

bool Interpreter::step() {
  constexpr std::uint64_t kFirstPage = 4096;  // no code is below it
  if (pc < kFirstPage) return false;
  const Instruction* const code = instructions.find(pc);
  if (code == nullptr) return false;
  pc += code->length;
  registers[rip].bits = pc;
  return execute(*code);
}

bool Interpreter::execute(const Instruction& code) {
  const unsigned size = code.size;
  Value a, b, result;
  bool holds = false;
  switch (code.action) {
    case Action::Nothing:
      return true;
    case Action::Compute:
      if (!read(code.rm, size, a)) return false;
      if (!compute(code.detail, size, a, get(code.reg, size), result)) return false;
      return code.detail == kCmp || write(code.rm, size, result);
    case Action::ComputeRegister:
      if (!read(code.rm, size, a)) return false;
      if (!compute(code.detail, size, get(code.reg, size), a, result)) return false;
      if (code.detail != kCmp) set(code.reg, size, result);
      return true;
    case Action::ComputeImmediate:
      if (!read(code.rm, size, a)) return false;
      if (!compute(code.detail, size, a, {code.immediate}, result)) return false;
      return code.detail == kCmp || write(code.rm, size, result);
    case Action::Clear:
      set_logic(0, size, true);
      set(code.reg, size, {0});
      return true;
    case Action::Test:
      return read(code.rm, size, a) && compute(kAnd, size, a, get(code.reg, size), result);
    case Action::TestImmediate:
      return read(code.rm, size, a) && compute(kAnd, size, a, {code.immediate}, result);
    case Action::Increment: {
      if (!read(code.rm, size, a)) return false;
      const bool carry = flags.carry, known = flags.known;
      if (!compute(code.detail, size, a, {1}, result)) return false;
      flags.carry = carry;  // inc and dec do not change it
      flags.known &= known;
      return write(code.rm, size, result);
    }
    case Action::Not:
      return read(code.rm, size, a) && write(code.rm, size, {~a.bits & mask(size), a.known});
    case Action::Negate:
      return read(code.rm, size, a) && compute(kSub, size, {0}, a, result) && write(code.rm, size, result);
    case Action::Multiply:
      if (!read(code.rm, size, a)) return false;
      multiply(code, a, get(code.reg, size));
      return true;
    case Action::MultiplyImmediate:
      if (!read(code.rm, size, a)) return false;
      multiply(code, a, {code.immediate});
      return true;
    case Action::MultiplyWide:
      if (!read(code.rm, size, a)) return false;
      multiply_wide(code, a);
      return true;
    case Action::Divide:
      return read(code.rm, size, a) && divide(code, a);
    case Action::ShiftImmediate:
      return shift(code, {code.immediate & 0xff});
    case Action::ShiftByCl:
      return shift(code, get(rcx, 4));
    case Action::TestBit:
      return test_bit(code, get(code.reg, size));
    case Action::TestBitImmediate:
      return test_bit(code, {code.immediate & 0xff});
    case Action::ByteSwap: {
      Value& value = registers[code.reg];
      value.bits = size == 8 ? __builtin_bswap64(value.bits)
                             : __builtin_bswap32(static_cast<std::uint32_t>(value.bits));
      return true;
    }
    case Action::MoveToOperand:
      return write(code.rm, size, get(code.reg, size));
    case Action::MoveToRegister:
      if (!read(code.rm, size, a)) return false;
      set(code.reg, size, a);
      return true;
    case Action::MoveImmediate:
      return write(code.rm, size, {code.immediate});
    case Action::MoveIf:
      if (!read(code.rm, size, a) || !condition(code.detail, holds)) return false;
      set(code.reg, size, holds ? a : get(code.reg, size));
      return true;
    case Action::SetIf:
      result.known = condition(code.detail, holds);
      result.bits = holds;
      return write(code.rm, 1, result);
    case Action::ZeroExtend:
      if (!read(code.rm, code.detail, a)) return false;
      set(code.reg, size, a);
      return true;
    case Action::SignExtend:
      if (!read(code.rm, code.detail, a)) return false;
      set(code.reg, size, {extend(a.bits, code.detail), a.known});
      return true;
    case Action::ExtendAccumulator:
      a = get(rax, size / 2);
      set(rax, size, {extend(a.bits, size / 2), a.known});
      return true;
    case Action::SignOfAccumulator:
      a = get(rax, size);
      set(rdx, size, {sign_of(a.bits, size) ? ~std::uint64_t{0} : 0, a.known});
      return true;
    case Action::LoadAddress:
      set(code.reg, size, address_of(code.rm));
      return true;
    case Action::Exchange:
      if (!read(code.rm, size, a)) return false;
      b = get(code.reg, size);
      if (!write(code.rm, size, b)) return false;
      set(code.reg, size, a);
      return true;
    case Action::ExchangeAdd:
      if (!read(code.rm, size, a)) return false;
      if (!compute(kAdd, size, a, get(code.reg, size), result)) return false;
      if (!code.rm.memory) set(code.reg, size, a);
      if (!write(code.rm, size, result)) return false;
      if (code.rm.memory) set(code.reg, size, a);
      return true;
    case Action::CompareExchange:
      if (!read(code.rm, size, a)) return false;
      if (!compute(kCmp, size, get(rax, size), a, result) || !flags.known) return false;
      if (flags.zero) return write(code.rm, size, get(code.reg, size));
      set(rax, size, a);
      return true;
    case Action::Push:
      return push(registers[code.reg]);
    case Action::PushOperand:
      return read(code.rm, 8, a) && push(a);
    case Action::PushImmediate:
      return push({code.immediate});
    case Action::Pop:
      return pop(registers[code.reg]);
    case Action::Leave:
      registers[rsp] = registers[rbp];
      return pop(registers[rbp]);
    case Action::JumpIf:
      if (!condition(code.detail, holds)) return false;
      if (holds) pc += code.immediate;
      return true;
    case Action::Jump:
      pc += code.immediate;
      return true;
    case Action::JumpOperand:
      return read(code.rm, 8, a) && go_to(a);
    case Action::Call:
      if (!push({pc})) return false;
      pc += code.immediate;
      return true;
    case Action::CallOperand:
      return read(code.rm, 8, a) && push({pc}) && go_to(a);
    case Action::Return:
      if (!pop(a) || !a.known) return false;
      pc = a.bits;
      return true;
    default:
      return execute_vector(code);
  }
}

}  // namespace psim::net::spin
