// SPDX-License-Identifier: Apache-2.0
// For tests: a guest on a core with PEs, and instruction words of the extension encoded by hand.
#pragma once

#include "isa/exec/testing/bench_guest.h"
#include "isa/state/simd_state.h"

namespace psim::isa::bench {

constexpr Word simd_on() { return op3_word(2, 0x30, 8, 0, imm(1)); }
constexpr Word simd_off() { return op3_word(2, 0x30, 8, 0, imm(0)); }
/// Encodes a double register, given by its number, 0–62.
constexpr Word d_field(unsigned number) { return (number & 0x1e) | number >> 5; }
constexpr Word fpop(Word op3, Word opf, unsigned rd, unsigned rs1, unsigned rs2) {
  return op3_word(2, op3, d_field(rd), d_field(rs1), opf << 5 | d_field(rs2));
}
constexpr Word faddd(unsigned rd, unsigned rs1, unsigned rs2) { return fpop(0x34, 0x42, rd, rs1, rs2); }
constexpr Word fmuld(unsigned rd, unsigned rs1, unsigned rs2) { return fpop(0x34, 0x4a, rd, rs1, rs2); }
constexpr Word fdivd(unsigned rd, unsigned rs1, unsigned rs2) { return fpop(0x34, 0x4e, rd, rs1, rs2); }
constexpr Word fcmpd(unsigned rs1, unsigned rs2) { return fpop(0x35, 0x52, 0, rs1, rs2); }
constexpr Word lddf(unsigned rd, Word rs1, Word operand) {
  return op3_word(3, 0x23, d_field(rd), rs1, operand);
}
constexpr Word stdf(unsigned rd, Word rs1, Word operand) {
  return op3_word(3, 0x27, d_field(rd), rs1, operand);
}
/// Encodes a branch on fcc0 less, by `words`.
constexpr Word fbl(int words) { return 4u << 25 | 6u << 22 | (static_cast<Word>(words) & 0x3fffff); }

struct SimdGuest {
  explicit SimdGuest(const std::vector<Word>& code, const SimdConfig& config = {})
      : executor{memory, environment, FmaRounding::Fused, config} {
    memory.map(Guest::kText, GuestMemory::kPageBytes, kRead | kExecute);
    memory.map(Guest::kData, 4 * GuestMemory::kPageBytes, kRead | kWrite);
    memory.map(Guest::kStackTop - 16 * GuestMemory::kPageBytes, 16 * GuestMemory::kPageBytes, kRead | kWrite);
    std::uint64_t at = Guest::kText;
    for (const Word word : code) {
      const Word raw = big_endian(word);
      memory.copy_in(at, std::as_bytes(std::span{&raw, 1}), kMapped);
      at += 4;
    }
    state().pc = Guest::kText, state().npc = Guest::kText + 4;
    state().o(6) = Guest::kStackTop - 4096 - 2047;
  }
  CpuState& state() { return executor.state(); }
  SimdState& simd() { return executor.simd(); }
  void run() { executor.run(1'000'000); }
  /// Return a double register of the scalar part, and of a PE.
  double& d(unsigned number) { return reinterpret_cast<double&>(state().f[number / 2]); }
  double lane(unsigned number, unsigned pe) { return __builtin_bit_cast(double, simd().f[number / 2][pe]); }
  template <class F>
  void set_lanes(unsigned number, F value) {
    for (unsigned pe = 0; pe < simd().pes; ++pe)
      simd().f[number / 2][pe] = __builtin_bit_cast(std::uint64_t, double{value(pe)});
  }
  std::uint64_t& sbm_bits(std::uint64_t offset, unsigned pe) { return simd().sbm_row(offset)[pe]; }
  double sbm(std::uint64_t offset, unsigned pe) { return __builtin_bit_cast(double, sbm_bits(offset, pe)); }
  void set_sbm(std::uint64_t offset, unsigned pe, double value) {
    sbm_bits(offset, pe) = __builtin_bit_cast(std::uint64_t, value);
  }

  GuestMemory memory;
  Recorder environment;
  Executor executor;
};

}  // namespace psim::isa::bench
