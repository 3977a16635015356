// SPDX-License-Identifier: Apache-2.0
// One frame: the records of up to some million instructions, which can be read without any other frame, given
// the text image. docs/trace-format.md describes the bytes.
//
// A frame holds what does not follow from the text: one bit for each conditional branch; addresses and jump
// targets that their sites did not predict; events; changes of the text. Everything else follows from the
// text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

#include "isa/state/region_marker.h"
#include "isa/trace/path.h"
#include "isa/trace/varint.h"

namespace psim::isa::trace {

/// An event before the instruction at a position of a frame. The numbers are part of the file format.
enum class Event : std::uint8_t {
  Jump = 0,      ///< control did not continue where the previous instruction led: pc, window
  Signal = 1,    ///< the next record has InstructionRecord::signal
  Wait = 2,      ///< the source waited until all earlier records had committed, though the next is not timed
  Spill = 3,     ///< a window-spill trap: window, address of the save area
  Fill = 4,      ///< a window-fill trap: the same
  Region = 5,    ///< the next instruction is a region marker: begin or end, name, arguments
  Trap = 6,      ///< the next instruction is a conditional software trap, and is taken
  Simd = 7,      ///< SIMD state or the number of enabled PEs changes
  Sbm = 8,       ///< the next access goes to SBM, or not, unlike the last one of this pc
  Transfer = 9,  ///< the next instruction is an sbmget or sbmput: its descriptor and number
  Tags = 10,     ///< the next instruction is an sbmsync: the tags it waits for
};
inline constexpr std::uint64_t kLastEvent = 10;

/// The instructions of a frame: a reader decodes up to a frame to reach one of them, and every site is
/// reset at its start. A frame made of blocks may be longer by one block.
inline constexpr std::uint32_t kFrameInstructions = 1u << 20;

/// A surprise is one byte, the instructions since the last one (kFarSurprise: they follow as a number) above
/// three bits of a length, less one. Then come `length` bytes of the zigzag of its difference from the
/// prediction, the least significant first.
inline constexpr std::uint32_t kFarSurprise = 31;
constexpr unsigned number_bytes(std::uint64_t number) {
  return static_cast<unsigned>(std::bit_width(number | 1) + 7) / 8;
}

/// The header of a frame in the file.
struct FrameHeader {
  std::uint64_t first = 0;         ///< instructions of the trace before the frame
  std::uint32_t instructions = 0;  ///< in it
  bool changes_text = false;
};

/// Makes the payload of a frame. Positions are instructions of the frame so far.
class FrameWriter {
 public:
  FrameWriter();
  void begin(const Path& at);
  void branch(bool taken) { *outcomes++ = taken; }
  /// The address for the outcome of the next conditional branch, one per byte; there is room for those of a
  /// frame.
  std::uint8_t* outcomes;
  /// Records an address or target that its site did not predict: its difference from the prediction.
  void surprise(std::uint32_t position, std::uint64_t difference) {
    if (surprises_end_ - surprises_at_ < kSurpriseBytes) [[unlikely]]
      more_surprises();
    before_surprise_ = {surprises(), last_surprise_};
    const std::uint32_t distance = position - last_surprise_;
    const std::uint64_t number = zigzag(difference);
    const unsigned bytes = number_bytes(number);
    std::uint8_t* at = surprises_at_;
    *at++ = static_cast<std::uint8_t>(std::min(distance, kFarSurprise) << 3 | (bytes - 1));
    if (distance >= kFarSurprise) [[unlikely]]
      at = put(at, distance);
    std::memcpy(at, &number, sizeof number);
    surprises_at_ = at + bytes;
    last_surprise_ = position;
  }
  /// Takes back the last surprise.
  void unsurprise() {
    surprises_at_ = surprises_.get() + before_surprise_.size;
    last_surprise_ = before_surprise_.position;
  }
  void jump(std::uint32_t position, std::uint64_t pc, std::uint64_t expected_pc, std::uint8_t window);
  void event(std::uint32_t position, Event kind);
  void window_trap(std::uint32_t position, Event kind, std::uint8_t window, std::uint64_t area);
  void region(std::uint32_t position, const RegionMarker& marker);
  void simd(std::uint32_t position, bool on, std::uint8_t pes);
  /// From `position` on, the next instruction accesses SBM at its addresses minus `base`, or memory
  /// (AddressSite::kNotSbm).
  void sbm(std::uint32_t position, std::uint64_t base);
  /// Takes back the last event, which was sbm().
  void unsbm();
  void transfer(std::uint32_t position, std::uint64_t number, const BlockTransfer& transfer);
  void tags(std::uint32_t position, std::uint64_t mask);
  /// Sets the words from `address` on; if none are given, `bytes` from there on hold no text.
  void text(std::uint32_t position, std::uint64_t address, std::span<const std::uint32_t> words);
  void no_text(std::uint32_t position, std::uint64_t address, std::uint64_t bytes);

