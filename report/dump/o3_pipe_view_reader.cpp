// SPDX-License-Identifier: Apache-2.0
#include "report/dump/o3_pipe_view_reader.h"

#include <algorithm>
#include <array>

#include "base/parse_number.h"

namespace psim::pipeline::dump {

namespace {

constexpr std::string_view kPrefix = "O3PipeView:";
constexpr std::array<std::string_view, 7> kLines{"fetch", "decode",   "rename", "dispatch",
                                                 "issue", "complete", "retire"};

// Removes the text up to the next colon from `rest` and returns it.
std::string_view take(std::string_view& rest) {
  const auto colon = rest.find(':');
  const std::string_view taken = rest.substr(0, colon);
  rest.remove_prefix(colon == rest.npos ? rest.size() : colon + 1);
  return taken;
}

class O3Reader {
 public:
  O3Reader(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink)
      : lines_(lines), options_(options), sink_(sink) {
    for (std::size_t i = 0; i < kLines.size(); ++i) stage_[i] = names.number(kLines[i]);
  }

  void run() {
    if (options_.partial) lines_.drop_unended_line();
    std::string_view line;
    while (lines_.next(line)) {
      if (!line.starts_with(kPrefix)) lines_.fail("expected a line that begins with O3PipeView:");
      line.remove_prefix(kPrefix.size());
      const std::string_view name = take(line);
      if (name != kLines[next_])
        lines_.fail("expected the " + std::string(kLines[next_]) + " line of an instruction");
      cycle_[next_] = cycle(take(line), kLines[next_]);
      if (next_ == 0) fetch(line);
      if (next_ == kLines.size() - 1) retire(line);
      next_ = (next_ + 1) % kLines.size();
    }
    if (next_ != 0 && !options_.partial)
      lines_.fail("the file ends before the " + std::string(kLines[next_]) +
                  " line of its last instruction: is the file truncated?");
  }

 private:
  std::uint64_t number(std::string_view text, std::string_view what) const {
    const auto value = parse_number<std::uint64_t>(text);
    if (!value) lines_.fail("the " + std::string(what) + " is not a whole number");
    return *value;
  }
  std::uint64_t cycle(std::string_view text, std::string_view what) const {
    return number(text, std::string(what) + " tick") / options_.ticks_per_cycle;
  }

  void fetch(std::string_view rest) {
    const std::string_view pc = take(rest);
    const bool hex = pc.starts_with("0x") && pc.size() > 2 && pc.size() <= 18 &&
                     pc.find_first_not_of("0123456789abcdefABCDEF", 2) == pc.npos;
    if (!hex) lines_.fail("the PC is not 0x and hexadecimal digits");
    number(take(rest), "micro PC");
    const std::string_view sequence = take(rest);
    number(sequence, "sequence");
    instruction_ = {};
    instruction_.line = lines_.number();
    instruction_.sequence = sequence;
    instruction_.text = std::string(pc) + ": " + std::string(rest);
  }

  void retire(std::string_view rest) {
    if (take(rest) != "store") lines_.fail("expected :store:TICK after the retire tick");
    const std::uint64_t store = cycle(take(rest), "store");
    DumpedInstruction& made = instruction_;
    made.id = id_++;
    made.begin = cycle_[0];
    made.flushed = cycle_[6] == 0;
    made.retired = made.flushed ? 0 : retired_++;
    made.complete = true;
    for (std::size_t i = 0; i < kLines.size(); ++i) {
      if (i != 0 && cycle_[i] == 0) continue;  // never reached
      if (!made.stages.empty()) {
        if (cycle_[i] < made.stages.back().begin)
          lines_.fail("the " + std::string(kLines[i]) + " tick is before an earlier stage's");
        made.stages.back().end = cycle_[i];
      }
      made.stages.push_back({0, stage_[i], cycle_[i], cycle_[i] + 1});
    }
    made.end = made.stages.back().end;
    if (store != 0) made.details = "stored at cycle " + std::to_string(store);
    sink_.instruction(std::move(made));
  }

  LineReader& lines_;
  const ReadOptions& options_;
  DumpSink& sink_;
  std::array<std::uint32_t, 7> stage_{};
  std::array<std::uint64_t, 7> cycle_{};
  std::size_t next_ = 0;  ///< index of the next of the seven lines
  DumpedInstruction instruction_;
  std::uint64_t id_ = 0, retired_ = 0;
};

}  // namespace

void read_o3_pipe_view(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink) {
  O3Reader(lines, options, names, sink).run();
}

}  // namespace psim::pipeline::dump
