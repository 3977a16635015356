// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/value.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "isa/assembler/link_operators.h"
#include "isa/table/asi.h"
#include "isa/table/operand_names.h"

namespace psim::isa::assembler {
namespace {

Value word_value(const Item& item) {
  Value value;
  value.has_number = true;
  for (std::size_t bit = 0; bit < names::kMembarMasks.size(); ++bit) {
    if (item.text != names::kMembarMasks[bit]) continue;
    value.word = Value::Word::Membar;
    value.number = std::uint64_t{1} << bit;
    return value;
  }
  for (const auto& [number, name] : names::kPrefetchFunctions) {
    if (item.text != name) continue;
    value.word = Value::Word::Prefetch;
    value.number = number;
    return value;
  }
  if (const auto asi = asi_number(std::string_view(item.text).substr(1)); item.text[0] == '#' && asi) {
    value.word = Value::Word::Asi;
    value.number = *asi;
    return value;
  }
  value.word = Value::Word::Other;
  return value;
}

/// Replaces a symbol minus a symbol by a number if both lie in one section.
void cancel(Value& value, const Symbols& symbols) {
  if (value.symbol == kNoSymbol || value.minus == kNoSymbol) return;
  if (value.symbol != value.minus) {
    const auto plus = symbols.location_of(value.symbol), minus = symbols.location_of(value.minus);
    if (!plus || !minus || plus->section != minus->section) return;
    value.number += plus->offset - minus->offset;
  }
  value.symbol = value.minus = kNoSymbol;
}

class Evaluation {
 public:
  Evaluation(Symbols& symbols, bool final) : symbols_(symbols), final_(final) {}

  Value run(const Expression& expression) {
    // A string where the grammar accepts any argument.
    if (expression.items.empty())
      throw Complaint{expression.column, "got text, expected a number or an address"};
    for (const Item& item : expression.items) step(item);
    return stack_.back();
  }

 private:
  void step(const Item& item) {
    switch (item.kind) {
      case Item::Kind::Number: {
        Value value;
        value.has_number = true;
        value.number = item.number;
        stack_.push_back(value);
        return;
      }
      case Item::Kind::Symbol: {
        Value value = symbols_.value_of(item);
        value.has_number = true;
        stack_.push_back(value);
        return;
      }
      case Item::Kind::Location: {
        Value value;
        value.has_number = true;
        value.symbol = symbols_.symbol_at(item.section, item.number);
        stack_.push_back(value);
        return;
      }
      case Item::Kind::Register: {
        Value value;
        value.registers[0] = item.reg;
        value.register_count = 1;
        stack_.push_back(value);
        return;
      }
      case Item::Kind::Word:
        stack_.push_back(word_value(item));
        return;
      case Item::Kind::Negate:
        stack_.back() = subtract(zero(), stack_.back(), item);
        return;
      case Item::Kind::Invert:
        invert(stack_.back(), item);
        return;
      case Item::Kind::SelectBits:
        select(stack_.back(), item);
        return;
      case Item::Kind::Binary: {
        const Value b = stack_.back();
        stack_.pop_back();
        Value& a = stack_.back();
        if (item.operation == '+')
          a = add(a, b, item);
        else if (item.operation == '-')
          a = subtract(a, b, item);
        else
          a = combine(a, b, item);
        return;
      }
    }
  }

  static Value zero() {
    Value value;
    value.has_number = true;
    return value;
  }
  [[noreturn]] static void refuse(const Item& item, std::string_view got) {
    throw Complaint{item.column,
                    fmt::format("got {}, expected numbers on both sides of {}", got, shown(item))};
  }
  static std::string shown(const Item& item) {
    if (item.operation == '<') return "<<";
    if (item.operation == '>') return ">>";
    return std::string(1, item.operation);
  }

