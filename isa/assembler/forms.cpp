// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/forms.h"

#include <fmt/format.h>

#include <map>
#include <span>

#include "isa/assembler/synonyms.h"
#include "isa/table/operand_names.h"

namespace psim::isa::assembler {
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
