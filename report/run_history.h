// SPDX-License-Identifier: Apache-2.0
// The data of a run's report in addition to the result: the intervals, reduced to the size of a chart, and
// the instructions of the stage view.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/bounded_series.h"
#include "pipeline/observer.h"
#include "report/dump/text_cache.h"
#include "report/dump/timeline_sink.h"
#include "report/stage_pack.h"

namespace psim::report {

void join(pipeline::Interval& into, const pipeline::Interval& next);

/// The length of series: of a page, or of a result that is kept for a later page.
enum class Detail : bool { Kept, Page };

/// Collects intervals; joins neighbours if there are over most().
class IntervalCollector final : public pipeline::CoreObserver {
 public:
  explicit IntervalCollector(Detail detail) : series_(most(detail)) {}
  bool needs_timelines() const override { return false; }
  void on_interval(const pipeline::Interval& interval) override { series_.add(interval); }
  const std::vector<pipeline::Interval>& intervals() const { return series_.pieces(); }

  /// Returns the intervals as columns of numbers, without the parts of the CPI stack that are 0 in all.
  nlohmann::ordered_json json() const;

  static constexpr std::size_t most(Detail detail) { return detail == Detail::Page ? 2000 : 200; }

 private:
  BoundedSeries<pipeline::Interval, join> series_;
};

/// Collects the times of the program's regions, as few spans as a chart needs.
class RegionCollector final : public pipeline::CoreObserver {
 public:
  explicit RegionCollector(Detail detail) : most_(most_spans(detail)) {}
  bool needs_timelines() const override { return false; }
  void on_region(const pipeline::RegionMark& mark) override;
  /// Returns [{"name": …, "spans": [[begin, end, executions], …]}, …] in order of first begin; cycles. It
  /// contains the first kMostNames names.
  nlohmann::ordered_json json() const;

  static constexpr std::size_t kMostNames = 24, kMostOpen = 1000;
  static constexpr std::size_t most_spans(Detail detail) { return detail == Detail::Page ? 500 : 50; }

 private:
  /// One execution, or neighbours from the begin of the first to the end of the last.
  struct Span {
    std::uint64_t begin, end, executions;
  };
  static void join_spans(Span& into, const Span& next);
  struct Region {
    std::string name;
    std::vector<std::uint64_t> open;  ///< begins without an end so far
    BoundedSeries<Span, join_spans> spans;
  };
  const std::size_t most_;
  std::vector<Region> regions_;
};

/// The instructions of a stage view.
struct StageView {
  StagePack pack;
  std::uint64_t shown = 0, left_out = 0;  ///< left out: beyond StageCollector::kMost
  std::string window;                     ///< the chosen window, for the reader

  nlohmann::ordered_json json() const;
};

class StageCollector final : public pipeline::dump::TimelineSink {
 public:
  /// Starts the collection. `view` outlives the collector.
  StageCollector(StageView& view, pipeline::dump::Disassembler disassembler,
                 pipeline::dump::Remark remark = {})
      : view_(view), texts_(std::move(disassembler)), remark_(std::move(remark)) {}
  void add(const pipeline::InstructionTimeline& timeline) override;
  void finish() override {}

  static constexpr std::uint64_t kMost =
      100'000;  ///< instructions; the page stays quick and under about 10 MB

 private:
  StageView& view_;
  pipeline::dump::TextCache texts_;
  const pipeline::dump::Remark remark_;
  std::vector<PackedSpan> stages_, stalls_;  ///< of the row being packed
  std::vector<PackedWakeup> wakeups_;
};

}  // namespace psim::report
