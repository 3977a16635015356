// SPDX-License-Identifier: Apache-2.0
#include "isa/doc/markdown.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <tuple>

#include "isa/doc/simd_chapter.h"
#include "isa/table/operand_use.h"
#include "isa/table/spec.h"

namespace psim::isa {
namespace {

// clang-format off
/// Returns a suffix in the notation of the manual's syntax lines.
std::string_view syntax(Suffix suffix) {
  switch (suffix) {
    case Suffix::None: return "";
    case Suffix::Bicc: case Suffix::Fbfcc: return "{cond}{,a}";
    case Suffix::Bpcc: case Suffix::Fbpfcc: return "{cond}{,a}{,pn}";
    case Suffix::Bpr: return "{rcond}{,a}{,pn}";
    case Suffix::MoveIcc: case Suffix::MoveFcc: case Suffix::Tcc: case Suffix::CompareBranch: return "{cond}";
    case Suffix::MoveR: return "{rcond}";
  }
  return "";
}
// clang-format on

std::string syntax(const Spec& spec) {
  std::string text = fmt::format("{}{}", spec.name, syntax(spec.format->suffix));
  std::string_view separator = " ";
  for (const Operand operand : spec.format->operands) {
    if (operand == Operand::None) break;
    if (operand == Operand::ImmediateAsi || operand == Operand::AsiRegister) separator = " ";
    text += fmt::format("{}{}", separator, row_of(operand).syntax);
    separator = ", ";
  }
  return text;
}

/// Names of the state that a row reads or writes, each once, in order.
class Names {
 public:
  void add(std::string_view name) {
    if (seen_.insert(std::string(name)).second) text_ += fmt::format("{}{}", text_.empty() ? "" : ", ", name);
  }
  std::string text() const { return text_; }

