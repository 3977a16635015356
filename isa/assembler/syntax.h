// SPDX-License-Identifier: Apache-2.0
// The grammar's result for a line: labels, a mnemonic, operands. Symbols have no values here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace psim::isa::assembler {

/// A mistake in one statement; the driver adds file and line. Never leaves the assembler.
struct Complaint {
  std::uint32_t column;  ///< from 1
  std::string text;      ///< "got …, expected …"
};

enum class RegisterClass : std::uint8_t {
  Integer,             ///< 0 … 31
  Float,               ///< 0 … 62 as written; above 31 even ones only
  Icc,                 ///< 0 %icc, 2 %xcc
  Fcc,                 ///< 0 … 3
  State,               ///< ancillary state registers, 0 … 31; %tick is also privileged register 4
  Privileged,          ///< 0 … 31
  FloatingPointState,  ///< %fsr
};
struct Register {
  RegisterClass kind = RegisterClass::Integer;
  std::uint8_t number = 0;
  bool operator==(const Register&) const = default;
};

/// Modifiers such as %hi(…), which choose bits of a value (V9 manual, G.1; SPARC ABI's relocations).
enum class Modifier : std::uint8_t {
  None,
  Hi,
  Lo,
  Hh,
  Hm,
  Lm,
  H44,
  M44,
  L44,
  Hix,
  Lox,
  // Values that only a linker knows: isa/assembler/link_operators.h.
  GdopHix,
  GdopLox,
  Gdop,
  Pc22,
  Pc10,
  Disp32,
  Disp64,
  Plt32,
  Plt64,
  TgdHi,
  TgdLo,
  TgdAdd,
  TgdCall,
  TldmHi,
  TldmLo,
  TldmAdd,
  TldmCall,
  TldoHix,
  TldoLox,
  TldoAdd,
  TieHi,
  TieLo,
  TieLd,
  TieLdx,
  TieAdd,
  TleHix,
  TleLox,
  Dtpoff32,
  Dtpoff64,
};

/// One item of an expression in postfix order.
struct Item {
  enum class Kind : std::uint8_t {
    Number,     ///< number
    Symbol,     ///< text: a name, "." or a numeric label's reference such as "1f"
    Location,   ///< offset `number` in section `section`: the value of "."
    Register,   ///< reg
    Word,       ///< text: "#Sync", "#ASI_P", "@function"
    Negate,     ///< unary -
    Invert,     ///< unary ~
    Binary,     ///< operation: one of + - * / % & | ^ < >
    SelectBits  ///< modifier
  };
  Kind kind = Kind::Number;
  char operation = 0;
  Modifier modifier = Modifier::None;
  Register reg;
  std::uint32_t column = 0;
  std::uint32_t section = 0;
  std::uint64_t number = 0;
  std::string text;
};

struct Expression {
  std::vector<Item> items;
  std::uint32_t column = 0;
  std::string source;  ///< as written
};

struct Argument {
  enum class Kind : std::uint8_t {
    Plain,
    Address,       ///< between brackets
    AfterAddress,  ///< follows brackets without a comma: an ASI
    String,        ///< text, escapes resolved
    Raw            ///< text as written: for .section and other directives that read it themselves
  };
  Kind kind = Kind::Plain;
  Expression expression;
  std::string text;
  std::uint32_t column = 0;
};

struct Statement {
  struct Label {
    std::string name;  ///< digits for a numeric label
    std::uint32_t column = 0;
  };
  std::vector<Label> labels;  ///< in front of it
  std::string mnemonic;       ///< lower case, without suffixes; begins with '.' for a directive; may be empty
  bool annul = false;         ///< ,a
  std::optional<bool> taken;  ///< ,pt or ,pn
  bool assignment = false;    ///< "name = expression": mnemonic is the name as written
  std::uint32_t column = 0;   ///< of the mnemonic
  std::uint32_t suffix_column = 0;
  std::vector<Argument> arguments;
};

}  // namespace psim::isa::assembler
