// SPDX-License-Identifier: Apache-2.0
#include "report/dump/kanata_writer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/error.h"

namespace psim::pipeline::dump {

namespace {
constexpr std::uint64_t kNear = 4096;         // cycles; longer stays are rare and cost a tree node each
constexpr std::size_t kIdentities = 1 << 14;  // farther back than any producer of a pending operand

// A short line end such as "0\tPs\n", copied as one word.
struct Tail {
  char text[48];
  std::uint8_t length;
};
Tail tail(char lane, std::string_view name) {
  Tail made{};
  char* out = made.text;
  *out++ = lane;
  *out++ = '\t';
  out = std::copy(name.begin(), name.end(), out);
  *out++ = '\n';
  made.length = static_cast<std::uint8_t>(out - made.text);
  return made;
}
const auto kStageTails = [] {
  std::array<Tail, kStageNames.size()> tails{};
  for (std::size_t i = 0; i < tails.size(); ++i) tails[i] = tail('0', kStageNames[i]);
  return tails;
}();
const auto kStallTails = [] {
  std::array<Tail, kStallCauses> tails{};
  for (std::size_t i = 0; i < tails.size(); ++i) tails[i] = tail('1', name(static_cast<StallCause>(i)));
  return tails;
}();
}  // namespace

KanataWriter::KanataWriter(std::string path, Disassembler disassembler, Remark remark)
    : file_(path, "--kanata"),
      path_(std::move(path)),
      texts_(std::move(disassembler)),
      remark_(std::move(remark)),
      near_(kNear),
      live_(256),
      identities_(kIdentities) {}

void KanataWriter::describe(const InstructionTimeline& timeline, Live& entry) {
  const std::string_view id(entry.id, entry.id_length);
  std::string& open = entry.open;
  char number[24];
  const auto decimal = [&](std::uint64_t value) { open.append(number, write_decimal(number, value)); };

  open.clear();
  open.push_back('I');
  open.append(id);
  decimal(timeline.sequence);
  open.append("\t0\nL").append(id).append("0\t").append(texts_.line(timeline)).push_back('\n');

  std::array<std::uint64_t, kStallCauses> waited{};
  for (const StallSpan& stall : timeline.stalls)
    waited[static_cast<std::size_t>(stall.cause)] += stall.end - stall.begin;
  if (timeline.address == 0 && timeline.stalls.empty() && !remark_) return;
  open.append("L").append(id).append("1\t");
  bool first = true;
  const auto part = [&](std::string_view text) {
    if (!first) open.append(", ");
    open.append(text);
    first = false;
  };
  if (timeline.address != 0) {
    part("address 0x");
    open.append(number, write_hex(number, timeline.address));
  }
  if (remark_) part(remark_(timeline));
  if (!timeline.stalls.empty()) part("waited");
  for (std::size_t cause = 0; cause < kStallCauses; ++cause) {
    if (waited[cause] == 0) continue;
    open.push_back(' ');
    open.append(name(static_cast<StallCause>(cause))).push_back(' ');
    decimal(waited[cause]);
  }
  open.push_back('\n');
}

void KanataWriter::open(const InstructionTimeline& timeline) {
  if (next_id_ == kNone)
    throw UserError("--kanata " + path_ + ": too many instructions for one dump: choose a --window");
  if (next_id_ - first_live_ == live_.size()) {
    std::vector<Live> larger(live_.size() * 2);
    for (std::uint32_t id = first_live_; id != next_id_; ++id)
      larger[id & (larger.size() - 1)] = std::move(live(id));
    live_ = std::move(larger);
  }
  Live& entry = live(next_id_);
  entry.id[0] = '\t';
  char* end = write_decimal(entry.id + 1, next_id_);
  *end++ = '\t';
  entry.id_length = static_cast<std::uint8_t>(end - entry.id);
  entry.left = false;
  entry.flushed = timeline.flushed;
  entry.retired = timeline.flushed ? 0 : timeline.retired;
  describe(timeline, entry);
  identities_[timeline.sequence & (kIdentities - 1)] = {timeline.sequence, next_id_};
}

void KanataWriter::put(std::uint64_t cycle, Kind kind, std::uint8_t name, std::uint32_t other) {
  if (cycle < begin_ || cycle > end_)
    throw std::logic_error("stage dump: an event at cycle " + std::to_string(cycle) +
                           " of an instruction in cycles " + std::to_string(begin_) + " to " +
                           std::to_string(end_));
  std::uint32_t at = free_event_;
  if (at == kNone) {
    at = static_cast<std::uint32_t>(events_.size());
    events_.push_back({});
  } else {
    free_event_ = events_[at].next;
  }
  events_[at] = {kNone, next_id_, other, kind, name};
  const bool near = cycle - next_cycle_ < kNear;
  Bucket& bucket = near ? near_[cycle & (kNear - 1)] : far_[cycle];
  if (bucket.first == kNone) {
    bucket.first = at;
    near_used_ += near;
  } else {
    events_[bucket.last].next = at;
  }
  bucket.last = at;
}

void KanataWriter::add(const InstructionTimeline& timeline) {
  begin_ = timeline.stages.empty() ? timeline.end : timeline.stages.front().cycle;
  end_ = timeline.end;
  if (begin_ < next_cycle_)
    throw std::logic_error("stage dump: sequence " + std::to_string(timeline.sequence) + " begins at cycle " +
                           std::to_string(begin_) + ", an earlier one at " + std::to_string(next_cycle_));
  write_until(begin_);
  open(timeline);
  put(begin_, Kind::Open);
  for (const StageEvent& event : timeline.stages)
    put(event.cycle, Kind::Stage, static_cast<std::uint8_t>(event.stage));
  for (const StallSpan& stall : timeline.stalls) {
    if (stall.begin == stall.end) continue;
    put(stall.begin, Kind::StallBegin, static_cast<std::uint8_t>(stall.cause));
    put(stall.end, Kind::StallEnd, static_cast<std::uint8_t>(stall.cause));
  }
  for (const Wakeup& wakeup : timeline.wakeups) {
    const Identity& producer = identities_[wakeup.producer & (kIdentities - 1)];
    // A producer before the window has no line to refer to.
    if (producer.sequence == wakeup.producer) put(wakeup.cycle, Kind::Wakeup, 0, producer.id);
  }
  put(end_, Kind::Leave);
  ++next_id_;
}

void KanataWriter::refill_near() {
  while (!far_.empty() && far_.begin()->first - next_cycle_ < kNear) {
    near_[far_.begin()->first & (kNear - 1)] = far_.begin()->second;  // vacant: its cycle was out of reach
    ++near_used_;
    far_.erase(far_.begin());
  }
}

void KanataWriter::write_until(std::uint64_t cycle) {
  while (next_cycle_ < cycle) {
    if (near_used_ == 0) {
      next_cycle_ = far_.empty() ? cycle : std::min(cycle, far_.begin()->first);
    } else {
      if (Bucket& bucket = near_[next_cycle_ & (kNear - 1)]; bucket.first != kNone)
        write_cycle(next_cycle_, bucket);
      ++next_cycle_;
    }
    if (!far_.empty()) refill_near();
  }
}

void KanataWriter::write_cycle(std::uint64_t cycle, Bucket& bucket) {
  char* out = file_.reserve(64);
  if (!header_written_) {
    constexpr std::string_view kHeader = "Kanata\t0004\nC=\t";
    out = write_decimal(std::copy(kHeader.begin(), kHeader.end(), out), cycle);
    header_written_ = true;
  } else {
    *out++ = 'C';
    *out++ = '\t';
    out = write_decimal(out, cycle - written_cycle_);
  }
  *out++ = '\n';
  file_.advance_to(out);
  written_cycle_ = cycle;
  for (std::uint32_t at = bucket.first; at != kNone;) {
    const Event event = events_[at];
    if (event.kind == Kind::Open) {
      file_.append(live(event.id).open);
    } else {
      file_.advance_to(write_event(file_.reserve(256), event));
    }
    events_[at].next = free_event_;
    free_event_ = at;
    at = event.next;
  }
  bucket = {};
  --near_used_;
}

char* KanataWriter::write_event(char* out, const Event& event) {
  Live& entry = live(event.id);
  // The copies have a fixed size, of which only the length counts: the room is reserved, and a word is one
  // move.
  const auto line = [&](char command, const Tail& tail) {
    *out++ = command;
    std::memcpy(out, entry.id, sizeof entry.id);
    out += entry.id_length;
    std::memcpy(out, tail.text, sizeof tail.text);
    out += tail.length;
  };
  switch (event.kind) {
    case Kind::Open:
      break;
    case Kind::Stage:
      line('S', kStageTails[event.name]);
      break;
    case Kind::StallBegin:
      line('S', kStallTails[event.name]);
      break;
    case Kind::StallEnd:
      line('E', kStallTails[event.name]);
      break;
    case Kind::Wakeup:
      *out++ = 'W';
      out = std::copy(entry.id, entry.id + entry.id_length, out);
      out = write_decimal(out, event.other);
      *out++ = '\t', *out++ = '0', *out++ = '\n';
      break;
    case Kind::Leave:
      *out++ = 'R';
      out = std::copy(entry.id, entry.id + entry.id_length, out);
      out = write_decimal(out, entry.retired);
      *out++ = '\t', *out++ = entry.flushed ? '1' : '0', *out++ = '\n';
      entry.left = true;
      while (first_live_ != next_id_ && live(first_live_).left) ++first_live_;
      break;
  }
  return out;
}

void KanataWriter::finish() {
  while (near_used_ != 0 || !far_.empty()) {
    if (near_used_ == 0) {
      next_cycle_ = far_.begin()->first;
      refill_near();
    }
    write_until(next_cycle_ + 1);
  }
  if (!header_written_) file_.append("Kanata\t0004\nC=\t0\n");
  file_.commit();
}

}  // namespace psim::pipeline::dump
