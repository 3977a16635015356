// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/text_line.h"

#include <fmt/format.h>

#include <boost/spirit/home/x3.hpp>
#include <functional>

namespace boost::spirit::x3 {
/// Matches a subject; a complaint names the expected item, not the action.
template <class Subject, class Action>
struct get_info<action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const action<Subject, Action>& parser) const { return what(parser.subject); }
};
}  // namespace boost::spirit::x3

namespace psim::isa::trace {

namespace {
namespace x3 = boost::spirit::x3;
using Iterator = const char*;
using Kind = TextLine::Kind;

struct LineTag {};
TextLine& of(auto& context) { return x3::get<LineTag>(context).get(); }

constexpr auto is = [](Kind kind) { return [kind](auto& context) { of(context).kind = kind; }; };
const auto add_number = [](auto& context) { of(context).numbers.push_back(x3::_attr(context)); };
const auto add_argument = [](auto& context) { of(context).arguments.push_back(x3::_attr(context)); };
const auto set_name = [](auto& context) { of(context).name = x3::_attr(context); };
const auto set_text = [](auto& context) { of(context).text = x3::_attr(context); };
const auto set_address = [](auto& context) { of(context).address = x3::_attr(context); };
const auto set_sbm = [](auto& context) { of(context).sbm = x3::_attr(context); };
const auto set_tags = [](auto& context) { of(context).tags = x3::_attr(context); };
const auto set_target = [](auto& context) { of(context).target = x3::_attr(context); };

template <class Attribute>
auto rule(const char* name, auto&& definition) {
  return x3::rule<struct Anonymous, Attribute>{name} = definition;
}

// Uses sets of characters rather than character classes, which are undefined for bytes beyond ASCII.
const auto word_end = !x3::char_("a-zA-Z0-9_-");
const auto number = [] {
  const x3::uint_parser<std::uint64_t, 16> hexadecimal;
  const x3::uint_parser<std::uint64_t, 10> decimal;
  return rule<std::uint64_t>("a number",
                             x3::lexeme[((x3::no_case["0x"] > hexadecimal) | decimal) >> word_end]);
}();
const auto integer =
    rule<std::int64_t>("a whole number", x3::lexeme[x3::int_parser<std::int64_t>() >> word_end]);
const auto quoted =
    rule<std::string>("a text in \"quotes\"",
                      x3::lexeme['"' >> *(('\\' >> x3::char_("\"\\")) | (x3::char_ - '"' - '\\')) >> '"']);
const auto name = rule<std::string>("a name", x3::lexeme[+x3::char_("a-zA-Z0-9_")]);

auto keyword(const char* text, Kind kind) { return x3::lexeme[x3::lit(text) >> word_end][is(kind)]; }
auto flag(bool taken) {
  return [taken](auto& context) { of(context).taken = taken; };
}

const auto comment = x3::lexeme[(x3::lit('#') | '!') >> *x3::char_];
const auto outcome = ('@' > number[set_address]) | ("->" > number[set_target]) |
                     (x3::lexeme["sbm" >> word_end] > number[set_sbm]) |
                     (x3::lexeme["tags" >> word_end] > number[set_tags]) |
                     x3::lexeme[x3::lit("taken") >> word_end][flag(true)] |
                     x3::lexeme[x3::lit("untaken") >> word_end][flag(false)];
const auto instruction = number[add_number][is(Kind::Instruction)] > -x3::lit(':') >
                         -x3::lexeme[".word" >> word_end] > number[add_number] > *outcome;
const auto item = (keyword("psim-trace", Kind::Head) > number[add_number]) |
                  (keyword("property", Kind::Property) > name[set_name] > '=' > quoted[set_text]) |
                  (keyword("text", Kind::Text) > number[add_number] > ':' > +number[add_number]) |
                  (keyword("notext", Kind::NoText) > number[add_number] > number[add_number]) |
                  (keyword("zeros", Kind::Zeros) > number[add_number] > number[add_number]) |
                  (keyword("window", Kind::Window) > number[add_number]) | keyword("wait", Kind::Wait) |
                  keyword("signal", Kind::Signal) |
                  (keyword("simd", Kind::Simd) > number[add_number] > number[add_number]) |
                  (keyword("transfer", Kind::Transfer) > x3::repeat(11)[integer[add_argument]]) |
                  (keyword("spill", Kind::Spill) > number[add_number] > "window" > number[add_number]) |
                  (keyword("fill", Kind::Fill) > number[add_number] > "window" > number[add_number]) |
                  (keyword("begin", Kind::Begin) > quoted[set_name] > *integer[add_argument]) |
                  (keyword("end", Kind::End) > quoted[set_name]) | instruction;
const auto line_end =
    rule<x3::unused_type>("the end of the line or a comment", x3::omit[-comment] >> x3::eoi);
}  // namespace

TextLine parse_text_line(std::string_view text) {
  TextLine result;
  Iterator at = text.data();
  const Iterator begin = at, end = at + text.size();
  const auto skip = x3::char_(" \t\r");
  const auto column = [&](Iterator where) {
    while (where != end && (*where == ' ' || *where == '\t')) ++where;
    return static_cast<std::uint32_t>(where - begin) + 1;
  };
  result.column = column(begin);
  const auto got = [&](Iterator where) {
    const std::string_view rest = text.substr(column(where) - 1);
    if (rest.empty()) return std::string("the end of the line");
    return std::string(rest.substr(0, std::min<std::size_t>(rest.find_first_of(" \t\r"), 40)));
  };
  try {
    const auto whole = x3::with<LineTag>(std::ref(result))[-item > line_end];
    if (x3::phrase_parse(at, end, whole, skip)) return result;
  } catch (const x3::expectation_failure<Iterator>& failure) {
    if (result.kind == Kind::Empty)
      throw TextComplaint{
          result.column,
          fmt::format("got {}, expected an instruction (PC: WORD) or one of psim-trace, property, "
                      "text, notext, zeros, window, simd, transfer, wait, signal, spill, fill, begin, end",
                      got(begin))};
    throw TextComplaint{column(failure.where()),
                        fmt::format("got {}, expected {}", got(failure.where()), failure.which())};
  }
  throw TextComplaint{1, "not understood"};
}

}  // namespace psim::isa::trace
