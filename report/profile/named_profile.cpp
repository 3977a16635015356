// SPDX-License-Identifier: Apache-2.0
#include "report/profile/named_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace psim::report {

using pipeline::CpiPart;
using pipeline::kCpiParts;
using pipeline::ProfiledFunction;
using pipeline::ProfiledInstruction;

void NamedProfile::Cost::add(const ProfiledInstruction& one) {
  counts += one.counts;
  for (std::size_t part = 0; part < kCpiParts; ++part) cpi[part] += one.cpi[part];
}

CpiPart NamedProfile::Cost::waits_most_for() const {
  const auto most = std::max_element(cpi.begin() + 1, cpi.end());
  return *most == 0 ? CpiPart::Base : static_cast<CpiPart>(most - cpi.begin());
}

double NamedProfile::Cost::ipc() const {
  return counts.cycles == 0 ? 0.0
                            : static_cast<double>(counts.instructions) / static_cast<double>(counts.cycles);
}

namespace {

/// Returns the symbol that contains `pc`, or null.
const CodeNames::Function* symbol_at(const CodeNames& names, std::uint64_t pc) {
  const auto next = std::upper_bound(
      names.functions.begin(), names.functions.end(), pc,
      [](std::uint64_t address, const CodeNames::Function& f) { return address < f.address; });
  if (next == names.functions.begin()) return nullptr;
  const CodeNames::Function& f = *std::prev(next);
  return f.bytes == 0 || pc - f.address < f.bytes ? &f : nullptr;
}

}  // namespace

NamedProfile::NamedProfile(const pipeline::Profile& profile, const CodeNames& names)
    : calls(profile.calls()) {
  const std::vector<ProfiledFunction> entered = profile.functions();
  std::map<std::pair<std::string, int>, Cost> by_line;
  const CodeNames::Function* symbol = nullptr;
  auto entry = entered.begin();  // the first beyond the instruction
  for (const ProfiledInstruction& one : profile.instructions()) {
    const CodeNames::Function* const here = symbol_at(names, one.pc);
    bool called = false;  // between the instruction before and this one, it included
    for (; entry != entered.end() && entry->entry <= one.pc; ++entry) called = true;
    if (functions.empty() || here != symbol || (here == nullptr && called)) {
      if (!functions.empty()) functions.back().end = instructions.size();
      functions.push_back({here ? here->name : fmt::format("{:#x}", one.pc),
                           here ? here->address : one.pc,
                           instructions.size(),
                           0,
                           {},
                           {},
                           0,
                           {}});
      symbol = here;
    }
    Instruction& added = instructions.emplace_back(Instruction{
        one.pc, one.word == 0 ? "" : names.disassemble(one.word, one.pc), {}, {one.counts, one.cpi}});
    if (names.line_of) added.line = names.line_of(one.pc);
    if (!added.line.file.empty()) by_line[{added.line.file, added.line.number}].add(one);
    functions.back().cost.add(one);
    total.add(one);
  }
  if (!functions.empty()) functions.back().end = instructions.size();

  for (Function& f : functions) {
    f.line = instructions[f.first].line;
    f.inclusive = f.cost.counts;
  }
  for (const ProfiledFunction& e : entered) {
    Function& f = functions[function_at(e.entry)];
    f.calls += e.calls;
    // Entries in the middle of a function (PLT-like stubs, split parts) are rare: the longest counts.
    if (e.inclusive.cycles > f.inclusive.cycles) f.inclusive = e.inclusive;
  }
  hottest.resize(functions.size());
  std::iota(hottest.begin(), hottest.end(), std::size_t{0});
  std::stable_sort(hottest.begin(), hottest.end(), [this](std::size_t a, std::size_t b) {
    return functions[a].cost.counts.cycles > functions[b].cost.counts.cycles;
  });
  for (const auto& [location, cost] : by_line) lines.push_back({{location.first, location.second}, cost});
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.cost.counts.cycles > b.cost.counts.cycles; });
}

std::size_t NamedProfile::function_at(std::uint64_t pc) const {
  const auto next =
      std::upper_bound(functions.begin(), functions.end(), pc,
                       [](std::uint64_t address, const Function& f) { return address < f.address; });
  return next == functions.begin() ? 0 : static_cast<std::size_t>(next - functions.begin()) - 1;
}

}  // namespace psim::report
