// SPDX-License-Identifier: Apache-2.0
// Records a program while the pipeline runs it: the clock is the pipeline's.
#pragma once

#include "guest/live_source.h"
#include "isa/trace/record_writer.h"
#include "isa/trace/text_capture.h"

namespace psim::isa::trace {

class RecordingSource final : public InstructionSource {
 public:
  /// `process` is that of `live` and must not have begun; all outlive the source. Writes properties and text.
  RecordingSource(LiveSource& live, Process& process, TraceFileWriter& file, const Properties& properties);
  ~RecordingSource() override;

  Pull next(std::uint64_t cycle, bool oldest, InstructionRecord& out) override;
  const StaticInstruction* text(std::uint64_t pc, bool simd = false) override { return live_.text(pc, simd); }
  BlockTransfer transfer(const InstructionRecord& record) const override { return live_.transfer(record); }

  /// Adds a record that the pipeline does not pull; `marker` if it has region_marker set.
  void add(const InstructionRecord& record, const RegionMarker* marker);
  /// Call after the program has run without the source: pages may have been mapped.
  void refresh() { capture_.refresh(); }
  /// Returns the instructions recorded so far.
  std::uint64_t instructions() const { return writer_.instructions(); }

  /// Writes the remaining records and publishes the file.
  void finish(const Properties& ending);

 private:
  LiveSource& live_;
  Process& process_;
  TraceFileWriter& file_;
  TextImage image_;
  TextCapture capture_;
  RecordWriter writer_;
  bool waited_ = false;
};

}  // namespace psim::isa::trace
