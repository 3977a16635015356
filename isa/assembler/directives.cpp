// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/directives.h"

#include <elf.h>
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/parse_number.h"
#include "isa/assembler/raw_parts.h"

namespace psim::isa::assembler {
namespace {

using Arguments = std::vector<Argument>;

[[noreturn]] void refuse(const Argument& argument, std::string_view expected) {
  const std::string got = argument.kind == Argument::Kind::String ? fmt::format("\"{}\"", argument.text)
                          : argument.kind == Argument::Kind::Raw  ? argument.text
                                                                  : argument.expression.source;
  throw Complaint{argument.column, fmt::format("got {}, expected {}", got, expected)};
}

void expect_count(const Statement& statement, std::size_t least, std::size_t most,
                  std::string_view expected) {
  const std::size_t count = statement.arguments.size();
  if (count < least || count > most)
    throw Complaint{statement.column,
                    fmt::format("got {} with {} operands, expected {}", statement.mnemonic, count, expected)};
}

/// Returns the argument's symbol; it must be nothing else.
const std::string& symbol_name(const Argument& argument) {
  const std::vector<Item>& items = argument.expression.items;
  const bool plain = argument.kind == Argument::Kind::Plain && items.size() == 1 &&
                     items[0].kind == Item::Kind::Symbol && items[0].text != "." &&
                     (items[0].text[0] < '0' || items[0].text[0] > '9');
  if (!plain) refuse(argument, "the name of a symbol");
  return items[0].text;
}

/// Returns the word of "#function" or "@function", without the mark.
std::string_view word(const Argument& argument, std::string_view expected) {
  const std::vector<Item>& items = argument.expression.items;
  if (argument.kind != Argument::Kind::Plain || items.size() != 1 || items[0].kind != Item::Kind::Word)
    refuse(argument, expected);
  return std::string_view(items[0].text).substr(1);
}

void data(Statement& statement, Unit& unit, unsigned bytes) {
  for (Argument& argument : statement.arguments) {
    if (argument.kind != Argument::Kind::Plain) refuse(argument, "a number or an address");
    const Value value = unit.value_now(argument.expression);
    if (value.register_count != 0 || value.word != Value::Word::None)
      refuse(argument, "a number or an address");
    unit.fill_later({Operand::None, static_cast<std::uint8_t>(bytes)}, argument.expression);
    unit.emit(0, bytes, argument.column);
  }
}

/// Emits the shortest form if the value is known here, or four bytes if it depends on later labels.
void leb(Statement& statement, Unit& unit, bool is_signed) {
  for (Argument& argument : statement.arguments) {
    if (argument.kind != Argument::Kind::Plain) refuse(argument, "a number");
    const Value value = unit.value_now(argument.expression);
    if (value.register_count != 0 || value.word != Value::Word::None) refuse(argument, "a number");
    if (!value.constant()) {
      unit.fill_later({Operand::None, 4, is_signed ? Field::Leb::Signed : Field::Leb::Unsigned},
                      argument.expression);
      unit.emit(0, 4, argument.column);
      continue;
    }
    std::uint64_t left = value.number;
    for (bool last = false; !last;) {
      const auto low = static_cast<unsigned>(left & 0x7f);
      left = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(left) >> 7) : left >> 7;
      last = is_signed ? left == ((low & 0x40) != 0 ? ~std::uint64_t{0} : 0) : left == 0;
      unit.emit(low | (last ? 0 : 0x80), 1, argument.column);
    }
  }
}

void text(Statement& statement, Unit& unit, bool terminated) {
  for (const Argument& argument : statement.arguments) {
    if (argument.kind != Argument::Kind::String) refuse(argument, "a string in double quotes");
    unit.emit(argument.text, argument.column);
    if (terminated) unit.emit(std::string_view("", 1), argument.column);
  }
}

std::string_view unquoted(std::string_view text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

template <typename Real, typename Bits>
void reals(const Statement& statement, Unit& unit) {
  for (const auto& [part, column] : parts(statement.arguments.at(0))) {
    std::string_view digits = part;
    // "0r1.5" is an older notation for a real number.
    if (digits.starts_with("0r") || digits.starts_with("0f") || digits.starts_with("0d"))
      digits.remove_prefix(2);
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    Real value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range)
      throw Complaint{
          column, fmt::format("got {}, expected a number within the range of {}", part, statement.mnemonic)};
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.starts_with('-'))
      throw Complaint{column, fmt::format("got {}, expected a real number such as 1.5e-3, inf or nan",
                                          part.empty() ? "nothing" : part)};
    unit.emit(std::bit_cast<Bits>(negative ? -value : value), sizeof(Real), column);
  }
}

