// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <charconv>

#include "base/error.h"
#include "isa/assembler/known_names.h"

namespace psim::isa::assembler {
namespace {

namespace x3 = boost::spirit::x3;
using Iterator = const char*;
using Token = boost::iterator_range<Iterator>;

// Nested parentheses and signs recurse in the parser.
constexpr unsigned kDeepestParenthesis = 100;

/// The result that the grammar's actions fill. The grammar never tries an alternative after an action has
/// run, so that no action has to be undone.
class Builder {
 public:
  Builder(std::string_view line, std::vector<Statement>& statements) : statements(statements), line_(line) {}

  std::uint32_t column(Iterator at) const { return static_cast<std::uint32_t>(at - line_.data()) + 1; }
  std::vector<Statement>& statements;

  Statement& now() { return statements.back(); }
  Expression& expression() { return now().arguments.back().expression; }
  void begin_statement() { statements.emplace_back(); }

  void label(const Token& name) {
    now().labels.push_back({std::string(name.begin(), name.end()), column(name.begin())});
  }
  void assignment(const Token& name) {
    mnemonic(name);
    now().mnemonic.assign(name.begin(), name.end());
    now().assignment = true;
  }
  void mnemonic(const Token& token) {
    std::string_view text(token.begin(), static_cast<std::size_t>(token.size()));
    now().column = column(token.begin());
    const std::size_t comma = text.find(',');
    now().mnemonic = text.substr(0, comma);
    std::ranges::transform(now().mnemonic, now().mnemonic.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (comma == std::string_view::npos) return;
    now().suffix_column = now().column + static_cast<std::uint32_t>(comma);
    for (text.remove_prefix(comma); !text.empty();) {
      text.remove_prefix(1);
      const std::string_view suffix = text.substr(0, text.find(','));
      if (suffix == "a") {
        now().annul = true;
      } else {
        now().taken = suffix == "pt";
      }
      text.remove_prefix(suffix.size());
    }
  }
  void argument(Argument::Kind kind, Iterator at) {
    Argument& added = now().arguments.emplace_back();
    added.kind = kind;
    added.column = added.expression.column = column(at);
  }
  void text(Argument::Kind kind, const Token& token) {
    argument(kind, token.begin());
    const std::string_view all(token.begin(), static_cast<std::size_t>(token.size()));
    now().arguments.back().text = kind == Argument::Kind::String
                                      ? unescaped(all.substr(1, all.size() - 2), column(token.begin()) + 1)
                                      : std::string(all);
  }

  void item(Item::Kind kind, const Token& token) {
    Item& added = expression().items.emplace_back();
    added.kind = kind;
    added.column = column(token.begin());
    added.text.assign(token.begin(), token.end());
  }
  void number(const Token& token) {
    const std::string_view text(token.begin(), static_cast<std::size_t>(token.size()));
    item(Item::Kind::Number, token);
    Item& added = expression().items.back();
    const char last = text.back();
    const std::string_view digits = text.substr(0, text.size() - 1);
    const bool reference = (last == 'f' || last == 'b') &&
                           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (reference) {
      added.kind = Item::Kind::Symbol;
      return;
    }
    unsigned base = 10;
    std::string_view rest = text;
    if (text.size() > 1 && text[0] == '0') {
      const char second = text[1];
      base = second == 'x' || second == 'X' ? 16 : second == 'b' || second == 'B' ? 2 : 8;
      rest.remove_prefix(base == 8 ? 1 : 2);
    }
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), added.number, static_cast<int>(base));
    if (error == std::errc::result_out_of_range)
      throw Complaint{added.column, fmt::format("got {}, expected a number of at most 64 bits", text)};
    if (error != std::errc{} || end != rest.data() + rest.size())
      throw Complaint{added.column,
                      fmt::format("got {}, expected a number or a numeric label such as 1f", text)};
  }
  void character(const Token& token) {
    item(Item::Kind::Number, token);
    const std::string text =
        unescaped({token.begin() + 1, static_cast<std::size_t>(token.size()) - 1}, column(token.begin()) + 1);
    expression().items.back().number = static_cast<unsigned char>(text.front());
  }
  void reg(const Token& token, Register which) {
    item(Item::Kind::Register, token);
    expression().items.back().reg = which;
  }
  [[noreturn]] void unknown_percent(const Token& token) const;

