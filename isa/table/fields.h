// SPDX-License-Identifier: Apache-2.0
// The fields of an instruction word (V9 manual, 6.3 and figures 33–36). All functions are total: they read
// bits of any word.
#pragma once

#include <cstdint>

namespace psim::isa {

/// Returns bits [low, low + width) of `word`, zero-extended.
constexpr std::uint32_t bits(std::uint32_t word, unsigned low, unsigned width) {
  return word >> low & ((1u << width) - 1);
}
/// Returns the low `width` bits of `value` as a two's-complement number; 1 <= width <= 32.
constexpr std::int64_t sign_extended(std::uint32_t value, unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>(((value & (2 * sign - 1)) ^ sign) - sign);
}

/// Decodes a double or quad register, which keeps bit 5 of its even number in bit 0 of the field (V9
/// 5.1.4.1). Bit 1 of a quad field is reserved and ignored here; assemblers leave it zero.
constexpr std::uint8_t double_register(std::uint32_t field) {
  return static_cast<std::uint8_t>((field & 1) << 5 | (field & 0x1e));
}
constexpr std::uint8_t quad_register(std::uint32_t field) {
  return static_cast<std::uint8_t>((field & 1) << 5 | (field & 0x1c));
}

constexpr std::uint8_t rd(std::uint32_t word) { return static_cast<std::uint8_t>(bits(word, 25, 5)); }
constexpr std::uint8_t rs1(std::uint32_t word) { return static_cast<std::uint8_t>(bits(word, 14, 5)); }
constexpr std::uint8_t rs2(std::uint32_t word) { return static_cast<std::uint8_t>(bits(word, 0, 5)); }
/// Returns the third source of multiply-adds.
constexpr std::uint8_t rs3(std::uint32_t word) { return static_cast<std::uint8_t>(bits(word, 9, 5)); }
constexpr std::uint8_t rd_double(std::uint32_t word) { return double_register(rd(word)); }
constexpr std::uint8_t rs1_double(std::uint32_t word) { return double_register(rs1(word)); }
constexpr std::uint8_t rs2_double(std::uint32_t word) { return double_register(rs2(word)); }
constexpr std::uint8_t rs3_double(std::uint32_t word) { return double_register(rs3(word)); }
constexpr std::uint8_t rd_quad(std::uint32_t word) { return quad_register(rd(word)); }
constexpr std::uint8_t rs1_quad(std::uint32_t word) { return quad_register(rs1(word)); }
constexpr std::uint8_t rs2_quad(std::uint32_t word) { return quad_register(rs2(word)); }

/// Returns true if the second operand is immediate.
constexpr bool has_immediate(std::uint32_t word) { return bits(word, 13, 1) != 0; }
constexpr std::int64_t simm13(std::uint32_t word) { return sign_extended(word, 13); }
constexpr std::int64_t simm11(std::uint32_t word) { return sign_extended(word, 11); }  ///< movcc, movfcc
constexpr std::int64_t simm10(std::uint32_t word) { return sign_extended(word, 10); }  ///< movr
constexpr std::int64_t simm5(std::uint32_t word) { return sign_extended(word, 5); }    ///< cwb, cxb
constexpr unsigned shcnt32(std::uint32_t word) { return bits(word, 0, 5); }
constexpr unsigned shcnt64(std::uint32_t word) { return bits(word, 0, 6); }
constexpr std::uint32_t imm22(std::uint32_t word) { return bits(word, 0, 22); }
constexpr std::uint8_t imm_asi(std::uint32_t word) { return static_cast<std::uint8_t>(bits(word, 5, 8)); }

/// Returns the condition of Bicc, Bpcc, Fbfcc, Fbpfcc and Tcc.
constexpr unsigned cond(std::uint32_t word) { return bits(word, 25, 4); }
/// Returns the condition of movcc, movfcc and the fmov of the same conditions.
constexpr unsigned move_cond(std::uint32_t word) { return bits(word, 14, 4); }
/// Returns the register condition of bpr.
constexpr unsigned branch_rcond(std::uint32_t word) { return bits(word, 25, 3); }
/// Returns the register condition of movr and fmovr.
constexpr unsigned move_rcond(std::uint32_t word) { return bits(word, 10, 3); }
/// Returns the condition of cwb and cxb, coded as that of Bicc.
constexpr unsigned compare_branch_cond(std::uint32_t word) {
  return bits(word, 29, 1) << 3 | bits(word, 25, 3);
}
constexpr bool annul(std::uint32_t word) { return bits(word, 29, 1) != 0; }
constexpr bool predict_taken(std::uint32_t word) { return bits(word, 19, 1) != 0; }
/// Returns cc0, cc1 of Bpcc and Fbpfcc: fccn, or 0 icc, 2 xcc.
constexpr unsigned branch_cc(std::uint32_t word) { return bits(word, 20, 2); }
/// Returns cc0, cc1 of movcc and movfcc and of Tcc: fccn, or 0 icc, 2 xcc.
constexpr unsigned move_cc(std::uint32_t word) { return bits(word, 11, 2); }
/// Returns the fccn that a compare writes.
constexpr unsigned compare_cc(std::uint32_t word) { return bits(word, 25, 2); }

// Return byte displacements from the PC.
constexpr std::int64_t disp30(std::uint32_t word) { return 4 * sign_extended(word, 30); }
constexpr std::int64_t disp22(std::uint32_t word) { return 4 * sign_extended(word, 22); }
constexpr std::int64_t disp19(std::uint32_t word) { return 4 * sign_extended(word, 19); }
constexpr std::int64_t disp16(std::uint32_t word) {
  return 4 * sign_extended(bits(word, 20, 2) << 14 | bits(word, 0, 14), 16);
}
constexpr std::int64_t disp10(std::uint32_t word) {
  return 4 * sign_extended(bits(word, 19, 2) << 8 | bits(word, 5, 8), 10);
}

}  // namespace psim::isa
