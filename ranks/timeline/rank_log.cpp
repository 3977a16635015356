// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/rank_log.h"

namespace psim::net {
namespace {

using Kind = CallNote::Kind;

// The first number of an event: 0 leave, 1 … 7 a note of this kind plus one, 8 + function enter.
constexpr std::uint64_t kLeave = 0, kNote = 1, kEnter = 8;

}  // namespace

/// Writes a number with seven bits per byte, the lowest first; the top bit marks that more follow.
void RankLog::put(std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 128));
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

void RankLog::begin(std::uint64_t time, std::uint64_t what) {
  put(what);
  put(time - last_);
  last_ = time;
}

void RankLog::enter(std::uint64_t time, std::uint32_t function) {
  begin(time, kEnter + function);
  ++calls_;
}

void RankLog::leave(std::uint64_t time) { begin(time, kLeave); }

void RankLog::note(std::uint64_t time, const CallNote& note) {
  begin(time, kNote + static_cast<std::uint64_t>(note.kind));
  switch (note.kind) {
    case Kind::Send:
    case Kind::Receive:
      put(note.peer);
      put(note.peer_rank);
      put(note.context);
      put(static_cast<std::uint32_t>(note.tag));
      put(note.bytes);
      put(note.serial);
      if (note.kind == Kind::Receive) put(note.number);
      break;
    case Kind::SendDone:
      put(note.serial);
      break;
    case Kind::Post:
    case Kind::Cancelled:
    case Kind::CollectiveBegin:
      put(note.number);
      break;
    case Kind::CollectiveEnd:
      put(note.peer + 1);  // kNoRoot becomes 0
      put(note.context);
      put(note.bytes);
      put(note.received);
      put(note.number);
      break;
  }
}

std::uint64_t RankLog::Reader::number() {
  std::uint64_t value = 0;
  for (std::uint32_t shift = 0;; shift += 7) {
    const std::uint8_t byte = bytes_[at_++];
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
}

bool RankLog::Reader::next(LogEvent& event) {
  if (at_ == bytes_.size()) return false;
  const std::uint64_t what = number();
  time_ += number();
  event.time = time_;
  if (what >= kEnter) {
    event.kind = LogEvent::Kind::Enter;
    event.function = static_cast<std::uint32_t>(what - kEnter);
    return true;
  }
  if (what == kLeave) {
    event.kind = LogEvent::Kind::Leave;
    return true;
  }
  const auto word = [&] { return static_cast<std::uint32_t>(number()); };
  event.kind = LogEvent::Kind::Note;
  CallNote& note = event.note = {};
  note.kind = static_cast<Kind>(what - kNote);
  switch (note.kind) {
    case Kind::Send:
    case Kind::Receive:
      note.peer = word();
      note.peer_rank = word();
      note.context = word();
      note.tag = static_cast<std::int32_t>(word());
      note.bytes = number();
      note.serial = word();
      if (note.kind == Kind::Receive) note.number = word();
      break;
    case Kind::SendDone:
      note.serial = word();
      break;
    case Kind::Post:
    case Kind::Cancelled:
    case Kind::CollectiveBegin:
      note.number = word();
      break;
    case Kind::CollectiveEnd:
      note.peer = word() - 1;
      note.context = word();
      note.bytes = number();
      note.received = number();
      note.number = word();
      break;
  }
  return true;
}

}  // namespace psim::net
