// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/trace_source.h"

#include <fmt/format.h>

#include <utility>

#include "isa/state/simd_config.h"
#include "isa/state/windows.h"

namespace psim::isa::trace {

namespace {
constexpr unsigned kTrapRecords = 16;
constexpr std::size_t kTransfersKept = 2048;
}  // namespace

TraceSource::TraceSource(TraceFile& file, std::uint64_t first, std::uint64_t count)
    : file_(file), left_(count) {
  file_.read_text(image_);
  const std::size_t frame = file_.frame_of(first);
  for (; frame_number_ < frame; ++frame_number_) {
    if (!file_.header(frame_number_).changes_text) continue;
    FrameReader earlier = file_.read_frame(frame_number_);
    try {
      earlier.change_text(file_.header(frame_number_).instructions, image_);
    } catch (const BadTrace& error) {
      file_.fail_in_frame(frame_number_, error.what());
    }
  }
  if (!settle()) return;
  const std::uint64_t begin = file_.header(frame).first;
  const std::uint64_t wanted = std::exchange(left_, ~std::uint64_t{0});
  for (InstructionRecord record; begin + position_ < first && next(0, true, record) == Pull::Record;) {
    if (record.region_marker) take_region();
  }
  left_ = wanted;
}

std::uint64_t TraceSource::position() const {
  return (frame_number_ == 0 ? 0 : file_.header(frame_number_ - 1).first) + position_;
}

void TraceSource::check_used() const {
  try {
    if (frame_number_ != 0) frame_.check_used();
  } catch (const BadTrace& error) {
    file_.fail_in_frame(frame_number_ - 1, error.what());
  }
}

/// Makes the frame of the next record current, and updates the text to that point. Returns false at the end.
bool TraceSource::settle() {
  try {
    while (position_ == frame_end_ && frame_number_ < file_.frames() && trap_left_ == 0) {
      if (frame_number_ != 0 && frame_end_ != 0) frame_.check_used();
      frame_ = file_.read_frame(frame_number_);
      frame_end_ = file_.header(frame_number_).instructions;
      ++frame_number_;
      position_ = 0;
      path_ = frame_.start();
      image_.reset_sites();
      recent_ = 0;
      followers_->forget();
    }
    frame_.change_text(position_, image_, text_listener_);
  } catch (const BadTrace& error) {
    file_.fail_in_frame(frame_number_ - 1, error.what());
  }
  return position_ != frame_end_;
}

const StaticInstruction* TraceSource::text(std::uint64_t pc, bool simd) {
  settle();
  const TextImage::Entry* const entry = image_.at(pc);
  if (entry == nullptr) return nullptr;
  return simd ? entry->in_simd : entry->instruction;
}

BlockTransfer TraceSource::transfer(const InstructionRecord& record) const {
  return transfers_.empty() ? BlockTransfer{} : transfers_[record.target % kTransfersKept];
}

RegionMarker TraceSource::take_region() {
  RegionMarker marker = std::move(regions_.front());
  regions_.pop_front();
  return marker;
}

void TraceSource::window_record(InstructionRecord& out) {
  const unsigned n = kTrapRecords - trap_left_;
  out = {.pc = path_.pc,
         .address = trap_area_ + 8 * n,
         .target = path_.pc,
         .instruction = image_.analysed(window_trap_word(trap_kind_, n), path_.simd),
         .kind = trap_kind_,
         .window = trap_window_};
  out.simd = path_.simd, out.pes = path_.pes;
  out.first_of_trap = n == 0;
  out.signal = std::exchange(signal_, false);
  --trap_left_;
}

void TraceSource::handle_event() {
  const Event kind = frame_.event();
  switch (kind) {
    case Event::Jump: {
      const std::uint64_t pc = frame_.jump_target(path_.pc);
      path_.go_to(pc, frame_.window());
      break;
    }
    case Event::Signal:
      signal_ = true;
      break;
    case Event::Wait:
      wait_ = true;
      break;
    case Event::Spill:
    case Event::Fill:
      trap_kind_ = kind == Event::Spill ? RecordKind::SpillStore : RecordKind::FillLoad;
      trap_window_ = frame_.window();
      trap_area_ = frame_.area();
      trap_left_ = kTrapRecords;
      break;
    case Event::Region:
      regions_.push_back(frame_.region());
      marker_ = true;
      break;
    case Event::Trap:
      trap_ = true;
      break;
    case Event::Simd: {
      const std::uint64_t value = frame_.number();
      if (value > 2 * kMostPes + 1) throw BadTrace("the number of PEs is out of range");
      path_.simd = value & 1, path_.pes = static_cast<std::uint8_t>(value >> 1);
      break;
    }
    case Event::Sbm: {
      TextImage::Entry* const entry = image_.at(path_.pc);
      if (entry == nullptr) throw BadTrace("an access to SBM without an instruction");
      const bool sbm = frame_.number() != 0;
      image_.site(*entry).sbm_base = sbm ? frame_.number() : AddressSite::kNotSbm;
      break;
    }
    case Event::Transfer:
      extension_ = frame_.number();
      transfers_.resize(kTransfersKept);
      transfers_[extension_ % kTransfersKept] = frame_.transfer();
      break;
    case Event::Tags:
      extension_ = frame_.number();
      break;
  }
  frame_.next_event();
}

Pull TraceSource::pull(bool oldest, InstructionRecord& out) {
  const bool more = settle() && left_ != 0;
  for (;;) {
    if (wait_ && !oldest) return Pull::WaitUntilOldest;
    wait_ = false;
    if (trap_left_ != 0 || left_ == 0 || !frame_.has_event(position_)) break;
    handle_event();
  }
  if (trap_left_ != 0) return window_record(out), Pull::Record;
  if (!more) return Pull::End;
  TextImage::Entry* const entry = image_.at(path_.pc);
  if (entry == nullptr) throw BadTrace(fmt::format("no instruction is known at PC {:#x}", path_.pc));
  if (entry->instruction->timed && !oldest) return Pull::WaitUntilOldest;
  const Outcome outcome = outcome_of(*entry);
  bool taken = false;
  std::uint64_t value = 0;
  if (outcome == Outcome::Branch) taken = frame_.branch();
  if (outcome == Outcome::Trap) taken = std::exchange(trap_, false);
  if (outcome == Outcome::Target || entry->address) {
    AddressSite& site = image_.site(*entry);
    if (frame_.surprises(position_)) {
      value = frame_.surprise(site.prediction(recent_));
      if (entry->address && frame_.may_follow())
        site.learn_address(value, recent_, *followers_);
      else
        site.learn(value, recent_, entry->address);
      if (entry->address) recent_ = value;
    } else {
      value = site.follows != 0 ? followers_->after(recent_) : site.prediction(recent_);
      site.met(value, recent_, *followers_);
    }
  }
  path_.pass(*entry, taken, value, out);
  if (entry->address) {
    out.address = value;
    if (entry->site.sbm_base != AddressSite::kNotSbm && may_reach_sbm(out))
      out.sbm = 1, out.target = value - entry->site.sbm_base;
  }
  if (out.instruction->latency == LatencyClass::BlockTransfer ||
      out.instruction->latency == LatencyClass::TransferSync)
    out.target = std::exchange(extension_, 0);
  out.signal = std::exchange(signal_, false);
  out.region_marker = std::exchange(marker_, false);
  ++position_, --left_;
  return Pull::Record;
}

const StaticInstruction* TraceSource::peek_unchecked() {
  if (!settle()) return nullptr;
  while (trap_left_ == 0 && left_ != 0 && frame_.has_event(position_)) handle_event();
  const TextImage::Entry* const entry = trap_left_ == 0 && left_ != 0 ? image_.at(path_.pc) : nullptr;
  return entry == nullptr ? nullptr : path_.simd ? entry->in_simd : entry->instruction;
}

const StaticInstruction* TraceSource::peek() {
  try {
    return peek_unchecked();
  } catch (const BadTrace& error) {
    file_.fail_in_frame(frame_number_ - 1, error.what());
  }
}

Pull TraceSource::next(std::uint64_t, bool oldest, InstructionRecord& out) {
  try {
    return pull(oldest, out);
  } catch (const BadTrace& error) {
    file_.fail_in_frame(frame_number_ - 1, error.what());
  }
}

}  // namespace psim::isa::trace
