// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/call_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/assembler/call_frame_rules.h"
#include "isa/assembler/grammar.h"
#include "isa/assembler/raw_parts.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {
namespace {

using Frame = CallFrames::Frame;
using Parts = std::vector<Part>;

constexpr std::uint32_t kStackPointer = 14;
constexpr std::int64_t kStackBias = 2047;  // of 64-bit programs (SPARC Compliance Definition 2.4, stack)

[[noreturn]] void refuse(const Part& part, std::string_view expected) {
  throw Complaint{part.column,
                  fmt::format("got {}, expected {}", part.text.empty() ? "nothing" : part.text, expected)};
}

/// Returns the argument in the form of directives with expressions.
Argument frame_argument(const Part& part, std::string_view expected) {
  std::vector<Statement> statements;
  const std::string before = " .skip ";
  const auto at = [&](std::uint32_t column) {
    const auto first = static_cast<std::uint32_t>(before.size()) + 1;
    return part.column + (column > first ? column - first : 0);
  };
  try {
    parse_line(before + std::string(part.text), statements);
  } catch (const Complaint& complaint) {
    throw Complaint{at(complaint.column), complaint.text};
  }
  if (statements.size() != 1 || statements[0].arguments.size() != 1 ||
      statements[0].arguments[0].kind != Argument::Kind::Plain)
    refuse(part, expected);
  Argument result = std::move(statements[0].arguments[0]);
  result.column = result.expression.column = part.column;
  for (Item& item : result.expression.items) item.column = at(item.column);
  return result;
}

std::int64_t number(const Part& part, Unit& unit) {
  Argument written = frame_argument(part, "a number");
  return unit.number_now(written);
}

/// Returns the number by which debuggers refer to a register: %g0 … %i7 are 0 … 31, %f0 … %f31 32 … 63, %f32,
/// %f34, … from 64 on in twos as in gcc (DWARF register numbers of the SPARC ABI).
std::uint32_t register_number(const Part& part, Unit& unit) {
  constexpr std::string_view kExpected = "a register such as %fp, or its number";
  if (part.text.starts_with('%')) {
    const auto named = register_named(part.text);
    if (named && named->kind == RegisterClass::Integer) return named->number;
    if (named && named->kind == RegisterClass::Float && named->number < 32) return 32u + named->number;
    refuse(part, kExpected);
  }
  const std::int64_t value = number(part, unit);
  if (value < 0 || value > 255) refuse(part, kExpected);
  return static_cast<std::uint32_t>(value);
}

/// Converts a distance to units of eight bytes.
std::int64_t in_units(const Part& part, std::int64_t offset) {
  if (offset % frame_rule::kDataAlignment != 0) refuse(part, "a multiple of 8: registers are saved at those");
  return offset / frame_rule::kDataAlignment;
}

/// Returns the unit's current location.
Item current_location(Unit& unit) {
  Item item;
  item.kind = Item::Kind::Symbol;
  item.text = ".";
  Expression expression;
  expression.items = {item};
  unit.localise(expression);
  return expression.items[0];
}

CallFrames::Encoded encoded(const Parts& list, Unit& unit) {
  CallFrames::Encoded result;
  const std::int64_t encoding = number(list[0], unit);
  if (encoding == CallFrames::Encoded::kOmitted) return result;
  if (encoding < 0 || encoding > 255 || frame_rule::encoded_bytes(static_cast<std::uint8_t>(encoding)) == 0)
    refuse(list[0],
           "0xff for none, or an encoding of 2, 4 or 8 bytes, absolute or from its place, such as 0x1b");
  if (list.size() != 2) refuse(list[0], "the address behind the encoding");
  result.encoding = static_cast<std::uint8_t>(encoding);
  result.address = frame_argument(list[1], "an address").expression;
  unit.localise(result.address);
  return result;
}

/// A directive inside a function.
struct Rule {
  std::size_t least, most;  ///< operands
  const char* operands;
  void (*apply)(Frame&, const Parts&, Unit&);
  bool of_instructions;  ///< holds from here on, rather than for the whole function
};

void add(Frame& frame, const std::string& rule) { (frame.changing ? frame.changes : frame.initial) += rule; }

const std::map<std::string, Rule, std::less<>>& rules() {
  namespace r = frame_rule;
  // clang-format off
  static const std::map<std::string, Rule, std::less<>> list{
      {".cfi_def_cfa", {2, 2, "a register and an offset", [](Frame& f, const Parts& p, Unit& u) {
         f.cfa_offset = number(p[1], u);
         add(f, r::def_cfa(register_number(p[0], u), f.cfa_offset));
       }, true}},
      {".cfi_def_cfa_register", {1, 1, "a register", [](Frame& f, const Parts& p, Unit& u) {
         add(f, r::of_register(r::kDefCfaRegister, register_number(p[0], u)));
       }, true}},
      {".cfi_def_cfa_offset", {1, 1, "an offset", [](Frame& f, const Parts& p, Unit& u) {
         f.cfa_offset = number(p[0], u);
         add(f, r::def_cfa_offset(f.cfa_offset));
       }, true}},
      {".cfi_adjust_cfa_offset", {1, 1, "a distance", [](Frame& f, const Parts& p, Unit& u) {
         f.cfa_offset += number(p[0], u);
         add(f, r::def_cfa_offset(f.cfa_offset));
       }, true}},
      {".cfi_offset", {2, 2, "a register and an offset", [](Frame& f, const Parts& p, Unit& u) {
         add(f, r::offset(register_number(p[0], u), in_units(p[1], number(p[1], u))));
       }, true}},
      {".cfi_rel_offset", {2, 2, "a register and an offset", [](Frame& f, const Parts& p, Unit& u) {
         add(f, r::offset(register_number(p[0], u), in_units(p[1], number(p[1], u) - f.cfa_offset)));
       }, true}},
      {".cfi_val_offset", {2, 2, "a register and an offset", [](Frame& f, const Parts& p, Unit& u) {
         add(f, r::val_offset(register_number(p[0], u), in_units(p[1], number(p[1], u))));
       }, true}},
      {".cfi_register", {2, 2, "two registers", [](Frame& f, const Parts& p, Unit& u) {
         const std::uint32_t saved = register_number(p[0], u);
         add(f, r::of_register(r::kRegister, saved) + r::uleb(register_number(p[1], u)));
       }, true}},
      {".cfi_restore", {1, 256, "registers", [](Frame& f, const Parts& p, Unit& u) {
         for (const Part& part : p) add(f, r::restore(register_number(part, u)));
       }, true}},
      {".cfi_undefined", {1, 256, "registers", [](Frame& f, const Parts& p, Unit& u) {
         for (const Part& part : p) add(f, r::of_register(r::kUndefined, register_number(part, u)));
       }, true}},
      {".cfi_same_value", {1, 256, "registers", [](Frame& f, const Parts& p, Unit& u) {
         for (const Part& part : p) add(f, r::of_register(r::kSameValue, register_number(part, u)));
       }, true}},
      {".cfi_remember_state", {0, 0, "no operands", [](Frame& f, const Parts&, Unit&) {
         f.changing = true;
         f.remembered.push_back(f.cfa_offset);
         add(f, r::alone(r::kRememberState));
       }, true}},
      {".cfi_restore_state", {0, 0, "no operands", [](Frame& f, const Parts&, Unit& u) {
         if (f.remembered.empty())
           throw Complaint{1, fmt::format("got .cfi_restore_state in line {}, expected .cfi_remember_state "
                                          "before it", u.line)};
         f.cfa_offset = f.remembered.back();
         f.remembered.pop_back();
         add(f, r::alone(r::kRestoreState));
       }, true}},
      {".cfi_window_save", {0, 0, "no operands", [](Frame& f, const Parts&, Unit&) {
         add(f, r::alone(r::kWindowSave));
       }, true}},
      {".cfi_escape", {1, 4096, "bytes", [](Frame& f, const Parts& p, Unit& u) {
         f.changing = true;  // their meaning is unknown
         for (const Part& part : p) {
           const std::int64_t byte = number(part, u);
           if (byte < -128 || byte > 255) refuse(part, "-128 … 255");
           add(f, std::string(1, static_cast<char>(byte)));
         }
       }, true}},
      {".cfi_personality", {1, 2, "an encoding and a symbol", [](Frame& f, const Parts& p, Unit& u) {
         f.personality = encoded(p, u);
       }, false}},
      {".cfi_lsda", {1, 2, "an encoding and a label", [](Frame& f, const Parts& p, Unit& u) {
         f.lsda = encoded(p, u);
       }, false}},
      {".cfi_return_column", {1, 1, "a register", [](Frame& f, const Parts& p, Unit& u) {
         f.return_column = static_cast<std::uint8_t>(register_number(p[0], u));
       }, false}},
      {".cfi_signal_frame", {0, 0, "no operands", [](Frame& f, const Parts&, Unit&) { f.signal = true; }, false}},
  };
  // clang-format on
  return list;
}

constexpr std::string_view kSections = ".cfi_sections", kStart = ".cfi_startproc", kEnd = ".cfi_endproc";

}  // namespace

