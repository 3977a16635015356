// SPDX-License-Identifier: Apache-2.0
// All words that begin with a percent sign. Only the grammar includes this file: it needs Spirit.
#pragma once

#include <fmt/format.h>

#include <boost/spirit/home/x3.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "isa/assembler/link_operators.h"
#include "isa/assembler/syntax.h"
#include "isa/table/operand_names.h"

namespace psim::isa::assembler {

/// Names of registers and modifiers, from the tables of the disassembler.
struct Names {
  boost::spirit::x3::symbols<Register> registers;
  boost::spirit::x3::symbols<Modifier> modifiers;
  std::map<std::string, Register, std::less<>> by_name;
  std::vector<std::string> all;

  void add(std::string name, RegisterClass kind, std::size_t number) {
    const Register reg{kind, static_cast<std::uint8_t>(number)};
    if (!by_name.emplace(name, reg).second) return;
    registers.add(name, reg);
    all.push_back(std::move(name));
  }
  Names() {
    using enum RegisterClass;
    for (unsigned n = 0; n < 32; ++n) {
      add(std::string(names::kIntegerNames[n]), Integer, n);
      add(fmt::format("%r{}", n), Integer, n);
      add(fmt::format("%f{}", n), Float, n);
      if (n % 2 == 0) add(fmt::format("%f{}", n + 32), Float, n + 32);
      if (n < 4) add(fmt::format("%fcc{}", n), Fcc, n);
    }
    add("%o6", Integer, 14);
    add("%i6", Integer, 30);
    add("%icc", Icc, 0);
    add("%xcc", Icc, 2);
    for (std::size_t n = 0; n < names::kAsrNames.size(); ++n) add(std::string(names::kAsrNames[n]), State, n);
    for (unsigned n = 0; n < 32; ++n) add(fmt::format("%asr{}", n), State, n);
    add("%pause", State, 27);
    add("%mwait", State, 28);
    add("%simd", State, 8);
    add("%pemask", State, 9);
    add("%simdstack", State, 10);
    // %tick is a state register first; rdpr and wrpr use it as the privileged register.
    for (std::size_t n = 0; n < names::kPrivilegedNames.size(); ++n)
      add(std::string(names::kPrivilegedNames[n]), Privileged, n);
    add("%ver", Privileged, 31);
    add("%fsr", FloatingPointState, 0);
    static constexpr std::pair<const char*, Modifier> kModifiers[] = {
        {"%hi", Modifier::Hi},   {"%lo", Modifier::Lo},   {"%hh", Modifier::Hh},   {"%uhi", Modifier::Hh},
        {"%hm", Modifier::Hm},   {"%ulo", Modifier::Hm},  {"%lm", Modifier::Lm},   {"%h44", Modifier::H44},
        {"%m44", Modifier::M44}, {"%l44", Modifier::L44}, {"%hix", Modifier::Hix}, {"%lox", Modifier::Lox}};
    const auto add_modifier = [this](const char* name, Modifier modifier) {
      modifiers.add(name, modifier);
      all.push_back(std::string(name) + "(");
    };
    for (const auto& [name, modifier] : kModifiers) add_modifier(name, modifier);
    for (const LinkOperator& each : kLinkOperators) add_modifier(each.name, each.modifier);
  }
};
inline const Names& known() {
  static const Names names;
  return names;
}

}  // namespace psim::isa::assembler
