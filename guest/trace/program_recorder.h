// SPDX-License-Identifier: Apache-2.0
// Records a program while it runs functionally, all of it or a window. The clock is that of `psim exec`: one
// cycle per instruction.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "guest/process.h"
#include "isa/trace/record_writer.h"
#include "isa/trace/text_capture.h"

namespace psim::isa::trace {

/// The part of a run to record.
struct Window {
  std::uint64_t skip = 0;                   ///< instructions before it
  std::uint64_t count = ~std::uint64_t{0};  ///< instructions in it, at most
  std::string region = {};                  ///< or: one execution of this region, markers included
  std::uint64_t execution = 1;              ///< its number among the region's executions, from 1
};

class ProgramRecorder final : public ExecutionRecorder {
 public:
  /// `process` must not have begun; it and `file` outlive the recorder.
  ProgramRecorder(Process& process, TraceFileWriter& file, const Properties& properties, Window window);
  ~ProgramRecorder() override;

  /// Runs the program to the end of the window, or to its end. Calls `progress` at intervals.
  void run(const std::function<void()>& progress);
  /// Instructions recorded.
  std::uint64_t instructions() const { return writer_ ? writer_->instructions() : 0; }
  /// True once the window has begun, and once it has ended. The end of the program ends a window only without
  /// a region or a count.
  bool began() const { return phase_ != Phase::Before; }
  bool complete() const { return phase_ == Phase::After; }
  /// Writes the remaining records and publishes the file.
  void finish(const Properties& ending);

  // ExecutionRecorder
  bool done() const override { return phase_ == Phase::After; }
  bool recording() const override { return phase_ == Phase::Inside; }
  /// Returns true for region markers and for instructions that change SIMD state or move blocks.
  bool alone(std::uint32_t word) override;
  AddressSite& site(std::uint64_t pc) override;
  void begin(const CpuState& state, bool redirected) override;
  void take_surprises() override;
  void space(std::uint64_t instruction, AddressSite& site, std::uint64_t sbm_base) override;
  void take_back(std::uint64_t instruction, AddressSite& site) override;
  void left(const CpuState& state) override;
  void step(const InstructionRecord& record) override;

 private:
  enum class Phase : std::uint8_t { Before, Inside, After };
  void start(const Path& at);
  void marker(const RegionMarker& marker, const InstructionRecord& record);

  Process& process_;
  TraceFileWriter& file_;
  const Properties properties_;
  const Window window_;
  Phase phase_ = Phase::Before;
  TextImage image_;
  std::optional<TextCapture> capture_;
  std::optional<RecordWriter> writer_;
  /// Data that blocks report between two calls here; small enough for the cache.
  std::array<Surprise, 256> surprise_buffer_;
  std::uint64_t base_ = 0;               ///< instructions of the process before the frame
  std::uint64_t begun_ = 0, depth_ = 0;  ///< executions of the region so far; nesting inside the recorded one
};

}  // namespace psim::isa::trace