  // Operators wait until their last operand was read.
  void push(const Token& token, Item::Kind kind, Modifier modifier = Modifier::None) {
    if (waiting_.size() == kDeepestParenthesis)
      throw Complaint{column(token.begin()),
                      fmt::format("got an expression nested deeper than {}, expected a "
                                  "simpler one",
                                  kDeepestParenthesis)};
    Item& added = waiting_.emplace_back();
    added.kind = kind;
    added.modifier = modifier;
    added.operation = *token.begin();
    added.column = column(token.begin());
  }
  void pop() {
    if (waiting_.back().kind != Item::Kind::Number) expression().items.push_back(waiting_.back());
    waiting_.pop_back();
  }
  void end_argument(Iterator at) {
    Argument& last = now().arguments.back();
    const char* begin = line_.data() + last.column - 1;
    std::string_view source(begin, static_cast<std::size_t>(at - begin));
    while (!source.empty() && source.back() <= ' ') source.remove_suffix(1);
    last.expression.source = source;
  }

 private:
  static std::string unescaped(std::string_view text, std::uint32_t column);

  std::string_view line_;
  std::vector<Item> waiting_;
};

std::string Builder::unescaped(std::string_view text, std::uint32_t column) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      result += text[at];
      continue;
    }
    const std::size_t escape = at++;
    const auto value = [&](unsigned base, std::size_t most) {
      unsigned code = 0;
      std::size_t used = 0;
      for (; used < most && at < text.size(); ++used, ++at) {
        const char c = text[at];
        const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                               : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                      : 99u;
        if (digit >= base) break;
        code = code * base + digit;
      }
      --at;
      if (used == 0 || code > 255)
        throw Complaint{column + static_cast<std::uint32_t>(escape), "got a character code outside 0 … 255"};
      result += static_cast<char>(code);
    };
    static constexpr std::string_view kLetters = "abfnrtv\\\"'", kCodes = "\a\b\f\n\r\t\v\\\"'";
    const char c = text[at];
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
      result += kCodes[letter];
    } else if (c == 'x') {
      ++at;
      value(16, 2);
    } else if (c >= '0' && c <= '7') {
      value(8, 3);
    } else {
      throw Complaint{
          column + static_cast<std::uint32_t>(escape),
          fmt::format("got \\{}, expected one of \\a \\b \\f \\n \\r \\t \\v \\\\ \\\" \\' \\x41 \\101", c)};
    }
  }
  return result;
}

void Builder::unknown_percent(const Token& token) const {
  const std::string name(token.begin(), token.end());
  throw Complaint{column(token.begin()), fmt::format("got {}, expected a register or %hi(…){}", name,
                                                     did_you_mean(name, known().all))};
}

// Actions.
struct BuilderTag;
template <typename Context>
Builder& builder(Context& context) {
  return x3::get<BuilderTag>(context).get();
}
const auto on_label = [](auto& c) { builder(c).label(_attr(c)); };
const auto on_assignment = [](auto& c) { builder(c).assignment(_attr(c)); };
const auto on_mnemonic = [](auto& c) { builder(c).mnemonic(_attr(c)); };
const auto on_statement = [](auto& c) { builder(c).begin_statement(); };
const auto on_string = [](auto& c) { builder(c).text(Argument::Kind::String, _attr(c)); };
const auto on_raw = [](auto& c) { builder(c).text(Argument::Kind::Raw, _attr(c)); };
const auto on_plain = [](auto& c) { builder(c).argument(Argument::Kind::Plain, _attr(c).begin()); };
const auto on_address = [](auto& c) { builder(c).argument(Argument::Kind::Address, _attr(c).begin()); };
const auto on_after = [](auto& c) { builder(c).argument(Argument::Kind::AfterAddress, _attr(c).begin()); };
const auto on_end = [](auto& c) { builder(c).end_argument(_attr(c).begin()); };
const auto on_number = [](auto& c) { builder(c).number(_attr(c)); };
const auto on_character = [](auto& c) { builder(c).character(_attr(c)); };
const auto on_symbol = [](auto& c) { builder(c).item(Item::Kind::Symbol, _attr(c)); };
const auto on_word = [](auto& c) { builder(c).item(Item::Kind::Word, _attr(c)); };
const auto on_percent = [](auto& c) { builder(c).unknown_percent(_attr(c)); };
const auto on_register = [](auto& c) {
  const Token token = _attr(c);
  builder(c).reg(token, known().by_name.at(std::string(token.begin(), token.end())));
};
const auto on_modifier = [](auto& c) {
  const Token token = _attr(c);
  builder(c).push(token, Item::Kind::SelectBits,
                  *known().modifiers.find(std::string(token.begin(), token.end())));
};
const auto on_parenthesis = [](auto& c) { builder(c).push(_attr(c), Item::Kind::Number); };
const auto on_unary = [](auto& c) {
  const char sign = *_attr(c).begin();
  builder(c).push(_attr(c), sign == '-'   ? Item::Kind::Negate
                            : sign == '~' ? Item::Kind::Invert
                                          : Item::Kind::Number);
};
const auto on_binary = [](auto& c) { builder(c).push(_attr(c), Item::Kind::Binary); };
const auto on_operation_end = [](auto& c) { builder(c).pop(); };

