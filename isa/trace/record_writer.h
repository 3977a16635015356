// SPDX-License-Identifier: Apache-2.0
// Makes a trace of instruction records, one by one.
#pragma once

#include <cstdint>

#include "isa/trace/trace_file.h"

namespace psim::isa::trace {

/// Instructions of a frame: what a reader decodes to reach one of them, and what surprises every site anew.
inline constexpr std::uint32_t kFrameInstructions = 1u << 20;

class RecordWriter {
 public:
  /// `image` is the text as it is now, and follows what this writer is told.
  RecordWriter(TraceFileWriter& file, TextImage& image) : file_(file), image_(image) {}

  /// The source waited before the next record, or before the end.
  void waited();
  /// `marker` where the record says region_marker.
  void add(const InstructionRecord& record, const RegionMarker* marker = nullptr);
  /// Text as it is from the next record on.
  void text(std::uint64_t address, std::span<const std::uint32_t> words);
  void no_text(std::uint64_t address, std::uint64_t bytes);
  /// Writes what is left.
  void finish();

  std::uint64_t instructions() const { return file_.instructions() + position_; }

 private:
  void begin_frame();
  void end_frame();

  TraceFileWriter& file_;
  TextImage& image_;
  FrameWriter frame_;
  Path path_;
  std::uint32_t position_ = 0;  ///< instructions of the frame
  bool open_ = false;           ///< a frame is begun
};

}  // namespace psim::isa::trace
