// SPDX-License-Identifier: Apache-2.0
// A guest with one page of code, a page of data and a stack, and instruction words encoded by hand
// (V9 manual, 6.3).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "isa/exec/executor.h"

namespace psim::isa::bench {

using Word = std::uint32_t;

constexpr Word op3_word(Word op, Word op3, Word rd, Word rs1, Word operand) {
  return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | operand;
}
constexpr Word imm(int value) { return 1u << 13 | (static_cast<Word>(value) & 0x1fff); }
constexpr Word reg(Word number) { return number; }

constexpr Word g(Word n) { return n; }
constexpr Word o(Word n) { return 8 + n; }
constexpr Word l(Word n) { return 16 + n; }
constexpr Word i(Word n) { return 24 + n; }
constexpr Word kSp = 14, kFp = 30;

constexpr Word add(Word rd, Word rs1, Word operand) { return op3_word(2, 0x00, rd, rs1, operand); }
constexpr Word addcc(Word rd, Word rs1, Word operand) { return op3_word(2, 0x10, rd, rs1, operand); }
constexpr Word sub(Word rd, Word rs1, Word operand) { return op3_word(2, 0x04, rd, rs1, operand); }
constexpr Word subcc(Word rd, Word rs1, Word operand) { return op3_word(2, 0x14, rd, rs1, operand); }
constexpr Word orcc(Word rd, Word rs1, Word operand) { return op3_word(2, 0x12, rd, rs1, operand); }
constexpr Word cmp(Word rs1, Word operand) { return subcc(0, rs1, operand); }
constexpr Word mov(Word rd, Word operand) { return op3_word(2, 0x02, rd, 0, operand); }
constexpr Word save(Word rd, Word rs1, Word operand) { return op3_word(2, 0x3c, rd, rs1, operand); }
constexpr Word restore(Word rd, Word rs1, Word operand) { return op3_word(2, 0x3d, rd, rs1, operand); }
constexpr Word flushw() { return op3_word(2, 0x2b, 0, 0, 0); }
constexpr Word jmpl(Word rd, Word rs1, Word operand) { return op3_word(2, 0x38, rd, rs1, operand); }
constexpr Word return_(Word rs1, Word operand) { return op3_word(2, 0x39, 0, rs1, operand); }
constexpr Word ldx(Word rd, Word rs1, Word operand) { return op3_word(3, 0x0b, rd, rs1, operand); }
constexpr Word lduw(Word rd, Word rs1, Word operand) { return op3_word(3, 0x00, rd, rs1, operand); }
constexpr Word stx(Word rd, Word rs1, Word operand) { return op3_word(3, 0x0e, rd, rs1, operand); }
constexpr Word stw(Word rd, Word rs1, Word operand) { return op3_word(3, 0x04, rd, rs1, operand); }
constexpr Word ta(int number) { return op3_word(2, 0x3a, 8, 0, imm(number)); }
constexpr Word nop() { return 0x01000000; }
constexpr Word illtrap() { return 0; }
enum Cond : Word {
  kN = 0,
  kE = 1,
  kLe = 2,
  kL = 3,
  kLeu = 4,
  kCs = 5,
  kNeg = 6,
  kVs = 7,
  kA = 8,
  kNe = 9,
  kG = 10,
  kGe = 11,
  kGu = 12,
  kCc = 13,
  kPos = 14,
  kVc = 15
};
/// Encodes a Bicc that branches by `words` instructions from itself.
constexpr Word b(Cond cond, int words, bool annul = false) {
  return Word{annul} << 29 | cond << 25 | 2u << 22 | (static_cast<Word>(words) & 0x3fffff);
}
/// Encodes a Bpcc on %xcc.
constexpr Word bx(Cond cond, int words, bool annul = false) {
  return Word{annul} << 29 | cond << 25 | 1u << 22 | 2u << 20 | 1u << 19 |
         (static_cast<Word>(words) & 0x7ffff);
}
/// Encodes a Bpr: 1 z, 2 lez, 3 lz, 5 nz, 6 gz, 7 gez.
constexpr Word br(Word rcond, Word rs1, int words, bool annul = false) {
  const Word d = static_cast<Word>(words);
  return Word{annul} << 29 | rcond << 25 | 3u << 22 | (d >> 14 & 3) << 20 | 1u << 19 | rs1 << 14 |
         (d & 0x3fff);
}
constexpr Word call(int words) { return 1u << 30 | (static_cast<Word>(words) & 0x3fffffff); }

/// Stops at `ta 0` and records faults and software traps.
class Recorder : public Environment {
 public:
  bool software_trap(CpuState& state, unsigned number) override {
    traps.push_back(number);
    trap_pc.push_back(state.pc);
    return number != 0;
  }
  bool fault(CpuState& state, const Fault& fault) override {
    faults.push_back(fault);
    fault_npc = state.npc;
    if (resume == 0) return false;
    state.pc = resume, state.npc = resume + 4;
    return true;
  }
  bool deadline(CpuState& state) override {
    deadlines.push_back(state.instructions);
    return true;
  }
  std::uint64_t tick(const CpuState& state) override { return state.instructions; }

  std::vector<unsigned> traps;
  std::vector<std::uint64_t> trap_pc, deadlines;
  std::vector<Fault> faults;
  std::uint64_t fault_npc = 0, resume = 0;
};

struct Guest {
  static constexpr std::uint64_t kText = 0x100000, kData = 0x200000, kStackTop = 0x800000;

  explicit Guest(const std::vector<Word>& code, std::uint64_t text = kText) {
    memory.map(kText, 8 * GuestMemory::kPageBytes, kRead | kExecute);
    memory.map(kData, 4 * GuestMemory::kPageBytes, kRead | kWrite);
    memory.map(kStackTop - 16 * GuestMemory::kPageBytes, 16 * GuestMemory::kPageBytes, kRead | kWrite);
    put(text, code);
    state().pc = text, state().npc = text + 4;
    state().o(6) = kStackTop - 4096 - 2047;
  }
  void put(std::uint64_t address, const std::vector<Word>& code) {
    for (const Word word : code) {
      const Word raw = big_endian(word);
      memory.copy_in(address, std::as_bytes(std::span{&raw, 1}), kMapped);
      address += 4;
    }
  }
  CpuState& state() { return executor.state(); }
  void run() { executor.run(100'000'000); }

  GuestMemory memory;
  Recorder environment;
  Executor executor{memory, environment, FmaRounding::Fused};
};

}  // namespace psim::isa::bench