// Words. They use sets of characters rather than character classes (digit, blank), which are undefined for
// bytes beyond ASCII.
const auto name_head = x3::char_("a-zA-Z_.$");
const auto name_tail = x3::char_("a-zA-Z0-9_.$");
const auto name = x3::raw[x3::lexeme[name_head >> *name_tail]];
const auto after_word = !x3::char_("a-zA-Z0-9_");
const auto here = x3::raw[x3::eps];
const auto suffix = ',' >> (x3::lit("pt") | "pn" | "a") >> !name_tail;
const auto done = x3::eps[on_operation_end];

struct StringClass {};
struct PrimaryClass {};
struct UnaryClass {};
struct ProductClass {};
struct LogicClass {};
struct SumClass {};
struct ArgumentClass {};
struct EndClass {};
struct CloseParenthesisClass {};
struct CloseBracketClass {};
struct OpenParenthesisClass {};
// Messages print the names of rules as the expected item.
const x3::rule<StringClass> string_literal = "a string in double quotes";
const x3::rule<PrimaryClass> primary = "a register, number, symbol or (";
const x3::rule<UnaryClass> unary = "a register, number, symbol or (";
const x3::rule<ProductClass> product = "a register, number, symbol or (";
const x3::rule<LogicClass> logic = "a register, number, symbol or (";
const x3::rule<SumClass> sum = "a register, number, symbol or (";
const x3::rule<ArgumentClass> argument = "an operand";
const x3::rule<EndClass> end = "a comma, an operator or the end of the statement";
const x3::rule<CloseParenthesisClass> close_parenthesis = ")";
const x3::rule<CloseBracketClass> close_bracket = "]";
const x3::rule<OpenParenthesisClass> open_parenthesis = "(";

const auto open_parenthesis_def = x3::lit('(');
const auto close_parenthesis_def = x3::lit(')');
const auto close_bracket_def = x3::lit(']');

const auto percent_word = x3::raw[x3::lexeme['%' >> +x3::char_("a-zA-Z0-9_")]];
const auto modifier = x3::raw[x3::lexeme[known().modifiers >> after_word]];
const auto register_word = x3::raw[x3::lexeme[known().registers >> after_word]];
const auto code = '\\' >> (('x' >> x3::repeat(1, 2)[x3::char_("0-9a-fA-F")]) |
                           x3::repeat(1, 3)[x3::char_("0-7")] | x3::char_);
const auto character = x3::raw[x3::lexeme['\'' >> (code | x3::char_) >> -x3::lit('\'')]];
const auto primary_def =                                                           //
    x3::raw[x3::lexeme[x3::char_("0-9") >> *x3::char_("a-zA-Z0-9_")]][on_number]   //
    | name[on_symbol]                                                              //
    | (modifier[on_modifier] > open_parenthesis > sum > close_parenthesis > done)  //
    | register_word[on_register]                                                   //
    | percent_word[on_percent]                                                     //
    | x3::raw[x3::lexeme[x3::char_("#@") >> +name_tail]][on_word]                  //
    | character[on_character]                                                      //
    | (x3::raw[x3::lit('(')][on_parenthesis] > sum > close_parenthesis > done);
