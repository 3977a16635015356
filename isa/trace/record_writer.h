// SPDX-License-Identifier: Apache-2.0
// Makes a trace of instruction records, one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "isa/exec/execution_recorder.h"
#include "isa/trace/trace_file.h"

namespace psim::isa::trace {

class RecordWriter {
 public:
  /// `image` is the text as it is now, and follows what this writer is told. Control is at `path`.
  RecordWriter(TraceFileWriter& file, TextImage& image, const Path& path)
      : file_(file), image_(image), path_(path) {}

  /// The source waited before the next record, or before the end.
  void waited();
  /// `marker` where the record says region_marker; `transfer` for an sbmget or sbmput.
  void add(const InstructionRecord& record, const RegionMarker* marker = nullptr,
           const BlockTransfer* transfer = nullptr);
  // The same for instructions of blocks, whose outcomes and surprises are told as they happen.
  /// Control is at `path` now. `redirected`: not by itself.
  void begin(const Path& path, bool redirected);
  FrameWriter& frame() { return frame_; }
  AddressSite& site(std::uint64_t pc) { return image_.site(*image_.at(pc)); }
  /// In the order in which they came; `base` is the number of the frame's first instruction. `undo` is of the
  /// last of them, or of what a following site met behind it, and `recent` is as it is now. Sites and
  /// followers have been told.
  void surprises(std::span<const ExecutionRecorder::Surprise> all, std::uint64_t base,
                 const ExecutionRecorder::Undo& undo, std::uint64_t recent);
  Followers& followers() { return *followers_; }
  /// The last surprising address of the frame.
  std::uint64_t recent() const { return recent_; }
  void space(std::uint32_t position, AddressSite& site, std::uint64_t sbm_base);
  void take_back(std::uint32_t position, AddressSite& site);
  /// The instructions before `position` are done, and control is at `path`.
  void end(const Path& path, std::uint32_t position);
  /// Instructions of the frame so far.
  std::uint32_t position() const { return position_; }

  /// Text as it is from the next record on.
  void text(std::uint64_t address, std::span<const std::uint32_t> words);
  void no_text(std::uint64_t address, std::uint64_t bytes);
  /// Writes what is left.
  void finish();

  /// Where control is: the next record is expected there.
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
  /// What is to be undone if the last access that surprised, or was followed, did not happen.
  ExecutionRecorder::Undo last_;
  std::uint32_t last_position_ = 0;
  /// The last change between memory and SBM.
  struct {
    AddressSite* site = nullptr;
    std::uint32_t position = 0;
    std::uint64_t sbm_base = 0;  ///< before it
  } last_space_;
};

}  // namespace psim::isa::trace