 private:
  std::set<std::string> seen_;
  std::string text_;
};

std::string_view register_name(Operand operand) {
  switch (operand) {
    case Operand::AddressImmediate:
    case Operand::AddressRs1:
    case Operand::TargetImmediate:
    case Operand::TrapImmediate:
      return "rs1";
    case Operand::BranchIcc:
    case Operand::MoveIcc:
    case Operand::TrapIcc:
      return "cc";
    case Operand::RdPair:
    case Operand::RdPairSource:
      return "rd, rd + 1";
    default:
      return row_of(operand).syntax;
  }
}

struct Effect {
  std::uint32_t bit;
  Role role;
  std::string_view name;
};
constexpr Effect kEffects[] = {{effect::kReadCc, Role::Source, "cc"},
                               {effect::kWriteCc, Role::Destination, "cc"},
                               {effect::kReadY, Role::Source, "y"},
                               {effect::kWriteY, Role::Destination, "y"},
                               {effect::kReadGsr, Role::Source, "gsr"},
                               {effect::kWriteGsr, Role::Destination, "gsr"},
                               {effect::kReadFsr, Role::Source, "fsr"},
                               {effect::kWriteFsr, Role::Destination, "fsr"},
                               {effect::kReadAsi, Role::Source, "asi"},
                               {effect::kWriteAsi, Role::Destination, "asi"},
                               {effect::kReadFprs, Role::Source, "fprs"},
                               {effect::kWriteFprs, Role::Destination, "fprs"},
                               {effect::kLoad, Role::Source, "memory"},
                               {effect::kStore, Role::Destination, "memory"},
                               {effect::kReadSimd, Role::Source, "simd"},
                               {effect::kWriteSimd, Role::Destination, "simd"},
                               {effect::kReadFcc0, Role::Source, "%fcc0"},
                               {effect::kWriteO7, Role::Destination, "%o7"},
                               {effect::kSaveWindow, Role::Destination, "next window"},
                               {effect::kRestoreWindow, Role::Destination, "previous window"}};

std::string registers(const Spec& spec, bool written) {
  Names names;
  for (const Operand operand : spec.format->operands) {
    const Role role = use_of(operand, 0).role;
    if (role == Role::Nothing || (role == Role::Destination) != written) continue;
    const bool two = operand == Operand::AddressRegister || operand == Operand::TargetRegister ||
                     operand == Operand::TrapRegister;
    names.add(two ? "rs1" : register_name(operand));
    if (two) names.add("rs2");
  }
  if (spec.format->suffix == Suffix::Bicc && !written) names.add("cc");
  if ((spec.effects & effect::kReadRd) != 0 && !written) {
    for (const Operand operand : spec.format->operands) {
      if (use_of(operand, 0).role == Role::Destination) names.add(register_name(operand));
    }
  }
  for (const Effect& e : kEffects) {
    if ((spec.effects & e.bit) != 0 && (e.role == Role::Destination) == written) names.add(e.name);
  }
  return names.text();
}

std::string table_of(const Group& group) {
  std::string text = fmt::format(
      "\n## {}\n\n| instruction | bits | unit | latency class | reads | writes | manual |\n"
      "|---|---|---|---|---|---|---|\n",
      group.title);
  for (const Spec& spec : group.rows) {
    text += fmt::format("| `{}` | `{}` | {} | {} | {} | {} | {} |\n", syntax(spec), spec.pattern.text,
                        name(spec.unit), name(spec.latency), registers(spec, false), registers(spec, true),
                        spec.manual);
  }
  return text;
}

/// Rows with one meaning differ in their operand 2 or in a condition. Rows that always trap have only that
/// meaning.
using Meaning = std::tuple<const Execution*, std::string_view, Suffix>;
Meaning meaning_of(const Spec& spec) {
  const bool traps = (spec.effects & effect::kTraps) != 0 && spec.name != "illtrap";
  return {spec.execution, traps ? std::string_view() : spec.name, spec.format->suffix};
}

std::string coverage() {
  std::string text = "\n## Coverage\n\n| part | rows | mnemonics | meanings |\n|---|---|---|---|\n";
  std::size_t rows = 0;
  std::set<Meaning> all;
  for (const Group& group : groups()) {
    std::set<std::string_view> names;
    std::set<Meaning> meanings;
    for (const Spec& spec : group.rows) names.insert(spec.name), meanings.insert(meaning_of(spec));
    rows += group.rows.size();
    all.insert(meanings.begin(), meanings.end());
    text +=
        fmt::format("| {} | {} | {} | {} |\n", group.title, group.rows.size(), names.size(), meanings.size());
  }
  text += fmt::format("| **all** | **{}** | | **{}** |\n", rows, all.size());
  return text;
}

constexpr std::string_view kIntroduction =
    R"(<!-- Written by isa_doc from the instruction table. Do not edit. -->
# The instruction set

psim executes the user-level part of SPARC-V9, VIS 1, VIS 2, VIS 3, compare-and-branch, the
multiply-adds of SPARC64 V, and psim's SIMD extension. Every row below is a row of the program's instruction table, from which decoder,
disassembler, dependence sets, units and latency classes come.

Bits are drawn from 31 to 0. `0` and `1` are fixed; letters are fields (`d` rd, `s` rs1, `t` rs2, `u` rs3,
`i` immediate, `o` displacement, `c` condition, `k` condition codes, `a` annul, `p` prediction, `x` ASI); bits
marked `-` are reserved and ignored, as GNU objdump ignores them. Reserved bits drawn as `0` make the word an
illegal instruction when they are not zero. *cc* is icc and xcc together. *serial* instructions issue alone,
when they are the oldest. Reserved register conditions are rows named `illegal`.

The manuals are: V9, *The SPARC Architecture Manual, Version 9*; JPS1, *SPARC Joint Programming Specification 1*
(commonality), JPS1-V its SPARC64 V supplement; OSA2011 and OSA2015, *Oracle SPARC
Architecture*; PSIM, the chapter below.
)";

constexpr std::string_view kNotCovered = R"(
Not part of the instruction set, and so illegal instructions: VIS 4 and later (`fpadd8`, `fpmin…`, `subxc`,
`faligndata` by register), the cryptographic instructions of niagara4, `ldx […], %efsr`, hyperprivileged
registers, V8 coprocessor branches. Privileged instructions are decoded only so that the trap can name them.
Fields whose value is reserved within a defined instruction (an odd rd of `ldtw`, prefetch functions 5–15)
decode; executing them raises the exception that the manual states.
)";

}  // namespace

std::string isa_markdown() {
  std::string text(kIntroduction);
  text += coverage();
  text += kNotCovered;
  text += simd_chapter();
  for (const Group& group : groups()) text += table_of(group);
  return text;
}

}  // namespace psim::isa
