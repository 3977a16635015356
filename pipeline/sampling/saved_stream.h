// SPDX-License-Identifier: Apache-2.0
// The windows of a sampled run from its saved warm state: the program does not run.
#pragma once

#include "isa/trace/trace_source.h"
#include "pipeline/sampling/sampled_stream.h"
#include "pipeline/sampling/warm_file.h"

namespace psim::pipeline {

class SavedStream final : public SampledStream {
 public:
  /// `file` outlives the stream. Throws UserError, as the other functions do.
  explicit SavedStream(WarmFile& file);

  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd = false) override {
    return source_.text(pc, simd);
  }
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return source_.transfer(record);
  }

  void attach(WiredCore& core, RegionFollower& regions) override { core_ = &core, follower_ = &regions; }
  Window skip(bool counted, bool late) override;
  std::uint64_t position() const override { return instructions_ + at() - begin_; }
  bool between_instructions() const override { return source_.between_instructions(); }
  bool at_transfer() override {
    const isa::StaticInstruction* const next = at() < end_ ? source_.peek() : nullptr;
    return next != nullptr && next->latency == isa::LatencyClass::BlockTransfer;
  }
  bool exhausted() const override { return at() == end_ && !at_end(); }
  bool first_run(const isa::InstructionRecord& record) override;
  isa::RegionMarker take_region() override { return source_.take_region(); }
  std::size_t row_of(const isa::RegionMarker& marker) override { return rows_.region_of(marker); }
  const std::vector<MeasuredRegion>& regions() const override { return file_.summary().regions; }
  std::vector<std::string> notes() const override { return file_.summary().notes; }
  L2Counts l2() const override { return file_.summary().l2; }
  std::uint64_t instructions() const override { return file_.summary().instructions; }
  bool limit_reached() const override { return file_.summary().limited; }

 private:
  std::uint64_t at() const { return source_.position(); }
  /// Returns true if the program ends at the end of the window.
  bool at_end() const { return next_ == file_.points() && file_.summary().ends_in_window; }
  std::uint64_t end_of_window() const;

  WarmFile& file_;
  isa::trace::TraceSource source_;
  RegionAccount rows_;
  std::size_t next_ = 0;                        // point
  std::size_t new_code_ = 0;                    // entries of WarmSummary::new_code that were passed
  std::uint64_t end_;                           // of the window, in the trace
  std::uint64_t begin_ = 0, instructions_ = 0;  // of the window: in the trace, and in the program
  bool over_ = false;
  WiredCore* core_ = nullptr;
  RegionFollower* follower_ = nullptr;
};

}  // namespace psim::pipeline
