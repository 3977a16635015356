// SPDX-License-Identifier: Apache-2.0
// What an expression is worth: registers, a number, and what only a linker knows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

inline constexpr std::int32_t kNoSymbol = -1;

/// registers + symbol - minus + number, with `modifier` choosing bits of that and `outside` added behind it.
struct Value {
  /// Kinds of "#…" words; a word's number is in `number`.
  enum class Word : std::uint8_t { None, Asi, Membar, Prefetch, Other };

  std::array<Register, 2> registers{};
  std::uint8_t register_count = 0;
  bool has_number = false;  ///< something beside registers was written, be it 0
  bool deferred = false;    ///< depends on a symbol whose place is not known yet
  Word word = Word::None;
  Modifier modifier = Modifier::None;
  std::int32_t symbol = kNoSymbol, minus = kNoSymbol;
  std::uint64_t number = 0;
  std::int64_t outside = 0;  ///< %lo(symbol) + outside

  /// A plain number now.
  bool constant() const {
    return !deferred && register_count == 0 && symbol == kNoSymbol && minus == kNoSymbol &&
           modifier == Modifier::None && word == Word::None;
  }
};

/// The chosen bits of a value: %hi is bits 31–10, and so on.
std::uint64_t select_bits(Modifier modifier, std::uint64_t value);
/// "%hi", for messages.
std::string name_of(Modifier modifier);

/// Where symbols are looked up.
class Symbols {
 public:
  virtual ~Symbols() = default;
  /// The value of a symbol: a number, or itself (`symbol` set), or deferred.
  virtual Value value_of(const Item& item) = 0;
  /// Section and offset of a symbol whose place is known.
  struct Place {
    std::uint32_t section;
    std::uint64_t offset;
  };
  virtual std::optional<Place> place_of(std::int32_t symbol) const = 0;
  /// A symbol that stands for a place (what "." became).
  virtual std::int32_t symbol_at(std::uint32_t section, std::uint64_t offset) = 0;
};

/// Throws Complaint for what no linker could compute. `final`: every symbol that will be defined is; what is
/// still deferred is an error.
Value evaluate(const Expression& expression, Symbols& symbols, bool final);

}  // namespace psim::isa::assembler
