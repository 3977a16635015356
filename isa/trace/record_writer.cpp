// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/record_writer.h"

#include <fmt/format.h>

#include <stdexcept>

namespace psim::isa::trace {

void RecordWriter::begin_frame() {
  if (open_) return;
  open_ = true;
  position_ = 0;
  frame_.begin(path_);
  image_.reset_sites();
  followers_->forget();
  last_ = {}, last_space_ = {};
  recent_ = 0;
}

void RecordWriter::end_frame() {
  if (!open_) return;
  file_.frame({file_.instructions(), position_, frame_.changes_text()}, frame_.finish());
  open_ = false;
  position_ = 0;
}

void RecordWriter::waited() {
  begin_frame();
  frame_.event(position_, Event::Wait);
}

void RecordWriter::text(std::uint64_t address, std::span<const std::uint32_t> words) {
  begin_frame();
  image_.set(address, words);
  frame_.text(position_, address, words);
}
void RecordWriter::no_text(std::uint64_t address, std::uint64_t bytes) {
  begin_frame();
  image_.forget(address, bytes);
  frame_.no_text(position_, address, bytes);
}

void RecordWriter::note_simd(bool on, std::uint8_t pes) {
  if (on == path_.simd && pes == path_.pes) return;
  frame_.simd(position_, on, pes);
  path_.simd = on, path_.pes = pes;
}

/// Records an instruction's use of SBM, which goes into InstructionRecord::target.
void RecordWriter::note_extension(const InstructionRecord& record, TextImage::Entry& entry,
                                  const BlockTransfer* transfer, InstructionRecord& follows) {
  if (record.instruction->latency == LatencyClass::BlockTransfer) {
    frame_.transfer(position_, record.target, *transfer);
    file_.uses_pes(static_cast<std::uint8_t>(32 - __builtin_clz(transfer->pes | 1)));
    follows.target = record.target;
  } else if (record.instruction->latency == LatencyClass::TransferSync) {
    frame_.tags(position_, record.target);
    follows.target = record.target;
  } else if (entry.address && may_reach_sbm(record)) {
    const std::uint64_t base = record.sbm ? record.address - record.target : AddressSite::kNotSbm;
    if (base != entry.site.sbm_base) space(position_, image_.site(entry), base);
    if (record.sbm) follows.target = record.target;
  }
}

void RecordWriter::begin(const Path& path, bool redirected) {
  begin_frame();
  note_simd(path.simd, path.pes);
  const bool led = path.pc == path_.pc && path.npc == path_.npc && path.window == path_.window;
  if (!led) frame_.jump(position_, path.pc, path_.pc, path.window), path_.go_to(path.pc, path.window);
  if (!led || redirected) frame_.event(position_, Event::Signal);
  if (path.simd) file_.uses_pes(path.pes);
}

/// Records the address of an instruction done by a single step: it has happened, so no undo is needed.
void RecordWriter::note_value(AddressSite& site, std::uint64_t value, bool is_address) {
  last_.site = nullptr;
  if (!is_address) {
    if (site.met(value, 0)) return;
    frame_.surprise(position_, value - site.prediction(recent_));
    site.learn(value, recent_, false);
    return;
  }
  if (site.met(value, recent_, *followers_)) return;
  frame_.surprise(position_, value - site.prediction(recent_));
  site.learn_address(value, recent_, *followers_);
}

void RecordWriter::surprises(std::span<const ExecutionRecorder::Surprise> all, std::uint64_t base,
                             const ExecutionRecorder::Undo& undo, std::uint64_t recent) {
  for (const ExecutionRecorder::Surprise& each : all)
    frame_.surprise(static_cast<std::uint32_t>(each.instruction - base), each.difference);
  last_ = undo;
  last_position_ = static_cast<std::uint32_t>(undo.instruction - base);
  recent_ = recent;
}

void RecordWriter::space(std::uint32_t position, AddressSite& site, std::uint64_t sbm_base) {
  last_space_ = {&site, position, site.sbm_base};
  frame_.sbm(position, sbm_base);
  site.sbm_base = sbm_base;
}

void RecordWriter::take_back(std::uint32_t position, AddressSite& site) {
  if (last_.site == &site && last_position_ == position) {
    if (last_.surprised) {
      static_cast<AddressGuess&>(site) = last_.guess;
      if (site.follows != 0) followers_->after(last_.recent) = last_.follower;
      frame_.unsurprise();
    } else {
      site.failed = last_.guess.failed;
    }
    recent_ = last_.recent;
    last_.site = nullptr;
  } else {
    site.expected -= site.stride;
  }
  if (last_space_.site == &site && last_space_.position == position) {
    site.sbm_base = last_space_.sbm_base;
    frame_.unsbm();
    last_space_.site = nullptr;
  }
}

void RecordWriter::end(const Path& path, std::uint32_t position) {
  path_ = path;
  position_ = position;
  if (position_ >= kFrameInstructions) end_frame();
}

void RecordWriter::add(const InstructionRecord& record, const RegionMarker* marker,
                       const BlockTransfer* transfer) {
  begin_frame();
  note_simd(record.simd, record.pes);
  if (record.signal) frame_.event(position_, Event::Signal);
  if (record.kind != RecordKind::Instruction) {
    const Event kind = record.kind == RecordKind::SpillStore ? Event::Spill : Event::Fill;
    if (record.pc != path_.pc) {
      frame_.jump(position_, record.pc, path_.pc, path_.window);
      path_.go_to(record.pc, path_.window);
    }
    if (record.first_of_trap) frame_.window_trap(position_, kind, record.window, record.address);
    return;
  }
  if (record.pc != path_.pc || record.window != path_.window) {
    frame_.jump(position_, record.pc, path_.pc, record.window);
    path_.go_to(record.pc, record.window);
  }
  const std::uint32_t word = record.instruction->word;
  if (!image_.holds(record.pc, word)) text(record.pc, {&word, 1});
  TextImage::Entry& entry = *image_.at(record.pc);
  const Outcome outcome = outcome_of(entry);
  if (outcome == Outcome::Branch) frame_.branch(record.taken);
  if (outcome == Outcome::Trap && record.taken) frame_.event(position_, Event::Trap);
  if (outcome == Outcome::Target || entry.address) {
    AddressSite& site = image_.site(entry);
    const std::uint64_t value = entry.address ? record.address : record.target;
    note_value(site, value, entry.address);
  }
  if (record.region_marker) frame_.region(position_, *marker);
  InstructionRecord follows;
  if (record.simd || record.instruction->unit == Unit::Simd ||
      record.instruction->latency == LatencyClass::BlockTransfer)
    file_.uses_pes(record.pes);
  note_extension(record, entry, transfer, follows);
  const std::uint64_t extension = follows.target;
  path_.pass(entry, record.taken, record.target, follows);
  if (extension != 0) follows.target = extension;
  if (follows.target != record.target || follows.taken != record.taken ||
      follows.annulled_slot != record.annulled_slot)
    throw std::logic_error(fmt::format("a record at {:#x} that its instruction cannot leave", record.pc));
  if (++position_ >= kFrameInstructions) end_frame();
}

void RecordWriter::finish() { end_frame(); }

}  // namespace psim::isa::trace
