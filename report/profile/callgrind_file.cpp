// SPDX-License-Identifier: Apache-2.0
#include "report/profile/callgrind_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace psim::report {

namespace {

/// Writes each name once: "(1) main", then "(1)".
class Compressed {
 public:
  std::string operator()(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, numbers_.size() + 1);
    return added ? fmt::format("({}) {}", found->second, name) : fmt::format("({})", found->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string events_of(const pipeline::ProfileCounts& c) {
  return fmt::format("{} {} {} {} {} {} {} {}", c.cycles, c.instructions, c.l1i_misses, c.l1d_misses,
                     c.l2_misses, c.mispredictions, c.store_l1d_misses, c.store_l2_misses);
}

std::string file_or_unknown(const CodeNames::Line& line) { return line.file.empty() ? "???" : line.file; }

}  // namespace

std::string callgrind_file(const NamedProfile& profile, std::string_view creator, std::string_view program,
                           std::string_view command) {
  std::string out = fmt::format(
      "# callgrind format\nversion: 1\ncreator: {}\ncmd: {}\npart: 1\n\npositions: instr line\n"
      "event: L1Imisses : Instruction cache misses\nevent: L1Dmisses : L1 misses of loads\n"
      "event: L2misses : L2 misses of loads\nevent: Mispredictions : Mispredicted branches\n"
      "event: StoreL1Dmisses : L1 misses of stores\nevent: StoreL2misses : L2 misses of stores\n"
      "events: Cycles Instructions L1Imisses L1Dmisses L2misses Mispredictions StoreL1Dmisses "
      "StoreL2misses\nsummary: {}\n\nob={}\n",
      one_line(creator), one_line(command), events_of(profile.total.counts), one_line(program));
  Compressed files, functions;
  auto call = profile.calls.begin();
  for (const NamedProfile::Function& f : profile.functions) {
    const std::string own = file_or_unknown(f.line);
    std::string file = own;
    out += fmt::format("\nfl={}\nfn={}\n", files(own), functions(one_line(f.name)));
    for (std::size_t i = f.first; i < f.end; ++i) {
      const NamedProfile::Instruction& one = profile.instructions[i];
      // Lines of another file are inlined.
      if (std::string here = one.line.file.empty() ? own : one.line.file; here != file) {
        out += fmt::format("{}={}\n", here == own ? "fe" : "fi", files(here));
        file = std::move(here);
      }
      out += fmt::format("{:#x} {} {}\n", one.pc, one.line.number, events_of(one.cost.counts));
      for (; call != profile.calls.end() && call->caller <= one.pc; ++call) {
        if (call->caller != one.pc) continue;
        const NamedProfile::Function& callee = profile.functions[profile.function_at(call->callee)];
        out += fmt::format("cfi={}\ncfn={}\ncalls={} {:#x} {}\n{:#x} {} {}\n",
                           files(file_or_unknown(callee.line)), functions(one_line(callee.name)), call->calls,
                           call->callee, callee.line.number, one.pc, one.line.number,
                           events_of(call->inclusive));
      }
    }
  }
  return out + "\ntotals: " + events_of(profile.total.counts) + "\n";
}

}  // namespace psim::report
