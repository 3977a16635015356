// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/frame.h"

#include <algorithm>
#include <cstring>

#include "isa/state/simd_config.h"

namespace psim::isa::trace {

namespace {
constexpr std::size_t kSlack = 128;  // a block, and the packing of eight at a time

/// Packs eight outcomes, each 0 or 1 in its byte, into the bits of one byte, the first lowest.
std::uint8_t packed(const std::uint8_t* outcomes) {
  std::uint64_t eight;
  std::memcpy(&eight, outcomes, 8);
  // Byte i, times 2^(56 - 7 i), reaches bit 56 + i; no two products meet.
  return static_cast<std::uint8_t>(eight * 0x0102040810204080u >> 56);
}
}  // namespace

// ---- writing ----

FrameWriter::FrameWriter()
    : outcomes(nullptr),
      branches_(new std::uint8_t[kFrameInstructions + kSlack]),
      surprises_at_(nullptr),
      surprises_end_(nullptr) {
  outcomes = branches_.get();
}

void FrameWriter::begin(const Path& at) {
  start_ = at;
  outcomes = branches_.get();
  surprises_at_ = surprises_.get();
  events_.clear(), text_.clear();
  last_surprise_ = last_event_ = last_text_ = 0;
}

Bytes& FrameWriter::at(Bytes& stream, std::uint32_t& last, std::uint32_t position) {
  put(stream, std::uint64_t{position - last});
  last = position;
  return stream;
}

void FrameWriter::more_surprises() {
  const std::size_t used = surprises(), room = std::max<std::size_t>(1 << 16, 2 * used);
  std::unique_ptr<std::uint8_t[]> larger(new std::uint8_t[room]);
  std::copy_n(surprises_.get(), used, larger.get());
  surprises_ = std::move(larger);
  surprises_at_ = surprises_.get() + used, surprises_end_ = surprises_.get() + room;
}

void FrameWriter::event(std::uint32_t position, Event kind) {
  at(events_, last_event_, position).push_back(static_cast<std::uint8_t>(kind));
}
void FrameWriter::jump(std::uint32_t position, std::uint64_t pc, std::uint64_t expected_pc,
                       std::uint8_t window) {
  event(position, Event::Jump);
  put(events_, zigzag(pc - expected_pc));
  events_.push_back(window);
}
void FrameWriter::window_trap(std::uint32_t position, Event kind, std::uint8_t window, std::uint64_t area) {
  event(position, kind);
  events_.push_back(window);
  put(events_, area);
}
void FrameWriter::region(std::uint32_t position, const RegionMarker& marker) {
  event(position, Event::Region);
  events_.push_back(marker.begin);
  put(events_, marker.name);
  put(events_, std::uint64_t{marker.arguments.size()});
  for (const std::int64_t argument : marker.arguments)
    put(events_, zigzag(static_cast<std::uint64_t>(argument)));
}

void FrameWriter::simd(std::uint32_t position, bool on, std::uint8_t pes) {
  event(position, Event::Simd);
  put(events_, std::uint64_t{pes} << 1 | on);
}
void FrameWriter::sbm(std::uint32_t position, std::uint64_t base) {
  before_sbm_ = {events_.size(), last_event_};
  const bool sbm = base != AddressSite::kNotSbm;
  event(position, Event::Sbm);
  put(events_, std::uint64_t{sbm});
  if (sbm) put(events_, base);
}
void FrameWriter::unsbm() {
  events_.resize(before_sbm_.size);
  last_event_ = before_sbm_.position;
}
void FrameWriter::transfer(std::uint32_t position, std::uint64_t number, const BlockTransfer& t) {
  event(position, Event::Transfer);
  for (const std::uint64_t field :
       {number, std::uint64_t{t.put}, std::uint64_t{t.tag}, std::uint64_t{t.pes}, t.memory,
        zigzag(static_cast<std::uint64_t>(t.pe_stride)), zigzag(static_cast<std::uint64_t>(t.row_stride)),
        std::uint64_t{t.sbm_offset}, std::uint64_t{t.sbm_pitch}, std::uint64_t{t.row_bytes},
        std::uint64_t{t.rows}})
    put(events_, field);
}
void FrameWriter::tags(std::uint32_t position, std::uint64_t mask) {
  event(position, Event::Tags);
  put(events_, mask);
}

void FrameWriter::text(std::uint32_t position, std::uint64_t address, std::span<const std::uint32_t> words) {
  put(at(text_, last_text_, position), address);
  put(text_, std::uint64_t{words.size()});
  put(text_, words);
}
void FrameWriter::no_text(std::uint32_t position, std::uint64_t address, std::uint64_t bytes) {
  put(at(text_, last_text_, position), address);
  put(text_, std::uint64_t{0});
  put(text_, bytes);
}

Bytes FrameWriter::finish() {
  Bytes payload;
  payload.reserve(size() + 64);
  put(payload, start_.pc);
  put(payload, start_.npc);
  put(payload, std::uint64_t{start_.window});
  put(payload, std::uint64_t{start_.pes} << 1 | start_.simd);
  const std::size_t count = branches();
  put(payload, std::uint64_t{count});
  std::memset(outcomes, 0, 8);
  for (std::size_t i = 0; i < count; i += 8) payload.push_back(packed(&branches_[i]));
  for (const std::span<const std::uint8_t> stream :
       {std::span<const std::uint8_t>(surprises_.get(), surprises()), std::span<const std::uint8_t>(events_),
        std::span<const std::uint8_t>(text_)}) {
    put(payload, std::uint64_t{stream.size()});
    payload.insert(payload.end(), stream.begin(), stream.end());
  }
  return payload;
}

// ---- reading ----

FrameReader::FrameReader(Bytes payload, std::uint32_t instructions, bool may_follow)
    : payload_(std::move(payload)), instructions_(instructions), may_follow_(may_follow) {
  Reader all(payload_.data(), payload_.data() + payload_.size());
  start_.pc = all.number(), start_.npc = all.number();
  start_.window = static_cast<std::uint8_t>(all.number(kWindows - 1, "the register window"));
  const std::uint64_t simd = all.number(2 * kMostPes + 1, "the number of PEs");
  start_.simd = simd & 1, start_.pes = static_cast<std::uint8_t>(simd >> 1);
  branch_count_ = all.number(8 * std::uint64_t{all.left()}, "the number of branches");
  branches_ = all.bytes((branch_count_ + 7) / 8);
  for (Reader* stream : {&surprises_, &events_, &text_}) {
    const std::uint64_t bytes = all.number();
    const std::uint8_t* const begin = all.bytes(bytes);
    *stream = Reader(begin, begin + bytes);
  }
  if (!all.done()) throw BadTrace("bytes follow its end");
  next_surprise_ = next_event_ = next_text_ = 0;
  advance_surprises(), advance(events_, next_event_), advance(text_, next_text_);
}

void FrameReader::advance(Reader& stream, std::uint32_t& next) {
  if (stream.done()) {
    next = kNone;
    return;
  }
  next += static_cast<std::uint32_t>(stream.number(instructions_ - next, "a position"));
}

void FrameReader::advance_surprises() {
  if (surprises_.done()) {
    next_surprise_ = kNone;
    return;
  }
  const std::uint8_t head = *surprises_.bytes(1);
  std::uint64_t distance = head >> 3;
  if (distance == kFarSurprise) distance = surprises_.number();
  if (distance > instructions_ - next_surprise_) throw BadTrace("a position is out of range");
  next_surprise_ += static_cast<std::uint32_t>(distance);
  surprise_bytes_ = (head & 7) + 1u;
}

bool FrameReader::branch() {
  if (branch_ == branch_count_) throw BadTrace("outcomes of branches are missing");
  const bool taken = branches_[branch_ / 8] >> (branch_ % 8) & 1;
  ++branch_;
  return taken;
}

std::uint64_t FrameReader::surprise(std::uint64_t expected) {
  std::uint64_t number = 0;
  std::memcpy(&number, surprises_.bytes(surprise_bytes_), surprise_bytes_);
  advance_surprises();
  return expected + unzigzag(number);
}

Event FrameReader::event() { return static_cast<Event>(events_.number(kLastEvent, "an event")); }
std::uint64_t FrameReader::jump_target(std::uint64_t expected_pc) {
  return expected_pc + unzigzag(events_.number());
}
std::uint8_t FrameReader::window() {
  return static_cast<std::uint8_t>(events_.number(kWindows - 1, "the register window"));
}
std::uint64_t FrameReader::area() { return events_.number(); }

RegionMarker FrameReader::region() {
  RegionMarker marker;
  marker.begin = events_.number(1, "the kind of a region marker") != 0;
  marker.name = events_.text();
  const std::uint64_t count = events_.number(region_marker::kMostArguments, "the number of arguments");
  for (std::uint64_t i = 0; i < count; ++i)
    marker.arguments.push_back(static_cast<std::int64_t>(unzigzag(events_.number())));
  return marker;
}

BlockTransfer FrameReader::transfer() {
  const auto at_most = [&](std::uint64_t most) { return events_.number(most, "a field of a transfer"); };
  const auto small = [&] { return static_cast<std::uint32_t>(at_most(~std::uint32_t{0})); };
  BlockTransfer t;
  t.put = at_most(1) != 0;
  t.tag = static_cast<std::uint8_t>(at_most(15));
  t.pes = small();
  t.memory = events_.number();
  t.pe_stride = static_cast<std::int64_t>(unzigzag(events_.number()));
  t.row_stride = static_cast<std::int64_t>(unzigzag(events_.number()));
  t.sbm_offset = small(), t.sbm_pitch = small(), t.row_bytes = small(), t.rows = small();
  return t;
}

void FrameReader::change_text(std::uint32_t position, TextImage& image, const TextListener& listener) {
  while (next_text_ <= position && next_text_ != kNone) {
    const std::uint64_t address = text_.number();
    const std::uint64_t count = text_.number(text_.left() / 4, "the number of words");
    if (address % 4 != 0) throw BadTrace("the address of a change of the text is no multiple of 4");
    if (count == 0) {
      const std::uint64_t bytes = text_.number();
      image.forget(address, bytes);
      if (listener) listener(address, {}, bytes);
    } else {
      const std::vector<std::uint32_t> words = text_.words(count);
      image.set(address, words);
      if (listener) listener(address, words, 0);
    }
    advance(text_, next_text_);
  }
}

void FrameReader::check_used() const {
  if (branch_ != branch_count_ || next_surprise_ != kNone || next_event_ != kNone || next_text_ != kNone)
    throw BadTrace("something in it belongs to no instruction");
}

}  // namespace psim::isa::trace