std::vector<std::string> CallFrames::directives() {
  std::vector<std::string> names{std::string(kSections), std::string(kStart), std::string(kEnd)};
  for (const auto& [name, rule] : rules()) names.push_back(name);
  return names;
}

bool CallFrames::carry_out(const Statement& statement, Unit& unit) {
  const std::string& name = statement.mnemonic;
  const auto found = rules().find(name);
  if (name != kSections && name != kStart && name != kEnd && found == rules().end()) return false;
  Parts list;
  if (!statement.arguments.empty()) list = parts(statement.arguments[0]);
  if (list.size() == 1 && list[0].text.empty()) list.clear();

  if (name == kSections) {
    eh_frame_ = debug_frame_ = false;
    for (const Part& part : list) {
      if (part.text == ".eh_frame")
        eh_frame_ = true;
      else if (part.text == ".debug_frame")
        debug_frame_ = true;
      else
        refuse(part, ".eh_frame or .debug_frame");
    }
    return true;
  }

  const Item now = current_location(unit);
  const auto open = std::ranges::find_if(
      frames_, [&](const Frame& frame) { return frame.open && frame.section == now.section; });
  if (name == kStart) {
    if (open != frames_.end())
      throw Complaint{statement.column,
                      fmt::format("got .cfi_startproc again, expected .cfi_endproc for that "
                                  "of line {} before it",
                                  open->line)};
    Frame& frame = frames_.emplace_back();
    frame.section = now.section, frame.begin = frame.at = now.number;
    frame.line = unit.line, frame.column = statement.column;
    if (list.empty()) {
      frame.cfa_offset = kStackBias;
      add(frame, frame_rule::def_cfa(kStackPointer, kStackBias));
    } else if (list.size() != 1 || list[0].text != "simple") {
      refuse(list[0], "simple, or nothing");
    }
    return true;
  }
  if (open == frames_.end())
    throw Complaint{statement.column, fmt::format("got {}, expected .cfi_startproc before it", name)};
  if (name == kEnd) {
    open->end = now.number;
    open->open = false;
    return true;
  }
  const Rule& rule = found->second;
  if (list.size() < rule.least || list.size() > rule.most)
    throw Complaint{statement.column,
                    fmt::format("got {} with {} operands, expected {}", name, list.size(), rule.operands)};
  if (rule.of_instructions && now.number != open->at) {
    const std::uint64_t bytes = now.number - open->at;
    if (bytes % frame_rule::kCodeAlignment != 0)
      throw Complaint{
          statement.column,
          fmt::format("got {} at offset {} of the section, expected a multiple of 4", name, now.number)};
    open->changing = true;
    open->at = now.number;
    add(*open, frame_rule::advance(bytes / frame_rule::kCodeAlignment));
  }
  rule.apply(*open, list, unit);
  return true;
}

}  // namespace psim::isa::assembler
