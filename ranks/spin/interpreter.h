// SPDX-License-Identifier: Apache-2.0
// Interpreter of x86-64 code of a program, on a copy of the registers; writes go to a log, not to memory.
// Used to prove that waiting loops repeat themselves. It executes integer instructions, moves of vector
// registers and comparisons of floating-point numbers. memset, memcpy and memmove of the C library, which use
// the widest vectors of the host, are executed as a whole. It refuses everything else (system calls, time
// stamps, floating-point arithmetic). Allocates nothing and may run in a signal handler.
//
// Each value is known or unknown. Unknown values may be copied and computed with, but no branch, address or
// jump target may depend on one.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ranks/spin/instruction.h"

namespace psim::net::spin {

struct Value {
  std::uint64_t bits = 0;
  bool known = true;
};

struct Flags {
  bool carry = false, zero = false, sign = false, overflow = false, parity = false;
  bool known = true;
};

/// An aligned word of memory that the code has read or written.
struct Word {
  std::uint64_t address = 0;
  std::uint64_t before = 0;  ///< in memory
  std::uint64_t now = 0;
  std::uint8_t known = 0xff;  ///< a bit per byte
  std::uint8_t kept = 0xff;   ///< likewise: bytes that no iteration of the loop has changed, see repeats()

  bool changed() const { return now != before || known != 0xff; }
};

/// Returns an aligned word of the program's memory, which psim's own sanitizer may regard as invalid.
std::uint64_t in_memory(std::uint64_t address);

class Interpreter {
 public:
  static constexpr std::size_t kMostWords = 192;

  std::array<Value, rip + 1> registers{};          ///< by Register
  std::array<std::array<Value, 2>, 16> vectors{};  ///< xmm0 …, low half first
  Flags flags;
  std::uint64_t pc = 0;
  /// Start of the unused part of the stack, which extends kDead bytes downwards and holds arbitrary values.
  std::uint64_t dead = 0;
  static constexpr std::uint64_t kDead = 1 << 20;
  bool is_dead(std::uint64_t address) const { return address < dead && dead - address <= kDead; }

  /// Executes the instruction at `pc`. Returns false if it is refused; the state is invalid then.
  bool step();

  /// Returns the words in the order of their first use.
  std::span<Word> words() { return std::span(words_).first(count_); }
  std::span<const Word> words() const { return std::span(words_).first(count_); }
  void forget_words();

 private:
  bool execute(const Instruction& code);
  bool execute_vector(const Instruction& code);
  bool go_to(Value address);
  bool fill();
  bool move();
  bool leave();

  bool load(std::uint64_t address, unsigned size, Value& value);
  bool store(std::uint64_t address, unsigned size, Value value);
  Word* word(std::uint64_t address);
  Value address_of(const Operand& operand) const;
  bool read(const Operand& operand, unsigned size, Value& value);
  bool write(const Operand& operand, unsigned size, Value value);
  Value get(unsigned number, unsigned size) const;
  void set(unsigned number, unsigned size, Value value);
  bool push(Value value);
  bool pop(Value& value);

  bool compute(unsigned operation, unsigned size, Value a, Value b, Value& result);
  void set_logic(std::uint64_t result, unsigned size, bool known);
  bool condition(unsigned code, bool& holds) const;
  bool shift(const Instruction& code, Value by);
  bool test_bit(const Instruction& code, Value bit);
  void multiply(const Instruction& code, Value a, Value b);
  void multiply_wide(const Instruction& code, Value by);
  bool divide(const Instruction& code, Value by);

  static constexpr std::size_t kSlots = 512;

  std::array<Word, kMostWords> words_{};
  std::size_t count_ = 0;
  std::array<std::uint8_t, kSlots> slots_{};  ///< hash table of words: number + 1; 0: none
};

}  // namespace psim::net::spin
