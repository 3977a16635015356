// SPDX-License-Identifier: Apache-2.0
// The value of an expression: registers, a number, and parts that only a linker knows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

inline constexpr std::int32_t kNoSymbol = -1;

/// registers + symbol - minus + number, with `modifier` choosing bits of the sum, and then + `outside`.
struct Value {
  /// Kinds of "#…" words; a word's number is in `number`.
  enum class Word : std::uint8_t { None, Asi, Membar, Prefetch, Other };

  std::array<Register, 2> registers{};
  std::uint8_t register_count = 0;
  bool has_number = false;  ///< the expression has a part other than registers, even if it is 0
  bool deferred = false;    ///< depends on a symbol whose address is not known yet
  Word word = Word::None;
  Modifier modifier = Modifier::None;
  std::int32_t symbol = kNoSymbol, minus = kNoSymbol;
  std::uint64_t number = 0;
  std::int64_t outside = 0;  ///< %lo(symbol) + outside

  /// Returns true for a plain number that is known now.
  bool constant() const {
    return !deferred && register_count == 0 && symbol == kNoSymbol && minus == kNoSymbol &&
           modifier == Modifier::None && word == Word::None;
  }
};

/// Returns the chosen bits of a value: %hi is bits 31–10, and so on.
std::uint64_t select_bits(Modifier modifier, std::uint64_t value);
/// Returns "%hi", for messages.
std::string name_of(Modifier modifier);

/// The lookup of symbols.
class Symbols {
 public:
  virtual ~Symbols() = default;
  /// Returns the value of a symbol: a number, the symbol itself (`symbol` set), or deferred.
  virtual Value value_of(const Item& item) = 0;
  /// Section and offset of a symbol whose address is known.
  struct SectionOffset {
    std::uint32_t section;
    std::uint64_t offset;
  };
  virtual std::optional<SectionOffset> location_of(std::int32_t symbol) const = 0;
  /// Returns a symbol for a position (the value of ".").
  virtual std::int32_t symbol_at(std::uint32_t section, std::uint64_t offset) = 0;
};

/// Evaluates an expression. Throws Complaint for a value that no linker could compute. `final`: all symbols
/// are defined, so a value that is still deferred is an error.
Value evaluate(const Expression& expression, Symbols& symbols, bool final);

}  // namespace psim::isa::assembler
