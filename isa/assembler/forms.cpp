// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/forms.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "isa/table/operand_names.h"
#include "isa/table/row.h"
#include "isa/table/synthetic.h"

namespace psim::isa::assembler {

// Spellings that only the assembler accepts: the disassembler prefers others for the same words (V9 manual,
// G.3; the names that gcc writes). Only forms.cpp includes this file.

namespace table = isa::table;

/// Forms tried before the rows and synthetic instructions of the same name, so that the word is that of GNU
/// as.
inline constexpr Synthetic kPreferred[] = {
    {"tst", "10 00000 010010 sssss 0 00000000 00000", &table::kR1},
};

inline constexpr Format kImmediateFirst{{Operand::Simm13, Operand::Rs1, Operand::Rd}},
    kImmediateR{{Operand::Simm13, Operand::Rd}}, kRegisterR{{Operand::Rs2, Operand::Rd}},
    kR1d{{Operand::Rs1, Operand::Rd}};

// clang-format off
/// Forms tried after them.
inline constexpr Synthetic kSynonyms[] = {
    {"not", "10 ddddd 000111 sssss 0 00000000 00000", &table::kR, Same::RdRs1},
    {"not", "10 ddddd 000111 sssss 0 00000000 00000", &kR1d},
    {"inc", "10 ddddd 000000 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"inccc", "10 ddddd 010000 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"dec", "10 ddddd 000100 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"deccc", "10 ddddd 010100 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"bset", "10 ddddd 000010 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"bset", "10 ddddd 000010 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"bclr", "10 ddddd 000101 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"bclr", "10 ddddd 000101 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"btog", "10 ddddd 000011 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"btog", "10 ddddd 000011 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"flush", "10 00000 111011 sssss 0 00000000 ttttt", &table::kReturnR},
    {"flush", "10 00000 111011 sssss 1 iiiiiiiiiiiii", &table::kReturnI},
    {"lduw", "11 ddddd 000000 sssss 0 00000000 ttttt", &table::kLoadR},
    {"lduw", "11 ddddd 000000 sssss 1 iiiiiiiiiiiii", &table::kLoadI},
    {"lduwa", "11 ddddd 010000 sssss 0 xxxxxxxx ttttt", &table::kLoadAsiR},
    {"lduwa", "11 ddddd 010000 sssss 1 iiiiiiiiiiiii", &table::kLoadAsiI},
    {"ldd", "11 ddddd 000011 sssss 0 00000000 ttttt", &table::kLoadPairR},
    {"ldd", "11 ddddd 000011 sssss 1 iiiiiiiiiiiii", &table::kLoadPairI},
    {"ldda", "11 ddddd 010011 sssss 0 xxxxxxxx ttttt", &table::kLoadPairAsiR},
    {"ldda", "11 ddddd 010011 sssss 1 iiiiiiiiiiiii", &table::kLoadPairAsiI},
    {"std", "11 ddddd 000111 sssss 0 00000000 ttttt", &table::kStorePairR},
    {"std", "11 ddddd 000111 sssss 1 iiiiiiiiiiiii", &table::kStorePairI},
    {"stda", "11 ddddd 010111 sssss 0 xxxxxxxx ttttt", &table::kStorePairAsiR},
    {"stda", "11 ddddd 010111 sssss 1 iiiiiiiiiiiii", &table::kStorePairAsiI},
    {"stw", "11 ddddd 000100 sssss 0 00000000 ttttt", &table::kStoreR},
    {"stw", "11 ddddd 000100 sssss 1 iiiiiiiiiiiii", &table::kStoreI},
    {"stwa", "11 ddddd 010100 sssss 0 xxxxxxxx ttttt", &table::kStoreAsiR},
    {"stwa", "11 ddddd 010100 sssss 1 iiiiiiiiiiiii", &table::kStoreAsiI},
};

/// Another name for all forms of a mnemonic.
inline constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"unimp", "illtrap"}, {"addx", "addc"}, {"addxcc", "addccc"}, {"subx", "subc"}, {"subxcc", "subccc"}, {"lzd", "lzcnt"},
    {"stub", "stb"}, {"stsb", "stb"}, {"stuh", "sth"}, {"stsh", "sth"}, {"stuw", "stw"}, {"stsw", "stw"},
    {"stuba", "stba"}, {"stsba", "stba"}, {"stuha", "stha"}, {"stsha", "stha"}, {"stuwa", "stwa"}, {"stswa", "stwa"},
    {"edge8", "edge8cc"}, {"edge8l", "edge8lcc"}, {"edge16", "edge16cc"}, {"edge16l", "edge16lcc"},
    {"edge32", "edge32cc"}, {"edge32l", "edge32lcc"},
    {"fcmple16", "fpcmple16"}, {"fcmpne16", "fpcmpne16"}, {"fcmpgt16", "fpcmpgt16"}, {"fcmpeq16", "fpcmpeq16"},
    {"fcmple32", "fpcmple32"}, {"fcmpne32", "fpcmpne32"}, {"fcmpgt32", "fpcmpgt32"}, {"fcmpeq32", "fpcmpeq32"},
    {"fucmple8", "fpcmpule8"}, {"fucmpne8", "fpcmpune8"}, {"fucmpgt8", "fpcmpugt8"}, {"fucmpeq8", "fpcmpueq8"},
    {"fzero", "fzerod"}, {"fone", "foned"}, {"fsrc1", "fsrc1d"}, {"fsrc2", "fsrc2d"}, {"fnot1", "fnot1d"}, {"fnot2", "fnot2d"},
    {"fand", "fandd"}, {"fandnot1", "fandnot1d"}, {"fandnot2", "fandnot2d"}, {"fnand", "fnandd"},
    {"for", "ford"}, {"fornot1", "fornot1d"}, {"fornot2", "fornot2d"}, {"fnor", "fnord"}, {"fxor", "fxord"}, {"fxnor", "fxnord"},
};