  Value add(Value a, const Value& b, const Item& item) {
    if (a.register_count + b.register_count > 2)
      throw Complaint{item.column, "got a sum of three registers, expected at most two"};
    if ((a.symbol != kNoSymbol && b.symbol != kNoSymbol) || (a.minus != kNoSymbol && b.minus != kNoSymbol))
      return mixed(a, b, item, "the sum of two addresses");
    if (a.word != Value::Word::None || b.word != Value::Word::None) refuse(item, "a # word");
    for (unsigned i = 0; i < b.register_count; ++i) a.registers[a.register_count++] = b.registers[i];
    a.deferred |= b.deferred;
    a.has_number |= b.has_number;
    if (a.modifier != Modifier::None || b.modifier != Modifier::None) {
      // Only %lo(symbol) + number has a relocation.
      const bool left = a.modifier != Modifier::None;
      const Value &chosen = left ? a : b, &added = left ? b : a;
      const bool number =
          added.modifier == Modifier::None && added.symbol == kNoSymbol && added.minus == kNoSymbol;
      if (!number) return mixed(a, b, item, "an address beside chosen bits");
      Value sum = a;
      sum.modifier = chosen.modifier;
      sum.symbol = chosen.symbol;
      sum.minus = chosen.minus;
      sum.number = chosen.number;
      sum.outside = chosen.outside + static_cast<std::int64_t>(added.number);
      return sum;
    }
    if (b.symbol != kNoSymbol) a.symbol = b.symbol;
    if (b.minus != kNoSymbol) a.minus = b.minus;
    a.number += b.number;
    cancel(a, symbols_);
    return a;
  }

  Value subtract(const Value& a, Value b, const Item& item) {
    if (b.register_count != 0)
      throw Complaint{item.column, "got a register behind a minus, expected a number"};
    if (b.word != Value::Word::None) refuse(item, "a # word");
    if (b.modifier != Modifier::None) return mixed(a, b, item, "the negative of chosen bits");
    std::swap(b.symbol, b.minus);
    b.number = -b.number;
    return add(a, b, item);
  }

  /// Handles an operation that needs the value of a symbol: possible later, or never.
  Value mixed(const Value& a, const Value& b, const Item& item, std::string_view got) {
    const bool unresolved = a.deferred || b.deferred || unknown(a) || unknown(b);
    if (final_ || !unresolved)
      throw Complaint{item.column,
                      fmt::format("got {}, expected what a number or one address can express", got)};
    Value later = zero();
    later.deferred = true;
    later.registers = a.registers;
    later.register_count = a.register_count;
    for (unsigned i = 0; i < b.register_count; ++i)
      if (later.register_count < 2) later.registers[later.register_count++] = b.registers[i];
    return later;
  }
  bool unknown(const Value& value) const {
    return (value.symbol != kNoSymbol && !symbols_.location_of(value.symbol)) ||
           (value.minus != kNoSymbol && !symbols_.location_of(value.minus));
  }
  static bool plain(const Value& value) {
    return value.symbol == kNoSymbol && value.minus == kNoSymbol && value.modifier == Modifier::None &&
           !value.deferred;
  }

  void invert(Value& value, const Item& item) {
    if (value.register_count != 0 || value.word != Value::Word::None)
      throw Complaint{item.column, "got ~ before something other than a number, expected a number"};
    if (!plain(value)) {
      value = mixed(value, value, item, "~ of an address");
      return;
    }
    value.number = ~value.number;
  }

  void select(Value& value, const Item& item) {
    if (value.register_count != 0 || value.word != Value::Word::None)
      throw Complaint{item.column, fmt::format("got a register in {}(…), expected a number or an address",
                                               name_of(item.modifier))};
    if (value.modifier != Modifier::None)
      throw Complaint{item.column, fmt::format("got {}({}(…)), expected one of them", name_of(item.modifier),
                                               name_of(value.modifier))};
    if (value.deferred) return;
    if (link_operator(item.modifier) != nullptr && plain(value))
      throw Complaint{item.column,
                      fmt::format("got a number in {}(…), expected a symbol", name_of(item.modifier))};
    if (plain(value)) {
      const auto number = static_cast<std::int64_t>(value.number);
      const bool narrow = item.modifier == Modifier::Hi;
      if (narrow && (number < INT32_MIN || number > static_cast<std::int64_t>(UINT32_MAX)))
        throw Complaint{item.column,
                        fmt::format("got %hi({:#x}), expected a value of 32 bits: %hh, %hm and %lm "
                                    "take 64, %h44 44, %hix negative ones",
                                    value.number)};
      value.number = select_bits(item.modifier, value.number);
      return;
    }
    if (value.minus != kNoSymbol) {
      if (final_ || !unknown(value))
        throw Complaint{item.column, "got a difference of addresses in two sections, expected one address"};
      value.deferred = true;
      return;
    }
    value.modifier = item.modifier;
  }

