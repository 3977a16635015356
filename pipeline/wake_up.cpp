// SPDX-License-Identifier: Apache-2.0
#include "pipeline/wake_up.h"

#include <algorithm>

#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

WakeUp::WakeUp(std::uint32_t commit_stack, InFlightRing& window)
    : window_(window),
      slot_mask_(std::max(64u, std::bit_ceil(commit_stack)) - 1),
      words_((slot_mask_ + 1) / 64),
      consumers_(2 * (slot_mask_ + 1) * words_),
      stations_(slot_mask_ + 1),
      wheel_(kHorizon * words_),
      ready_(kStations * words_),
      gone_(words_) {
  cancelled_.reserve(slot_mask_ + 1);
}

void WakeUp::clear_rows(std::size_t s) { std::fill_n(consumer_row(s, false), 2 * words_, Word{0}); }

void WakeUp::unschedule(Sequence sequence) {
  const std::size_t turn = window_[sequence].scheduled % kHorizon;
  Word* r = row(wheel_, turn);
  reset(r, slot(sequence));
  if (empty(r)) wheel_used_[turn >> 6] &= ~(Word{1} << (turn & 63));
}

void WakeUp::withdraw(Sequence sequence) {
  const Station station = window_[sequence].station;
  const std::size_t s = slot(sequence);
  if (row(ready_, static_cast<std::size_t>(station))[s >> 6] >> (s & 63) & 1)
    clear_ready(station, sequence);
  else
    unschedule(sequence);
}

template <bool kOne>
void WakeUp::announce_to(Sequence producer, std::uint64_t result) {
  const std::size_t words = kOne ? 1 : words_;
  const Word* const rows = consumer_row<kOne>(slot<kOne>(producer), false);
  for (std::size_t w = 0; w < words; ++w) {
    for (Word bits = rows[w]; bits; bits &= bits - 1) {
      const Sequence c = sequence_of<kOne>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      InFlight& e = window_[c];
      e.operands = std::max(e.operands, result);
      if (--e.waiting == 0) {
        schedule<kOne>(e, c, e.operands);
        if (recorder_) recorder_->wake_up(c, producer, e.operands);
      }
    }
    for (Word bits = rows[words + w]; bits; bits &= bits - 1) {
      InFlight& e = window_[sequence_of<kOne>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)))];
      e.datum = std::max(e.datum, result);
      --e.datum_waiting;
      e.settle_store(window_.stages);
    }
  }
}
template void WakeUp::announce_to<true>(Sequence, std::uint64_t);
template void WakeUp::announce_to<false>(Sequence, std::uint64_t);

std::span<const Sequence> WakeUp::retract(Sequence producer) {
  cancelled_.clear();
  take_back(producer);
  return cancelled_;
}

void WakeUp::take_back(Sequence producer) {
  window_[producer].result = kNever;
  const std::size_t p = slot(producer);
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = consumer_row(p, false)[w]; bits; bits &= bits - 1) {
      const Sequence c = sequence_of(w * 64 + std::countr_zero(bits));
      InFlight& e = window_[c];
      ++e.waiting;
      switch (e.progress) {
        case Progress::Scheduled:
          withdraw(c);
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
    for (Word bits = consumer_row(p, true)[w]; bits; bits &= bits - 1) {
      InFlight& e = window_[sequence_of(w * 64 + std::countr_zero(bits))];
      ++e.datum_waiting;
      e.done = kNever;
    }
  }
}

template <bool kOne>
void WakeUp::take_turn(std::size_t turn) {
  const std::size_t words = kOne ? 1 : words_;
  Word* const r = &wheel_[turn * words];
  for (std::size_t w = 0; w < words; ++w) {
    for (Word bits = r[w]; bits; bits &= bits - 1) {
      const unsigned station = stations_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
      ready_[station * words + w] |= bits & -bits;
      ready_stations_ |= 1u << station;
    }
    r[w] = 0;
  }
}
template void WakeUp::take_turn<true>(std::size_t);
template void WakeUp::take_turn<false>(std::size_t);

Sequence WakeUp::next_ready(Station station, Sequence from) const {
  const Word* const r = &ready_[static_cast<std::size_t>(station) * words_];
  const Sequence end = window_.head + slot_mask_ + 1;
  for (Sequence s = from; s < end;) {
    const std::size_t at = slot(s);
    const Word rest = r[at >> 6] >> (at & 63);
    if (rest) {
      const Sequence found = s + static_cast<Sequence>(std::countr_zero(rest));
      return found < end ? found : kNever;
    }
    s += 64 - (at & 63);
  }
  return kNever;
}

void WakeUp::flush(Sequence first) {
  for (Sequence s = first; s < window_.decoded; ++s)
    if (window_[s].progress == Progress::Scheduled) withdraw(s);
  std::fill(gone_.begin(), gone_.end(), Word{0});
  for (Sequence s = first; s < window_.decoded; ++s) set(gone_.data(), slot(s));
  for (Sequence p = window_.head; p < first; ++p)
    for (std::size_t w = 0; w < words_; ++w) {
      consumer_row(slot(p), false)[w] &= ~gone_[w];
      consumer_row(slot(p), true)[w] &= ~gone_[w];
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