/// Mnemonics whose number may come first: "add 1, %o0, %o0".
inline constexpr std::string_view kCommutative[] = {
    "add", "addcc", "addc", "addccc", "and", "andcc", "or", "orcc", "xor", "xorcc", "xnor", "xnorcc",
    "mulx", "umul", "umulcc", "smul", "smulcc", "taddcc", "taddcctv"};

/// Further names of conditions (V9 manual, A.6, A.7, A.3; bgt and the like are GNU's).
inline constexpr std::pair<std::string_view, std::string_view> kIntegerConditionSynonyms[] = {
    {"z", "e"}, {"nz", "ne"}, {"geu", "cc"}, {"lu", "cs"}, {"lt", "l"}, {"gt", "g"}, {"eq", "e"}};
inline constexpr std::pair<std::string_view, std::string_view> kFloatConditionSynonyms[] = {{"z", "e"}, {"nz", "ne"}};
inline constexpr std::pair<std::string_view, std::string_view> kRegisterConditionSynonyms[] = {{"z", "e"}, {"nz", "ne"}};
// clang-format on
namespace {

using ConditionSynonyms = std::span<const std::pair<std::string_view, std::string_view>>;

/// The endings of the mnemonics of a suffix: the names of its conditions, and the bits that hold them.
struct Conditions {
  std::span<const std::string_view> names;
  std::uint32_t bits = 0;
  ConditionSynonyms synonyms;
  bool always_is_silent = false;  ///< "b" and "ba"
};
Conditions conditions_of(Suffix suffix) {
  constexpr std::uint32_t high = 0xfu << 25, middle = 0xfu << 14;
  switch (suffix) {
    case Suffix::None:
      return {};
    case Suffix::Bicc:
    case Suffix::Bpcc:
    case Suffix::Tcc:
      return {names::kIntegerConditions, high, kIntegerConditionSynonyms, true};
    case Suffix::Fbfcc:
    case Suffix::Fbpfcc:
      return {names::kFloatConditions, high, kFloatConditionSynonyms, true};
    case Suffix::Bpr:
      return {names::kBranchRegisterConditions, 7u << 25, {}, false};
    case Suffix::MoveIcc:
      return {names::kIntegerConditions, middle, kIntegerConditionSynonyms, false};
    case Suffix::MoveFcc:
      return {names::kFloatConditions, middle, kFloatConditionSynonyms, false};
    case Suffix::MoveR:
      return {names::kRegisterConditions, 7u << 10, kRegisterConditionSynonyms, false};
    case Suffix::CompareBranch:
      return {names::kIntegerConditions, 1u << 29 | 7u << 25, kIntegerConditionSynonyms, false};
  }
  return {};
}

class Forms {
 public:
  Forms() {
    for (const Synthetic& synthetic : kPreferred) add(synthetic);
    for (const Spec& spec : instructions()) {
      if ((spec.effects & effect::kReserved) != 0) continue;
      add(spec.name, spec.pattern.value, spec.pattern.mask, *spec.format);
    }
    for (const Synthetic& synthetic : table::kSynthetics) add(synthetic);
    for (const Synthetic& synonym : kSynonyms) add(synonym);
    for (const Spec& spec : instructions()) {
      if (spec.name == "rd") add("mov", spec.pattern.value, spec.pattern.mask, *spec.format);
      if (spec.name == "wr") short_write(spec);
    }
    for (const std::string_view name : kCommutative) {
      for (const Form& form : std::vector(by_name_.at(std::string(name)))) {
        if (form.format.operands != table::kRir.operands) continue;
        by_name_.at(std::string(name)).push_back({form.value, form.mask, kImmediateFirst, form.same});
      }
    }
    for (const auto& [other, name] : kOtherNames) {
      if (const auto found = by_name_.find(name); found != by_name_.end())
        for (const Form& form : std::vector(found->second)) by_name_[std::string(other)].push_back(form);
    }
    for (const auto& [name, forms] : by_name_) all_.push_back(name);
    for (const char* const name : {"set", "setuw", "setsw", "setx"}) all_.emplace_back(name);
  }

