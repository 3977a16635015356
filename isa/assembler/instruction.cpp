// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/instruction.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/assembler/constants.h"
#include "isa/assembler/forms.h"
#include "isa/assembler/link_operators.h"

namespace psim::isa::assembler {
namespace {

constexpr std::uint32_t kAnnulBit = 1u << 29, kPredictBit = 1u << 19;

bool annuls(Suffix suffix) {
  return (field_bits(suffix) & kAnnulBit) != 0 && suffix != Suffix::CompareBranch;
}
bool predicts(Suffix suffix) { return (field_bits(suffix) & kPredictBit) != 0; }

/// An attempt to match the operands with a form.
struct Attempt {
  bool fits = false;
  std::uint32_t word = 0;
  std::size_t reached = 0;  ///< operands that fitted
  std::string expected;     ///< instead of the operand that did not
  std::vector<std::pair<Field, const Expression*>> numbers;
};

Attempt attempt(const Form& form, const std::vector<Argument>& arguments, const std::vector<Value>& values) {
  Attempt result;
  result.word = form.value;
  for (const Operand operand : form.format.operands) {
    if (operand == Operand::None) break;
    const bool there = result.reached < arguments.size();
    const Match found = there ? match(operand, arguments[result.reached], values[result.reached]) : Match{};
    if (!found.fits) {
      if (optional_operand(operand)) continue;
      result.expected = expected(operand);
      return result;
    }
    // A row may fix bits of an operand's field.
    const std::uint32_t fixed = form.mask & found.field_bits;
    std::uint32_t bits = found.bits;
    if (found.number && fixed != 0)
      bits |= static_cast<std::uint32_t>(
          encode({operand}, static_cast<std::int64_t>(values[result.reached].number)).value_or(0));
    if (((bits ^ form.value) & fixed) != 0) {
      if (optional_operand(operand)) continue;
      result.expected = expected(operand);
      return result;
    }
    result.word |= found.bits;
    if (found.number) result.numbers.push_back({{operand}, &arguments[result.reached].expression});
    ++result.reached;
  }
  if (result.reached < arguments.size()) {
    result.expected = "the end of the statement";
    return result;
  }
  if (form.same == Same::RdRs1) result.word |= (result.word >> 25 & 0x1f) << 14;
  if (form.same == Same::RdRs2) result.word |= result.word >> 25 & 0x1f;
  result.fits = true;
  return result;
}

/// Drops the number of argument registers of "call f, 0", which compilers add and which has no meaning.
void drop_register_count(Statement& statement, std::vector<Value>& values) {
  if (statement.mnemonic != "call" || values.size() != 2 || !values[1].constant()) return;
  statement.arguments.pop_back();
  values.pop_back();
}

void set_suffix(const Statement& statement, const Form& form, std::uint32_t& word) {
  const Suffix suffix = form.format.suffix;
  if (statement.annul && !annuls(suffix))
    throw Complaint{statement.suffix_column,
                    fmt::format("got ,a after {}, expected no annul bit: it has none", statement.mnemonic)};
  if (statement.taken && !predicts(suffix))
    throw Complaint{statement.suffix_column,
                    fmt::format("got ,{} after {}, expected no prediction{}", *statement.taken ? "pt" : "pn",
                                statement.mnemonic,
                                annuls(suffix) ? " without %icc, %xcc or %fccN in front of the label" : "")};
  if (statement.annul) word |= kAnnulBit;
  if (predicts(suffix) && statement.taken.value_or(true)) word |= kPredictBit;
}

std::string shown(const Argument& argument) {
  if (argument.kind == Argument::Kind::String) return "a string";
  return argument.expression.source.empty() ? argument.text : argument.expression.source;
}

[[noreturn]] void refuse(const Statement& statement, const std::vector<Attempt>& attempts) {
  std::size_t furthest = 0;
  for (const Attempt& each : attempts) furthest = std::max(furthest, each.reached);
  std::vector<std::string> wanted;
  for (const Attempt& each : attempts)
    if (each.reached == furthest && std::ranges::find(wanted, each.expected) == wanted.end())
      wanted.push_back(each.expected);
  std::string expected;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    expected += fmt::format("{}{}", i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ", wanted[i]);
  if (furthest < statement.arguments.size())
    throw Complaint{statement.arguments[furthest].column,
                    fmt::format("got {}, expected {}", shown(statement.arguments[furthest]), expected)};
  throw Complaint{statement.column, fmt::format("got {} with {} operand{}, expected {} too",
                                                statement.mnemonic, statement.arguments.size(),
                                                statement.arguments.size() == 1 ? "" : "s", expected)};
}

}  // namespace

void assemble_instruction(Statement& statement, Unit& unit) {
  if (assemble_constant(statement, unit)) return;
  const std::vector<Form>& forms = forms_of(statement.mnemonic);
  if (forms.empty()) {
    const std::string near = nearest(statement.mnemonic, mnemonics());
    throw Complaint{statement.column,
                    fmt::format("got {}, expected an instruction or directive{}", statement.mnemonic,
                                near.empty() ? "" : fmt::format("; did you mean {}?", near))};
  }
  std::vector<Value> values;
  for (Argument& argument : statement.arguments) {
    if (argument.kind == Argument::Kind::String)
      values.emplace_back();
    else
      values.push_back(unit.value_now(argument.expression));
  }
  drop_register_count(statement, values);
  // "ldx [%l7 + %g1], %g1, %gdop(x)" names the loaded symbol for a linker, "call f, %tgd_call(x)" the called
  // one.
  std::optional<Expression> mark;
  const LinkOperator* const link = values.empty() ? nullptr : link_operator(values.back().modifier);
  const bool call = link != nullptr && link->use == LinkOperator::Use::Call && statement.mnemonic == "call";
  if (link != nullptr && (link->use == LinkOperator::Use::Mark || call)) {
    mark = std::move(statement.arguments.back().expression);
    statement.arguments.pop_back();
    values.pop_back();
  }
  std::vector<Attempt> attempts;
  for (const Form& form : forms) {
    Attempt each = attempt(form, statement.arguments, values);
    if (!each.fits) {
      attempts.push_back(std::move(each));
      continue;
    }
    set_suffix(statement, form, each.word);
    if (mark) unit.fill_later({}, *mark);
    if (!call)
      for (const auto& [field, number] : each.numbers) unit.fill_later(field, *number);
    unit.emit_instruction(each.word, statement.column);
    return;
  }
  refuse(statement, attempts);
}

}  // namespace psim::isa::assembler