struct SectionKind {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t flags;
};
constexpr SectionKind kSectionKinds[] = {
    {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".init", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".fini", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata", SHT_PROGBITS, SHF_ALLOC},
    {".tdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".init_array", SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".fini_array", SHT_FINI_ARRAY, SHF_ALLOC | SHF_WRITE},
};
Section section_like(std::string_view name) {
  for (const SectionKind& kind : kSectionKinds) {
    // ".rodata.str1.8" is a variant of .rodata.
    if (name == kind.name || (name.starts_with(kind.name) && name[kind.name.size()] == '.'))
      return section_named(std::string(name), kind.type, kind.flags, 1);
  }
  return section_named(std::string(name), name.starts_with(".note") ? SHT_NOTE : SHT_PROGBITS, 0, 1);
}

void section(const Statement& statement, Unit& unit) {
  const std::vector<Part> list = parts(statement.arguments.at(0));
  const std::string_view name = unquoted(list[0].text);
  if (name.empty()) throw Complaint{list[0].column, "got no name, expected a section such as .text"};
  Section result = section_like(name);
  if (list.size() > 1) {
    // Solaris: #alloc, #write, #execinstr. GNU: "aw", @progbits, entry size.
    result.flags = 0;
    std::size_t at = 1;
    bool group = false;
    if (list[1].text.starts_with('"')) {
      for (const char flag : unquoted(list[1].text)) {
        // Symbols of a group are weak as well, which suffices to link only one of them.
        if (flag == 'G') {
          group = result.grouped = true;
          continue;
        }
        static constexpr std::string_view kLetters = "awxMST";
        static constexpr std::uint64_t kFlags[] = {SHF_ALLOC, SHF_WRITE,   SHF_EXECINSTR,
                                                   SHF_MERGE, SHF_STRINGS, SHF_TLS};
        const std::size_t letter = kLetters.find(flag);
        if (letter == std::string_view::npos)
          throw Complaint{list[1].column,
                          fmt::format("got the flag {}, expected one of a w x M S G T", flag)};
        result.flags |= kFlags[letter];
      }
      at = 2;
    }
    for (; at < list.size(); ++at) {
      const auto& [part, column] = list[at];
      const std::size_t group_name = (result.flags & SHF_MERGE) != 0 ? 4 : 3;
      if (group && at >= group_name) break;
      if (part == "#alloc")
        result.flags |= SHF_ALLOC;
      else if (part == "#write")
        result.flags |= SHF_WRITE;
      else if (part == "#execinstr")
        result.flags |= SHF_EXECINSTR;
      else if (part == "#tls")
        result.flags |= SHF_TLS;
      else if (part == "@progbits" || part == "#progbits")
        result.type = SHT_PROGBITS;
      else if (part == "@nobits" || part == "#nobits")
        result.type = SHT_NOBITS;
      else if (part == "@note" || part == "#note")
        result.type = SHT_NOTE;
      else if (part == "@init_array")
        result.type = SHT_INIT_ARRAY;
      else if (part == "@fini_array")
        result.type = SHT_FINI_ARRAY;
      else if (at == 3 && (result.flags & SHF_MERGE) != 0) {
        const auto size = parse_number<decltype(result.entry_size)>(part);
        if (!size) throw Complaint{column, fmt::format("got {}, expected the size of an entry", part)};
        result.entry_size = *size;
      } else {
        throw Complaint{
            column, fmt::format("got {}, expected #alloc, #write, #execinstr, @progbits or @nobits", part)};
      }
    }
  }
  const bool zeros = result.type == SHT_NOBITS && (result.flags & SHF_ALLOC) != 0;
  if (zeros && ((result.flags & SHF_WRITE) == 0 || (result.flags & SHF_EXECINSTR) != 0))
    throw Complaint{list[0].column,
                    fmt::format("got {} without contents, expected a section that is written and not "
                                "executed: zeros are of no other use",
                                name)};
  if ((result.flags & (SHF_MERGE | SHF_STRINGS)) != 0 && result.entry_size == 0) result.entry_size = 1;
  unit.enter_section(std::move(result));
}

void set_binding(const Statement& statement, Unit& unit, unsigned char binding) {
  for (const Argument& argument : statement.arguments) {
    Unit::Definition& definition = unit.named(symbol_name(argument));
    if (definition.symbol.binding != STB_GNU_UNIQUE) definition.symbol.binding = binding;
    definition.declared_local = binding == STB_LOCAL;
  }
}
void set_visibility(const Statement& statement, Unit& unit, unsigned char visibility) {
  for (const Argument& argument : statement.arguments)
    unit.named(symbol_name(argument)).symbol.visibility = visibility;
}

void set_type(const Statement& statement, Unit& unit) {
  expect_count(statement, 2, 2, "a symbol and #function or #object");
  const std::string_view kind = word(statement.arguments[1], "#function, #object or #tls_object");
  unsigned char type = STT_NOTYPE;
  if (kind == "function")
    type = STT_FUNC;
  else if (kind == "object")
    type = STT_OBJECT;
  else if (kind == "tls_object")
    type = STT_TLS;
  else if (kind == "gnu_unique_object")
    type = STT_OBJECT, unit.named(symbol_name(statement.arguments[0])).symbol.binding = STB_GNU_UNIQUE;
  else if (kind != "notype")
    refuse(statement.arguments[1], "#function, #object, #tls_object or #notype");
  unit.named(symbol_name(statement.arguments[0])).symbol.type = type;
}

void set_size(Statement& statement, Unit& unit) {
  expect_count(statement, 2, 2, "a symbol and its size");
  Argument& size = statement.arguments[1];
  if (size.kind != Argument::Kind::Plain) refuse(size, "a number");
  unit.localise(size.expression);
  Unit::Definition& definition = unit.named(symbol_name(statement.arguments[0]));
  definition.size = size.expression;
  if (definition.line == 0) definition.line = unit.line;
}

void skip(Statement& statement, Unit& unit) {
  expect_count(statement, 1, 2, "a count of bytes and perhaps their value");
  Arguments& arguments = statement.arguments;
  const std::int64_t count = unit.number_now(arguments[0]);
  if (count < 0) refuse(arguments[0], "a count from 0 on");
  const std::int64_t fill = arguments.size() > 1 ? unit.number_now(arguments[1]) : 0;
  if (fill < -128 || fill > 255) refuse(arguments[1], "-128 … 255");
  unit.skip(static_cast<std::uint64_t>(count), static_cast<std::uint8_t>(fill), arguments[0].column);
}

void align(Statement& statement, Unit& unit, bool exponent) {
  expect_count(statement, 1, 1, exponent ? "the exponent of a power of two" : "a power of two");
  std::int64_t value = unit.number_now(statement.arguments[0]);
  if (exponent && (value < 0 || value > 20)) refuse(statement.arguments[0], "0 … 20");
  if (exponent) value = std::int64_t{1} << value;
  unit.align(static_cast<std::uint64_t>(value), statement.arguments[0].column);
}

void common(Statement& statement, Unit& unit) {
  expect_count(statement, 2, 3, "a symbol, its size in bytes and perhaps its alignment");
  Arguments& arguments = statement.arguments;
  const std::int64_t size = unit.number_now(arguments[1]);
  if (size < 0) refuse(arguments[1], "a count from 0 on");
  const std::int64_t alignment = arguments.size() > 2 ? unit.number_now(arguments[2]) : 8;
  unit.common(symbol_name(arguments[0]), static_cast<std::uint64_t>(size),
              static_cast<std::uint64_t>(alignment), arguments[0].column);
}

/// %g2 and %g3 belong to the application: a program declares them before use.
void declare_register(const Statement& statement) {
  expect_count(statement, 2, 2, "%g2, %g3, %g6 or %g7, and #scratch or #ignore");
  const std::vector<Item>& items = statement.arguments[0].expression.items;
  const bool global = items.size() == 1 && items[0].kind == Item::Kind::Register &&
                      items[0].reg.kind == RegisterClass::Integer &&
                      (items[0].reg.number == 2 || items[0].reg.number == 3 || items[0].reg.number == 6 ||
                       items[0].reg.number == 7);
  if (!global) refuse(statement.arguments[0], "%g2, %g3, %g6 or %g7");
  const std::string_view use = word(statement.arguments[1], "#scratch or #ignore");
  if (use != "scratch" && use != "ignore") refuse(statement.arguments[1], "#scratch or #ignore");
}

/// Lines are not described, but "view LABEL" at the end defines a number, which gcc's -g uses elsewhere.
void location(Statement& statement, Unit& unit) {
  const std::string_view all = statement.arguments.at(0).text;
  constexpr std::string_view kView = " view ";
  const std::size_t at = all.find(kView);
  if (at == std::string_view::npos) return;
  std::string_view label = all.substr(at + kView.size());
  label = label.substr(0, label.find_first_of(" \t"));
  if (label.empty() || (label[0] >= '0' && label[0] <= '9') || label[0] == '-') return;
  Expression zero;
  zero.column = statement.arguments[0].column;
  zero.items.emplace_back().column = zero.column;
  unit.equate(std::string(label), zero, zero.column);
}

using Action = void (*)(Statement&, Unit&);
void nothing(Statement&, Unit&) {}

const std::map<std::string, Action, std::less<>>& actions() {
  // clang-format off
  static const std::map<std::string, Action, std::less<>> list{
      {".text", [](Statement&, Unit& u) { u.enter_section(section_like(".text")); }},
      {".data", [](Statement&, Unit& u) { u.enter_section(section_like(".data")); }},
      {".rodata", [](Statement&, Unit& u) { u.enter_section(section_like(".rodata")); }},
      {".bss", [](Statement&, Unit& u) { u.enter_section(section_like(".bss")); }},
      {".section", [](Statement& s, Unit& u) { section(s, u); }},
      {".subsection", [](Statement& s, Unit& u) {
         expect_count(s, 1, 1, "a number");
         const std::int64_t number = u.number_now(s.arguments[0]);
         if (number < -8192 || number > 8192) refuse(s.arguments[0], "-8192 … 8192");
         u.enter_subsection(number);
       }},
      {".previous", [](Statement&, Unit& u) { u.previous_section(); }},
      {".byte", [](Statement& s, Unit& u) { data(s, u, 1); }},
      {".half", [](Statement& s, Unit& u) { data(s, u, 2); }},
      {".short", [](Statement& s, Unit& u) { data(s, u, 2); }},
      {".uahalf", [](Statement& s, Unit& u) { data(s, u, 2); }},
      {".word", [](Statement& s, Unit& u) { data(s, u, 4); }},
      {".long", [](Statement& s, Unit& u) { data(s, u, 4); }},
      {".int", [](Statement& s, Unit& u) { data(s, u, 4); }},
      {".uaword", [](Statement& s, Unit& u) { data(s, u, 4); }},
      {".xword", [](Statement& s, Unit& u) { data(s, u, 8); }},
      {".quad", [](Statement& s, Unit& u) { data(s, u, 8); }},
      {".nword", [](Statement& s, Unit& u) { data(s, u, 8); }},
      {".uaxword", [](Statement& s, Unit& u) { data(s, u, 8); }},
      {".uleb128", [](Statement& s, Unit& u) { leb(s, u, false); }},
      {".sleb128", [](Statement& s, Unit& u) { leb(s, u, true); }},
      {".single", [](Statement& s, Unit& u) { reals<float, std::uint32_t>(s, u); }},
      {".float", [](Statement& s, Unit& u) { reals<float, std::uint32_t>(s, u); }},
      {".double", [](Statement& s, Unit& u) { reals<double, std::uint64_t>(s, u); }},
      {".ascii", [](Statement& s, Unit& u) { text(s, u, false); }},
      {".asciz", [](Statement& s, Unit& u) { text(s, u, true); }},
      {".string", [](Statement& s, Unit& u) { text(s, u, true); }},
      {".skip", skip},
      {".space", skip},
      {".zero", skip},
      {".align", [](Statement& s, Unit& u) { align(s, u, false); }},
      {".balign", [](Statement& s, Unit& u) { align(s, u, false); }},
      {".p2align", [](Statement& s, Unit& u) { align(s, u, true); }},
      {".global", [](Statement& s, Unit& u) { set_binding(s, u, STB_GLOBAL); }},
      {".globl", [](Statement& s, Unit& u) { set_binding(s, u, STB_GLOBAL); }},
      {".weak", [](Statement& s, Unit& u) { set_binding(s, u, STB_WEAK); }},
      {".local", [](Statement& s, Unit& u) { set_binding(s, u, STB_LOCAL); }},
      {".hidden", [](Statement& s, Unit& u) { set_visibility(s, u, STV_HIDDEN); }},
      {".protected", [](Statement& s, Unit& u) { set_visibility(s, u, STV_PROTECTED); }},
      {".internal", [](Statement& s, Unit& u) { set_visibility(s, u, STV_INTERNAL); }},
      {".type", [](Statement& s, Unit& u) { set_type(s, u); }},
      {".size", set_size},
      {".common", common},
      {".comm", common},
      {".register", [](Statement& s, Unit&) { declare_register(s); }},
      {".set", [](Statement& s, Unit& u) {
         expect_count(s, 2, 2, "a symbol and its value");
         if (s.arguments[1].kind != Argument::Kind::Plain) refuse(s.arguments[1], "a number or an address");
         u.equate(symbol_name(s.arguments[0]), s.arguments[1].expression, s.arguments[0].column);
       }},
      // Notes for debuggers and other assemblers.
      {".file", nothing}, {".ident", nothing}, {".proc", nothing}, {".loc", location}, {".version", nothing},
  };
  // clang-format on
  return list;
}

}  // namespace

void carry_out(Statement& statement, Unit& unit) {
  if (statement.mnemonic == ".equ") statement.mnemonic = ".set";
  const auto found = actions().find(statement.mnemonic);
  if (found != actions().end()) {
    found->second(statement, unit);
    return;
  }
  if (unit.call_frames.carry_out(statement, unit)) return;
  std::vector<std::string> names = CallFrames::directives();
  for (const auto& [name, action] : actions()) names.push_back(name);
  throw Complaint{statement.column, fmt::format("got {}, expected a directive{}", statement.mnemonic,
                                                did_you_mean(statement.mnemonic, names))};
}

}  // namespace psim::isa::assembler
