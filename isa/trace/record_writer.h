// SPDX-License-Identifier: Apache-2.0
// Makes a trace from instruction records, one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "isa/exec/execution_recorder.h"
#include "isa/trace/trace_file.h"

namespace psim::isa::trace {

class RecordWriter {
 public:
  /// `image` is the current text, and follows the changes that this writer receives. Control is at `path`.
  RecordWriter(TraceFileWriter& file, TextImage& image, const Path& path)
      : file_(file), image_(image), path_(path) {}

  /// Records that the source waited before the next record, or before the end.
  void waited();
  /// Adds a record; `marker` if the record has region_marker set, `transfer` for an sbmget or sbmput.
  void add(const InstructionRecord& record, const RegionMarker* marker = nullptr,
           const BlockTransfer* transfer = nullptr);
  /// Begins instructions of blocks, whose outcomes and surprises are reported as they happen. Control is at
  /// `path` now. `redirected`: a trap or signal led there.
  void begin(const Path& path, bool redirected);
  FrameWriter& frame() { return frame_; }
  AddressSite& site(std::uint64_t pc) { return image_.site(*image_.at(pc)); }
  /// Takes in surprises in their order; `base` is the number of the frame's first instruction. `undo` belongs
  /// to the last surprise, or to a later prediction of a following site, and `recent` is the current value.
  /// Sites and followers are already updated.
  void surprises(std::span<const ExecutionRecorder::Surprise> all, std::uint64_t base,
                 const ExecutionRecorder::Undo& undo, std::uint64_t recent);
  Followers& followers() { return *followers_; }
  /// Returns the last surprising address of the frame.
  std::uint64_t recent() const { return recent_; }
  void space(std::uint32_t position, AddressSite& site, std::uint64_t sbm_base);
  void take_back(std::uint32_t position, AddressSite& site);
  /// Ends them: the instructions before `position` are done, and control is at `path`.
  void end(const Path& path, std::uint32_t position);
  /// Instructions of the frame so far.
  std::uint32_t position() const { return position_; }

  /// Sets the text from the next record on.
  void text(std::uint64_t address, std::span<const std::uint32_t> words);
  void no_text(std::uint64_t address, std::uint64_t bytes);
  /// Writes the remaining records.
  void finish();

  /// Returns the position where the next record is expected.
  const Path& path() const { return path_; }
  std::uint64_t instructions() const { return file_.instructions() + position_; }

 private:
  void note_value(AddressSite& site, std::uint64_t value, bool is_address);
  void note_simd(bool on, std::uint8_t pes);
  void note_extension(const InstructionRecord& record, TextImage::Entry& entry, const BlockTransfer* transfer,
                      InstructionRecord& follows);
  void begin_frame();
  void end_frame();

  TraceFileWriter& file_;
  TextImage& image_;
  FrameWriter frame_;
  Path path_;
  std::uint32_t position_ = 0;  ///< instructions of the frame
  std::uint64_t recent_ = 0;    ///< the last surprising address of the frame
  bool open_ = false;           ///< a frame is begun
  std::unique_ptr<Followers> followers_ = std::make_unique<Followers>();
  /// The state to restore if the last access that surprised, or was followed, did not happen.
  ExecutionRecorder::Undo last_;
  std::uint32_t last_position_ = 0;
  /// The last change between memory and SBM.
  struct {
    AddressSite* site = nullptr;
    std::uint32_t position = 0;
    std::uint64_t sbm_base = 0;  ///< the base before it
  } last_space_;
};

}  // namespace psim::isa::trace
