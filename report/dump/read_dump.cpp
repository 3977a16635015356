// SPDX-License-Identifier: Apache-2.0
#include "report/dump/read_dump.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "pipeline/observer.h"
#include "report/dump/kanata_reader.h"
#include "report/dump/o3_pipe_view_reader.h"

namespace psim::pipeline::dump {

DumpFormat read_dump(const std::string& path, const ReadOptions& options, StageNames& names, DumpSink& sink) {
  LineReader lines = LineReader::open(path);
  const std::string_view start = lines.peek();
  if (start.starts_with("O3PipeView:")) {
    read_o3_pipe_view(lines, options, names, sink);
    return DumpFormat::O3PipeView;
  }
  if (start.starts_with("\x1f\x8b"))
    throw UserError(path + ": is compressed by gzip: pipe it, gzip -dc FILE | psim view -");
  if (!start.starts_with("Kanata"))
    throw UserError(path +
                    ":1: neither a Kanata log (first line \"Kanata<TAB>0004\") nor an O3PipeView trace");
  read_kanata(lines, options, names, sink);
  return DumpFormat::Kanata;
}

namespace {

std::optional<Stage> stage_named(std::string_view name) {
  const auto found = std::find(kStageNames.begin(), kStageNames.end(), name);
  if (found == kStageNames.end()) return std::nullopt;
  return static_cast<Stage>(found - kStageNames.begin());
}

bool is_stall(std::string_view text) {
  for (std::size_t i = 0; i < kStallCauses; ++i)
    if (name(static_cast<StallCause>(i)) == text) return true;
  return false;
}

class Checker final : public DumpSink {
 public:
  Checker(const std::string& file, const StageNames& names) : file_(file), names_(names) {}

  void instruction(DumpedInstruction&& checked) override {
    if (checked.begin < last_begin_) fail(checked, "begins before the instruction fetched before it");
    last_begin_ = checked.begin;
    stages(checked);
    for (const DumpedStage& stage : checked.stages) {
      if (stage.lane > 1) fail(checked, "lane " + std::to_string(stage.lane) + ": psim writes lanes 0 and 1");
      if (stage.lane == 1 && !is_stall(names_[stage.name]))
        fail(checked, "\"" + names_[stage.name] + "\" is not a stall cause");
    }
    for (const DumpedWakeup& wakeup : checked.wakeups)
      if (wakeup.producer >= checked.id) fail(checked, "is woken by a later instruction");
    count(checked);
  }

  CheckSummary summary;

 private:
  [[noreturn]] void fail(const DumpedInstruction& at, const std::string& text) const {
    throw UserError(file_ + ":" + std::to_string(at.line) + ": instruction " + std::to_string(at.id) + " " +
                    text);
  }

  void stages(const DumpedInstruction& checked) const {
    std::optional<Stage> previous;
    std::uint64_t reached = checked.begin;
    for (const DumpedStage& dumped : checked.stages) {
      if (dumped.lane != 0) continue;
      const std::string& name = names_[dumped.name];
      const auto stage = stage_named(name);
      if (!stage) fail(checked, "is in stage \"" + name + "\", which is none of the core's");
      // An address or a datum goes out to the PEs by C once it is available. A result of theirs that the
      // scalar part needs arrives by W1 before it is complete.
      const bool to_pes = *stage == Stage::C && (previous == Stage::X || previous == Stage::Rs);
      const bool from_pes = *stage == Stage::U && previous == Stage::W1;
      const bool back = previous && *stage <= *previous && *stage != Stage::P && *stage != Stage::Ps;
      if (back && !to_pes && !from_pes)
        fail(checked, "goes from stage " + std::string(kStageNames[static_cast<std::size_t>(*previous)]) +
                          " back to " + name);
      if (dumped.begin != reached)
        fail(checked,
             "is in no stage from cycle " + std::to_string(reached) + " to " + std::to_string(dumped.begin));
      reached = dumped.end;
      previous = stage;
    }
    if (reached != checked.end) fail(checked, "is in no stage in its last cycles");
    if (!checked.flushed && previous != Stage::W) fail(checked, "retires without a stage W");
    if (checked.flushed && previous == Stage::W) fail(checked, "is flushed after stage W");
  }

  void count(const DumpedInstruction& checked) {
    if (summary.instructions++ == 0) summary.begin = checked.begin;
    ++(checked.flushed ? summary.flushed : summary.committed);
    summary.end = std::max(summary.end, checked.end);
    for (const DumpedStage& stage : checked.stages) ++(stage.lane == 0 ? summary.stages : summary.stalls);
    summary.wakeups += checked.wakeups.size();
  }

  const std::string& file_;
  const StageNames& names_;
  std::uint64_t last_begin_ = 0;
};

}  // namespace

CheckSummary check_kanata(LineReader& lines) {
  StageNames names;
  Checker checker(lines.name(), names);
  read_kanata(lines, {.strict = true}, names, checker);
  return checker.summary;
}

}  // namespace psim::pipeline::dump