  std::map<std::string, std::vector<Form>, std::less<>> by_name_;
  std::vector<std::string> all_;

 private:
  void add(const Synthetic& synthetic) {
    add(synthetic.name, synthetic.pattern.value, synthetic.pattern.mask, *synthetic.format, synthetic.same);
  }

  void add(std::string_view name, std::uint32_t value, std::uint32_t mask, const Format& format,
           Same same = Same::Any) {
    const Conditions conditions = conditions_of(format.suffix);
    if (conditions.names.empty()) {
      by_name_[std::string(name)].push_back({value, mask, format, same});
      return;
    }
    for (std::size_t code = 0; code < conditions.names.size(); ++code) {
      const std::uint32_t bits = deposit(code, conditions.bits);
      if (conditions.names[code].empty() || ((bits ^ value) & mask & conditions.bits) != 0) continue;
      const Form form{value | bits, mask | conditions.bits, format, same};
      const auto ending = [&](std::string_view condition) {
        by_name_[fmt::format("{}{}", name, condition)].push_back(form);
      };
      ending(conditions.names[code]);
      for (const auto& [synonym, condition] : conditions.synonyms)
        if (condition == conditions.names[code]) ending(synonym);
      if (conditions.always_is_silent && conditions.names[code] == "a") ending("");
    }
  }

  /// Adds "wr %o0, %y" and "mov %o0, %y": the other source is %g0.
  void short_write(const Spec& spec) {
    constexpr std::uint32_t rs1_bits = 0x1fu << 14;
    const Format& full = *spec.format;
    const Format brief{{full.operands[1], full.operands[2]}, full.suffix};
    for (const char* const name : {"wr", "mov"})
      add(name, spec.pattern.value, spec.pattern.mask | rs1_bits, brief);
  }
};

const Forms& forms() {
  static const Forms list;
  return list;
}

}  // namespace

const std::vector<Form>& forms_of(std::string_view mnemonic) {
  static const std::vector<Form> none;
  const auto found = forms().by_name_.find(mnemonic);
  return found == forms().by_name_.end() ? none : found->second;
}

const std::vector<std::string>& mnemonics() { return forms().all_; }

}  // namespace psim::isa::assembler
