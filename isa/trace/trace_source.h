// SPDX-License-Identifier: Apache-2.0
// Instruction records from a trace, equal to those of the recorded source.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "isa/trace/trace_file.h"

namespace psim::isa::trace {

class TraceSource final : public InstructionSource {
 public:
  /// Delivers `count` instructions from instruction `first` of the trace on. `file` outlives the source.
  /// Throws UserError, as next() and text() do.
  explicit TraceSource(TraceFile& file, std::uint64_t first = 0, std::uint64_t count = ~std::uint64_t{0});

  Pull next(std::uint64_t cycle, bool oldest, InstructionRecord& out) override;
  const StaticInstruction* text(std::uint64_t pc, bool simd = false) override;
  /// Returns the instruction of the next record; null at the end, and if a window trap comes first.
  const StaticInstruction* peek();

  BlockTransfer transfer(const InstructionRecord& record) const override;
  /// Returns and removes the marker of the oldest record with region_marker set.
  RegionMarker take_region();
  /// Sets the listener for changes of the text, called as they are read.
  void set_text_listener(FrameReader::TextListener listener) { text_listener_ = std::move(listener); }
  const TextImage& image() const { return image_; }
  /// Call after the end: throws UserError if a frame holds data that belong to no instruction.
  void check_used() const;
  /// Returns true if the last record is not a branch whose delay slot is still to come.
  bool between_instructions() const { return path_.npc == path_.pc + 4; }
  /// Returns the number, in the trace, of the next instruction.
  std::uint64_t position() const;

 private:
  bool settle();
  Pull pull(bool oldest, InstructionRecord& out);
  void handle_event();
  const StaticInstruction* peek_unchecked();
  void window_record(InstructionRecord& out);

  TraceFile& file_;
  std::unique_ptr<Followers> followers_ = std::make_unique<Followers>();
  TextImage image_;
  FrameReader frame_;
  std::size_t frame_number_ = 0;  ///< of the frame to read next
  std::uint32_t position_ = 0, frame_end_ = 0;
  std::uint64_t left_;
  std::uint64_t recent_ = 0;  ///< the last surprising address of the frame
  Path path_;
  std::deque<RegionMarker> regions_;
  FrameReader::TextListener text_listener_;
  std::vector<BlockTransfer> transfers_;  ///< by number modulo its size
  std::uint64_t extension_ = 0;           ///< number of the transfer, or tags, of the next instruction
  bool signal_ = false, wait_ = false, trap_ = false, marker_ = false;

  RecordKind trap_kind_ = RecordKind::SpillStore;  ///< of the window trap whose records are being delivered
  unsigned trap_left_ = 0;
  std::uint8_t trap_window_ = 0;
  std::uint64_t trap_area_ = 0;
};

}  // namespace psim::isa::trace