  Value combine(const Value& a, const Value& b, const Item& item) {
    if (a.register_count + b.register_count != 0) refuse(item, "a register");
    const bool words = a.word != Value::Word::None || b.word != Value::Word::None;
    if (words) {
      const bool masks = (a.word == Value::Word::Membar || a.word == Value::Word::None) &&
                         (b.word == Value::Word::Membar || b.word == Value::Word::None) && plain(a) &&
                         plain(b);
      if (!masks || item.operation != '|') refuse(item, "a # word");
    }
    if (!plain(a) || !plain(b)) return mixed(a, b, item, fmt::format("an address beside {}", shown(item)));
    Value result = a;
    if (words) result.word = Value::Word::Membar;
    const std::uint64_t x = a.number, y = b.number;
    const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
    switch (item.operation) {
      case '*':
        result.number = x * y;
        break;
      case '/':
      case '%':
        if (y == 0) throw Complaint{item.column, "got a division by zero"};
        if (sx == INT64_MIN && sy == -1)
          result.number = item.operation == '/' ? x : 0;
        else
          result.number = static_cast<std::uint64_t>(item.operation == '/' ? sx / sy : sx % sy);
        break;
      case '&':
        result.number = x & y;
        break;
      case '|':
        result.number = x | y;
        break;
      case '^':
        result.number = x ^ y;
        break;
      default:
        if (y > 63) throw Complaint{item.column, fmt::format("got a shift by {}, expected 0 … 63", sy)};
        result.number = item.operation == '<' ? x << y : x >> y;
        break;
    }
    return result;
  }

  Symbols& symbols_;
  bool final_;
  std::vector<Value> stack_;
};

}  // namespace

std::uint64_t select_bits(Modifier modifier, std::uint64_t value) {
  // clang-format off
  switch (modifier) {
    case Modifier::None: return value;
    case Modifier::Hi: case Modifier::Lm: return value >> 10 & 0x3fffff;
    case Modifier::Lo: return value & 0x3ff;
    case Modifier::Hh: return value >> 42;
    case Modifier::Hm: return value >> 32 & 0x3ff;
    case Modifier::H44: return value >> 22 & 0x3fffff;
    case Modifier::M44: return value >> 12 & 0x3ff;
    case Modifier::L44: return value & 0xfff;
    case Modifier::Hix: return ~value >> 10 & 0x3fffff;
    case Modifier::Pc22: return value >> 10 & 0x3fffff;
    case Modifier::Pc10: return value & 0x3ff;
    case Modifier::Lox: return static_cast<std::uint64_t>(static_cast<std::int64_t>((value & 0x3ff) | 0x1c00) - 0x2000);
    default: return value;  // of symbols alone
  }
  // clang-format on
}

std::string name_of(Modifier modifier) {
  if (const LinkOperator* const link = link_operator(modifier)) return link->name;
  static constexpr const char* kNames[] = {"",     "%hi",  "%lo",  "%hh",  "%hm", "%lm",
                                           "%h44", "%m44", "%l44", "%hix", "%lox"};
  return kNames[static_cast<unsigned>(modifier)];
}

Value evaluate(const Expression& expression, Symbols& symbols, bool final) {
  return Evaluation(symbols, final).run(expression);
}

}  // namespace psim::isa::assembler
