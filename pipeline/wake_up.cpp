// SPDX-License-Identifier: Apache-2.0
#include "pipeline/wake_up.h"

#include <algorithm>

#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

WakeUp::WakeUp(std::uint32_t commit_stack, InFlightRing& window)
    : window_(window),
      slot_mask_(std::max(64u, std::bit_ceil(commit_stack)) - 1),
      words_((slot_mask_ + 1) / 64),
      consumers_((slot_mask_ + 1) * words_),
      datum_consumers_((slot_mask_ + 1) * words_),
      wheel_(kHorizon * words_),
      ready_(kStations * words_),
      gone_(words_) {
  cancelled_.reserve(slot_mask_ + 1);
}

bool WakeUp::empty(const Word* row) const {
  for (std::size_t i = 0; i < words_; ++i)
    if (row[i]) return false;
  return true;
}

void WakeUp::clear_rows(std::size_t s) {
  std::fill_n(row(consumers_, s), words_, Word{0});
  std::fill_n(row(datum_consumers_, s), words_, Word{0});
}

void WakeUp::depend(Sequence consumer, Sequence producer, std::uint64_t now, bool datum) {
  const InFlight& from = window_[producer];
  InFlight& to = window_[consumer];
  const bool announced = from.result != kNever;
  if (announced) {
    auto& earliest = datum ? to.datum : to.operands;
    earliest = std::max(earliest, from.result);
    // After the last stage in which a load can still miss, an announcement is final.
    if (from.dispatched + window_.stages.settled <= now) return;
  }
  Word* r = row(datum ? datum_consumers_ : consumers_, slot(producer));
  const std::size_t s = slot(consumer);
  const Word bit = Word{1} << (s & 63);
  if (r[s >> 6] & bit) return;  // two sources from one producer
  r[s >> 6] |= bit;
  if (!announced) ++(datum ? to.datum_waiting : to.waiting);
}

void WakeUp::unschedule(Sequence sequence) {
  const std::size_t turn = window_[sequence].scheduled % kHorizon;
  Word* r = row(wheel_, turn);
  reset(r, slot(sequence));
  if (empty(r)) wheel_used_[turn >> 6] &= ~(Word{1} << (turn & 63));
}

void WakeUp::make_ready(Sequence sequence) {
  InFlight& e = window_[sequence];
  e.progress = Progress::Ready;
  const auto station = static_cast<unsigned>(e.station);
  set(row(ready_, station), slot(sequence));
  ready_stations_ |= 1u << station;
}

void WakeUp::clear_ready(Sequence sequence) {
  const auto station = static_cast<unsigned>(window_[sequence].station);
  Word* r = row(ready_, station);
  reset(r, slot(sequence));
  if (empty(r)) ready_stations_ &= ~(1u << station);
}

void WakeUp::announce(Sequence producer, std::uint64_t result) {
  window_[producer].result = result;
  const std::size_t p = slot(producer);
  const Word* operands = row(consumers_, p);
  const Word* data = row(datum_consumers_, p);
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = operands[w]; bits; bits &= bits - 1) {
      const Sequence c = sequence_of(w * 64 + std::countr_zero(bits));
      InFlight& e = window_[c];
      e.operands = std::max(e.operands, result);
      if (--e.waiting == 0) {
        schedule(c, e.operands);
        if (recorder_) recorder_->wake_up(c, producer, e.operands);
      }
    }
    for (Word bits = data[w]; bits; bits &= bits - 1) {
      InFlight& e = window_[sequence_of(w * 64 + std::countr_zero(bits))];
      e.datum = std::max(e.datum, result);
      --e.datum_waiting;
      e.settle_store(window_.stages);
    }
  }
}

std::span<const Sequence> WakeUp::retract(Sequence producer) {
  cancelled_.clear();
  take_back(producer);
  return cancelled_;
}

void WakeUp::take_back(Sequence producer) {
  window_[producer].result = kNever;
  const std::size_t p = slot(producer);
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = row(consumers_, p)[w]; bits; bits &= bits - 1) {
      const Sequence c = sequence_of(w * 64 + std::countr_zero(bits));
      InFlight& e = window_[c];
      ++e.waiting;
      switch (e.progress) {
        case Progress::Scheduled:
          unschedule(c);
          break;
        case Progress::Ready:
          clear_ready(c);
          break;
        case Progress::Dispatched:
          cancelled_.push_back(c);
          e.done = kNever;
          if (e.result != kNever) take_back(c);
          break;
        default:  // Waiting for another one
          break;
      }
      e.progress = Progress::Waiting;
    }
    for (Word bits = row(datum_consumers_, p)[w]; bits; bits &= bits - 1) {
      InFlight& e = window_[sequence_of(w * 64 + std::countr_zero(bits))];
      ++e.datum_waiting;
      e.done = kNever;
    }
  }
}

void WakeUp::tick(std::uint64_t now) {
  const std::size_t turn = now % kHorizon;
  Word& used = wheel_used_[turn >> 6];
  const Word bit = Word{1} << (turn & 63);
  if (!(used & bit)) return;
  used &= ~bit;
  Word* r = row(wheel_, turn);
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = r[w]; bits; bits &= bits - 1) make_ready(sequence_of(w * 64 + std::countr_zero(bits)));
    r[w] = 0;
  }
}

Sequence WakeUp::first_ready(Station station, Sequence from) const {
  const Word* r = &ready_[static_cast<std::size_t>(station) * words_];
  if (words_ == 1) {
    const Word turned = std::rotr(r[0], static_cast<int>(from & 63));
    if (!turned) return kNever;
    const Sequence found = from + std::countr_zero(turned);
    return found - window_.head <= slot_mask_ ? found : kNever;
  }
  const Sequence end = window_.head + slot_mask_ + 1;
  for (Sequence s = from; s < end;) {
    const std::size_t at = slot(s);
    const Word rest = r[at >> 6] >> (at & 63);
    if (rest) {
      const Sequence found = s + std::countr_zero(rest);
      return found < end ? found : kNever;
    }
    s += 64 - (at & 63);
  }
  return kNever;
}

void WakeUp::postpone(Sequence sequence, std::uint64_t retry) {
  clear_ready(sequence);
  schedule(sequence, retry);
}

void WakeUp::flush(Sequence first) {
  for (Sequence s = first; s < window_.decoded; ++s) {
    const InFlight& e = window_[s];
    if (e.progress == Progress::Scheduled) unschedule(s);
    if (e.progress == Progress::Ready) clear_ready(s);
  }
  std::fill(gone_.begin(), gone_.end(), Word{0});
  for (Sequence s = first; s < window_.decoded; ++s) set(gone_.data(), slot(s));
  for (Sequence p = window_.head; p < first; ++p)
    for (std::size_t w = 0; w < words_; ++w) {
      row(consumers_, slot(p))[w] &= ~gone_[w];
      row(datum_consumers_, slot(p))[w] &= ~gone_[w];
    }
}

std::uint64_t WakeUp::next_event(std::uint64_t now) const {
  constexpr std::size_t kWords = kHorizon / 64;
  const std::size_t first = (now + 1) % kHorizon;
  for (std::size_t i = 0; i <= kWords; ++i) {
    const std::size_t w = (first / 64 + i) % kWords;
    Word bits = wheel_used_[w];
    if (i == 0) bits &= ~Word{0} << (first & 63);
    if (i == kWords) bits &= ~(~Word{0} << (first & 63));
    if (bits) {
      const std::size_t turn = w * 64 + std::countr_zero(bits);
      return now + 1 + (turn - first) % kHorizon;
    }
  }
  return kNever;
}

}  // namespace psim::pipeline
