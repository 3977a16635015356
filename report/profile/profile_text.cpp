// SPDX-License-Identifier: Apache-2.0
#include "report/profile/profile_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"

namespace psim::report {

namespace {

using pipeline::CpiPart;
using Cost = NamedProfile::Cost;

constexpr const char* kCostHeads =
    "       cycles      %  instructions   IPC  L1I miss   L1D miss   L2 miss  mispred.   st. L1D    st. L2  "
    "waits most for      ";

double percent_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

std::string cost_columns(const Cost& cost, std::uint64_t all_cycles) {
  const pipeline::ProfileCounts& c = cost.counts;
  const CpiPart part = cost.waits_most_for();
  const std::string waits = part == CpiPart::Base
                                ? "-"
                                : fmt::format("{} {:.0f} %", pipeline::name(part),
                                              percent_of(cost.cpi[static_cast<std::size_t>(part)], c.cycles));
  return fmt::format("{:>13} {:6.2f} {:>13} {:5.2f} {:>9} {:>10} {:>9} {:>9} {:>9} {:>9}  {:<20}",
                     grouped(c.cycles), percent_of(c.cycles, all_cycles), grouped(c.instructions), cost.ipc(),
                     grouped(c.l1i_misses), grouped(c.l1d_misses), grouped(c.l2_misses),
                     grouped(c.mispredictions), grouped(c.store_l1d_misses), grouped(c.store_l2_misses),
                     waits);
}

std::string text_of_location(const CodeNames::Line& line) {
  return line.file.empty() ? "" : fmt::format("{}:{}", line.file, line.number);
}

std::string left_out(std::size_t all, std::size_t shown) {
  return all <= shown ? "" : fmt::format("  … {} more\n", grouped(all - shown));
}

std::string listing(const NamedProfile& profile, const NamedProfile::Function& f) {
  std::string out = fmt::format("\n{}{}{}\n{}  pc                  instruction\n", f.name,
                                f.line.file.empty() ? "" : " at ", text_of_location(f.line), kCostHeads);
  CodeNames::Line line;
  std::uint64_t next = f.address;
  for (std::size_t i = f.first; i < f.end; ++i) {
    const NamedProfile::Instruction& one = profile.instructions[i];
    if (one.line.file != line.file || one.line.number != line.number) {
      line = one.line;
      if (!line.file.empty()) out += text_of_location(line) + ":\n";
    }
    if (one.pc != next) out += fmt::format("        … {} instructions not executed\n", (one.pc - next) / 4);
    next = one.pc + 4;
    out += cost_columns(one.cost, profile.total.counts.cycles) +
           fmt::format("  {:#018x}  {}\n", one.pc, one.text);
  }
  return out;
}

}  // namespace

std::string profile_text(const NamedProfile& profile, const ProfileTextLimits& limits) {
  const std::uint64_t cycles = profile.total.counts.cycles;
  std::string out = fmt::format(
      "Functions by cycles, without those they call; total %: with them\n{}  total %       calls  "
      "function\n",
      kCostHeads);
  const std::size_t functions = std::min(limits.functions, profile.hottest.size());
  for (std::size_t i = 0; i < functions; ++i) {
    const NamedProfile::Function& f = profile.functions[profile.hottest[i]];
    out += cost_columns(f.cost, cycles) + fmt::format("  {:7.2f} {:>11}  {}\n",
                                                      percent_of(f.inclusive.cycles, cycles),
                                                      grouped(f.calls), f.name);
  }
  out += left_out(profile.hottest.size(), functions);
  if (!profile.lines.empty()) {
    out += fmt::format("\nSource lines by cycles\n{}  line\n", kCostHeads);
    const std::size_t lines = std::min(limits.lines, profile.lines.size());
    for (std::size_t i = 0; i < lines; ++i)
      out +=
          cost_columns(profile.lines[i].cost, cycles) + "  " + text_of_location(profile.lines[i].line) + "\n";
    out += left_out(profile.lines.size(), lines);
  }
  for (std::size_t i = 0; i < std::min(limits.listed, profile.hottest.size()); ++i)
    out += listing(profile, profile.functions[profile.hottest[i]]);
  return out;
}

}  // namespace psim::report
