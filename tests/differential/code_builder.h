// SPDX-License-Identifier: Apache-2.0
// Machine words and a runnable static ELF around them, without an assembler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace psim::differential {

inline constexpr std::uint64_t kTextAddress = 0x100000;
inline constexpr std::uint64_t kDataAddress = 0x40000000;
inline constexpr unsigned kG1 = 1, kG2 = 2, kO6 = 14;

/// Appends encoded instructions; register numbers are 0–31.
class CodeBuilder {
 public:
  void word(std::uint32_t value) { words_.push_back(value); }
  /// Format 3: op 2 or 3, with a second register or a 13-bit signed immediate.
  void reg(unsigned op, unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, unsigned opf = 0);
  void imm(unsigned op, unsigned op3, unsigned rd, unsigned rs1, int simm13);
  /// rd := value, in one to eight instructions that use rd alone.
  void set64(unsigned rd, std::uint64_t value);
  void ldx(unsigned rd, unsigned rs1, int offset) { imm(3, 0x0B, rd, rs1, offset); }
  void stx(unsigned rd, unsigned rs1, int offset) { imm(3, 0x0E, rd, rs1, offset); }
  /// `rd` is the even number 0–62 of a double register.
  void lddf(unsigned rd, unsigned rs1, int offset) { imm(3, 0x23, (rd & 0x1E) | rd >> 5, rs1, offset); }
  void stdf(unsigned rd, unsigned rs1, int offset) { imm(3, 0x27, (rd & 0x1E) | rd >> 5, rs1, offset); }
  void rd_asr(unsigned rd, unsigned asr) { reg(2, 0x28, rd, asr, 0); }
  void wr_asr(unsigned asr, unsigned rs1) { reg(2, 0x30, asr, rs1, 0); }
  /// Linux system call `number`; arguments already in %o0…
  void system_call(unsigned number);

  const std::vector<std::uint32_t>& words() const { return words_; }
  std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::uint32_t> words_;
};

/// A static big-endian SPARC-V9 executable: `text` at kTextAddress, `data` (writable, zero-extended to
/// `data_bytes`) at kDataAddress, entry at the first word.
std::string elf_image(const std::vector<std::uint32_t>& text, const std::string& data,
                      std::uint64_t data_bytes);

/// Big-endian bytes of a 64-bit value, appended.
void append_be64(std::string& bytes, std::uint64_t value);

}  // namespace psim::differential
