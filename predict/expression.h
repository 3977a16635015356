// SPDX-License-Identifier: Apache-2.0
// Expressions as text, as in fits.toml: "1.2e-9 * n^3 + 3e-8 * ceil(n / 32) * log2(n)".
//
// Operators, from weak to strong: + and -; *, / and // (division rounded down); a sign; ^. Operators of equal
// strength group from the left, and -n^2 is -(n^2). a^b^c is refused: parentheses state what is meant.
// Functions: ceil floor sqrt log (natural) log2 of one number; min max div (as //) of two. Numbers are
// decimal, with or without exponent. Names are letters, digits and _.
//
// An expression is parsed once and compiled into a program for a small stack.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace psim::predict {

/// A text that is no expression: "column 7: unknown parameter m; expected n".
class ExpressionError : public UserError {
 public:
  using UserError::UserError;
};

/// A value that does not exist: "division by zero", "overflow", "logarithm of 0".
class EvaluationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Expression {
 public:
  static constexpr std::size_t kMostCharacters = 4096;
  static constexpr int kDeepest = 32;  ///< nested parentheses

  /// Parses `text`. `parameters` are the names that may occur, in the order of the arguments. Throws
  /// ExpressionError.
  static Expression parse(std::string_view text, const std::vector<std::string>& parameters);

  const std::string& text() const { return text_; }
  /// Returns the value, which is finite. `arguments` has a number for each parameter. Throws EvaluationError.
  double evaluate(std::span<const double> arguments) const;

  enum class Language : std::uint8_t { C, Fortran };
  /// Returns the expression in a programming language, over double-precision variables with these names.
  /// Fortran's floor() is an integer of 32 bits, so its text calls psim_floor(), which model_source.h
  /// defines.
  std::string in(Language language, const std::vector<std::string>& parameters) const;

  /// Returns true if `name` may be the name of a parameter: a letter, then letters, digits and _, and not the
  /// name of a function.
  static bool is_parameter_name(std::string_view name);

  enum class Operation : std::uint8_t {
    Number,
    Parameter,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    DivideDown,
    Power,
    SmallPower,
    Ceil,
    Floor,
    Sqrt,
    Log,
    Log2,
    Min,
    Max
  };
  struct Instruction {
    Operation operation;
    std::uint32_t index = 0;  ///< of Parameter; the exponent of SmallPower
    double number = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;  ///< operands before their operation
};

}  // namespace psim::predict