  bool changes_text() const { return !text_.empty(); }
  /// Returns the bytes so far, before compression.
  std::size_t size() const { return branches() / 8 + surprises() + events_.size() + text_.size(); }
  Bytes finish();

 private:
  Bytes& at(Bytes& stream, std::uint32_t& last, std::uint32_t position);

  std::size_t branches() const { return static_cast<std::size_t>(outcomes - branches_.get()); }
  std::size_t surprises() const { return static_cast<std::size_t>(surprises_at_ - surprises_.get()); }
  void more_surprises();

  Path start_;
  std::unique_ptr<std::uint8_t[]> branches_;            ///< one per byte
  static constexpr std::ptrdiff_t kSurpriseBytes = 20;  ///< most bytes of one surprise, while it is written
  std::unique_ptr<std::uint8_t[]> surprises_;           ///< in bytes
  std::uint8_t *surprises_at_, *surprises_end_;
  Bytes events_, text_;
  std::uint32_t last_surprise_ = 0, last_event_ = 0, last_text_ = 0;
  /// The state before the last surprise and the last sbm(): the stream's size, and the position of its last
  /// entry.
  struct {
    std::size_t size = 0;
    std::uint32_t position = 0;
  } before_surprise_, before_sbm_;
};

/// Reads the payload of a frame. Throws BadTrace.
class FrameReader {
 public:
  FrameReader() = default;
  /// `may_follow`: sites of addresses may follow, which they do not before version 3.
  FrameReader(Bytes payload, std::uint32_t instructions, bool may_follow = true);
  FrameReader(FrameReader&&) = default;
  FrameReader& operator=(FrameReader&&) = default;

  const Path& start() const { return start_; }
  bool may_follow() const { return may_follow_; }
  bool branch();
  /// Returns true if there is a surprise at `position`.
  bool surprises(std::uint32_t position) const { return position == next_surprise_; }
  std::uint64_t surprise(std::uint64_t expected);
  bool has_event(std::uint32_t position) const { return position == next_event_; }
  Event event();
  /// Return the values of a Jump, Spill, Fill or Region.
  std::uint64_t jump_target(std::uint64_t expected_pc);
  std::uint8_t window();
  std::uint64_t area();
  RegionMarker region();
  std::uint64_t number() { return events_.number(); }
  BlockTransfer transfer();
  void next_event() { advance(events_, next_event_); }
  /// Receives a change of the text: new words from `address` on, or, if none, bytes that hold no text.
  using TextListener =
      std::function<void(std::uint64_t address, std::span<const std::uint32_t> words, std::uint64_t bytes)>;
  /// Applies the changes of the text up to and at `position`. `listener` may be empty.
  void change_text(std::uint32_t position, TextImage& image, const TextListener& listener = {});
  /// Throws unless all of the payload has been used.
  void check_used() const;

 private:
  void advance(Reader& stream, std::uint32_t& next);
  void advance_surprises();

  Bytes payload_;
  Path start_;
  std::uint32_t instructions_ = 0;
  bool may_follow_ = true;
  const std::uint8_t* branches_ = nullptr;
  std::uint64_t branch_ = 0, branch_count_ = 0;
  Reader surprises_, events_, text_;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  unsigned surprise_bytes_ = 0;                                                   ///< of the next one
  std::uint32_t next_surprise_ = kNone, next_event_ = kNone, next_text_ = kNone;  ///< positions
};

}  // namespace psim::isa::trace
