// SPDX-License-Identifier: Apache-2.0
// Decoded x86-64 instructions.
#pragma once

#include <cstdint>

namespace psim::net::spin {

/// General registers. `none` always holds 0, and `rip` the address of the next instruction. A byte operand in
/// ah, ch, dh or bh has the number `high_bytes` + 0 to 3.
enum Register : std::uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  none,
  rip,
  high_bytes
};

/// Operations of the opcodes 00 to 3F.
enum Operation : std::uint8_t { kAdd, kOr, kAdc, kSbb, kAnd, kSub, kXor, kCmp };

/// Returns a mask of the lowest `size` bytes.
constexpr std::uint64_t mask(unsigned size) {
  return size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
}
constexpr bool sign_of(std::uint64_t value, unsigned size) { return (value >> (8 * size - 1) & 1) != 0; }
constexpr std::uint64_t extend(std::uint64_t value, unsigned size) {
  value &= mask(size);
  return sign_of(value, size) ? value | ~mask(size) : value;
}

/// Kinds of instructions. `rm` is the operand that may be in memory, `reg` the other one.
enum class Action : std::uint8_t {
  Nothing,           ///< no effect on registers or memory: nop, prefetch, fence
  Compute,           ///< rm = rm `detail` reg
  ComputeRegister,   ///< reg = reg `detail` rm
  ComputeImmediate,  ///< rm = rm `detail` immediate
  Clear,             ///< reg = 0 with the flags of xor, for a register xor itself or minus itself
  Test,              ///< flags of rm & reg
  TestImmediate,     ///< flags of rm & immediate
  Increment,         ///< rm = rm `detail` 1; the carry stays
  Not,
  Negate,
  Multiply,           ///< reg = reg * rm
  MultiplyImmediate,  ///< reg = rm * immediate
  MultiplyWide,       ///< rdx:rax = rax * rm; signed if `detail`
  Divide,             ///< rdx:rax by rm; signed if `detail`
  ShiftImmediate,     ///< `detail`: as field of the opcode
  ShiftByCl,
  TestBit,  ///< of a register, by reg
  TestBitImmediate,
  ByteSwap,  ///< of reg
  MoveToOperand,
  MoveToRegister,
  MoveImmediate,  ///< to rm
  MoveIf,         ///< to reg, on condition `detail`
  SetIf,
  ZeroExtend,  ///< from `detail` bytes
  SignExtend,
  ExtendAccumulator,  ///< cbw, cwde, cdqe
  SignOfAccumulator,  ///< cwd, cdq, cqo
  LoadAddress,
  Exchange,
  ExchangeAdd,
  CompareExchange,
  Push,  ///< reg
  PushOperand,
  PushImmediate,
  Pop,  ///< to reg
  Leave,
  Jump,    ///< by `immediate`
  JumpIf,  ///< by `immediate`, on condition `detail`
  JumpOperand,
  Call,
  CallOperand,
  Return,
  // of vector registers
  MoveVectorToRegister,
  MoveVectorToOperand,
  MoveScalarToRegister,
  MoveScalarToOperand,
  MoveHalfToRegister,  ///< half `detail`
  MoveHalfToOperand,
  MoveLowToRegister,  ///< reg = the low half of rm, which is a vector register or memory
  MoveLowToOperand,
  MoveGeneralToVector,
  MoveVectorToGeneral,
  CompareScalars,
  ClearVector,
  UnpackLow,
};

/// A register, or memory at base + (index << scale) + displacement.
struct Operand {
  std::uint64_t displacement = 0;
  bool memory = false;
  bool of_thread = false;  ///< relative to the thread's block, the base of segment FS
  std::uint8_t number = 0;
  std::uint8_t base = 0, index = 0, scale = 0;
};

/// A decoded instruction, the same for each copy of the code.
struct Instruction {
  Operand rm;
  std::uint64_t immediate = 0;  ///< of jumps and calls: relative to the next instruction
  Action action = Action::Nothing;
  std::uint8_t size = 0;  ///< bytes of operands
  std::uint8_t detail = 0;
  std::uint8_t reg = 0;
  std::uint8_t length = 0;  ///< bytes of the instruction
};

/// Decodes the instruction at `pc`. Returns false for instructions that are not executed.
bool decode(std::uint64_t pc, Instruction& to);

}  // namespace psim::net::spin