const auto unary_def = (x3::raw[x3::char_("-~+")][on_unary] > unary > done) | primary;
const auto product_operator =
    x3::raw[x3::lexeme[x3::char_("*/") | "<<" | ">>" | ('%' >> !x3::char_("a-zA-Z"))]];
const auto product_def = unary >> *(product_operator[on_binary] > unary > done);
const auto logic_def = product >> *(x3::raw[x3::char_("&|^")][on_binary] > product > done);
const auto sum_def = logic >> *(x3::raw[x3::char_("-+")][on_binary] > logic > done);

const auto string_literal_def =
    x3::raw[x3::lexeme['"' >> *(('\\' >> x3::char_) | (x3::char_ - '"' - '\\')) >> '"']][on_string];
const auto asi = &x3::char_("a-zA-Z0-9_.$%#(") >> here[on_after] >> sum >> here[on_end];
const auto argument_def =                                                                       //
    string_literal                                                                              //
    | ((&x3::lit('[') >> here[on_address] >> '[') > sum > close_bracket > here[on_end] > -asi)  //
    | (!x3::lit('[') >> &x3::char_("a-zA-Z0-9_.$%#@'(~+-") >> here[on_plain] >> sum >> here[on_end]);
const auto end_def = x3::eoi | &x3::lit(';');

// These directives read their text themselves: section names and real numbers are no expressions.
const auto raw_directive =
    x3::raw[x3::lexeme[x3::no_case[x3::lit(".section") | ".file" | ".pushsection" | ".single" | ".float" |
                                   ".double" | ".cfi_" >> *name_tail | ".loc" | ".proc"] >>
                       !name_tail]];
const auto raw_text = x3::raw[x3::lexeme[*(('"' >> *(('\\' >> x3::char_) | (x3::char_ - '"' - '\\')) >> '"') |
                                           (x3::char_ - ';' - '"'))]];

const auto label = (name >> ':')[on_label] | (x3::raw[x3::lexeme[+x3::char_("0-9")]] >> ':')[on_label];
const auto instruction = x3::raw[x3::lexeme[name_head >> *name_tail >> *suffix]];
const auto statement = x3::eps[on_statement] >> *label >>
                       -((raw_directive[on_mnemonic] > raw_text[on_raw]) |
                         ((name >> '=')[on_assignment] > argument) |
                         (instruction[on_mnemonic] >> -(argument >> *(',' > argument))));
const auto line = (statement % ';') > end;

BOOST_SPIRIT_DEFINE(string_literal, primary, unary, product, logic, sum, argument, end, close_parenthesis,
                    close_bracket, open_parenthesis)

/// Returns the word at `at`, for messages.
std::string token_at(Iterator at, Iterator last) {
  while (at != last && (*at == ' ' || *at == '\t')) ++at;
  if (at == last) return "the end of the line";
  const auto wordy = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (c & 0x80) != 0;  // part of a longer character
  };
  Iterator stop = at + 1;
  if (wordy(*at) || *at == '%' || *at == '#')
    while (stop != last && wordy(*stop) && stop - at < 40) ++stop;
  return {at, stop};
}

}  // namespace

void parse_line(std::string_view text, std::vector<Statement>& statements) {
  Builder result(text, statements);
  Iterator at = text.data();
  const Iterator last = at + text.size();
  try {
    x3::phrase_parse(at, last, x3::with<BuilderTag>(std::ref(result))[line], x3::char_(" \t\r\f\v"));
  } catch (const x3::expectation_failure<Iterator>& failure) {
    Iterator where = failure.where();
    while (where != last && (*where == ' ' || *where == '\t')) ++where;
    throw Complaint{result.column(where),
                    fmt::format("got {}, expected {}", token_at(where, last), failure.which())};
  }
}

std::optional<Register> register_named(std::string_view name) {
  const auto found = known().by_name.find(name);
  return found == known().by_name.end() ? std::nullopt : std::optional(found->second);
}

std::string name_of(Register reg) {
  for (const std::string& name : known().all) {
    const auto found = known().by_name.find(name);
    if (found != known().by_name.end() && found->second == reg) return name;
  }
  return "a register";
}

}  // namespace psim::isa::assembler
