// SPDX-License-Identifier: Apache-2.0
#include "pipeline/wake_up.h"

#include <algorithm>

#include "pipeline/timeline_recorder.h"

#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

WakeUp::WakeUp(std::uint32_t commit_stack, InFlightRing& window)
    : window_(window),
      slot_mask_(std::max(64u, std::bit_ceil(commit_stack)) - 1),
      words_((slot_mask_ + 1) / 64),
      slots_(slot_mask_ + 1),
      consumers_(words_ == 1 ? 0 : 2 * (slot_mask_ + 1) * words_),
      wheel_(kHorizon * words_),
      ready_(words_),
      gone_(words_) {
  cancelled_.reserve(slot_mask_ + 1);
}

void WakeUp::withdraw(Sequence sequence) {
  const std::size_t s = slot(sequence);
  if (ready_[s >> 6] >> (s & 63) & 1)
    remove_ready(sequence);
  else
    reset(row(wheel_, slots_[s].scheduled % kHorizon), s);
}

/// Passes an announced result on to the consumers.
template <bool kOne>
void WakeUp::wake(Sequence producer, std::uint64_t result) {
  const std::size_t words = kOne ? 1 : words_;
  const std::size_t p = slot<kOne>(producer);
  for (std::size_t w = 0; w < words; ++w) {
    Word woken = 0;
    for (Word bits = consumer_row<kOne>(p, false)[w]; bits; bits &= bits - 1) {
      const std::size_t c = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      Slot& to = slots_[c];
      to.operands = std::max(to.operands, result);
      if (--to.waiting != 0) continue;
      schedule<kOne>(to, c, to.operands);
      woken |= bits & -bits;
    }
    if (recorder_ != nullptr || consumer_row<kOne>(p, true)[w] != 0) [[unlikely]]
      wake_further(producer, w, woken, result);
  }
}
template void WakeUp::wake<true>(Sequence, std::uint64_t);
template void WakeUp::wake<false>(Sequence, std::uint64_t);

/// Does the rest of wake() for one word of the rows: stores of which the result is the datum, and the
/// record of the instructions woken. It is apart because it is rare, and calls other functions.
void WakeUp::wake_further(Sequence producer, std::size_t w, Word woken, std::uint64_t result) {
  if (recorder_)
    for (; woken; woken &= woken - 1) {
      const std::size_t c = w * 64 + static_cast<std::size_t>(std::countr_zero(woken));
      recorder_->wake_up(sequence_of(c), producer, slots_[c].operands);
    }
  for (Word bits = consumer_row(slot(producer), true)[w]; bits; bits &= bits - 1) {
    InFlight& e = window_[sequence_of(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)))];
    e.datum = std::max(e.datum, result);
    --e.datum_waiting;
    e.settle_store(window_.stages);
  }
}

std::span<const Sequence> WakeUp::retract(Sequence producer) {
  cancelled_.clear();
  take_back(producer);
  return cancelled_;
}

void WakeUp::take_back(Sequence producer) {
  const std::size_t p = slot(producer);
  slots_[p].result = kNever;
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = consumer_row(p, false)[w]; bits; bits &= bits - 1) {
      const std::size_t slot = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const Sequence c = sequence_of(slot);
      InFlight& e = window_[c];
      const bool was_scheduled = slots_[slot].waiting++ == 0;
      if (e.progress == Progress::Dispatched) {
        e.progress = Progress::Waiting;
        cancelled_.push_back(c);
        e.done = kNever;
        if (slots_[slot].result != kNever) take_back(c);
      } else if (was_scheduled && e.progress == Progress::Waiting) {
        withdraw(c);
      }
    }
    for (Word bits = consumer_row(p, true)[w]; bits; bits &= bits - 1) {
      InFlight& e = window_[sequence_of(w * 64 + std::countr_zero(bits))];
      ++e.datum_waiting;
      e.done = kNever;
    }
  }
}

Sequence WakeUp::next_ready(Sequence from) const {
  const Sequence end = window_.head + slot_mask_ + 1;
  for (Sequence s = from; s < end;) {
    const std::size_t at = slot(s);
    const Word rest = ready_[at >> 6] >> (at & 63);
    if (rest) {
      const Sequence found = s + static_cast<Sequence>(std::countr_zero(rest));
      return found < end ? found : kNever;
    }
    s += 64 - (at & 63);
  }
  return kNever;
}

template <bool kOne>
void WakeUp::flush(Sequence first) {
  const std::size_t words = kOne ? 1 : words_;
  std::fill(gone_.begin(), gone_.end(), Word{0});
  for (Sequence s = first; s < window_.decoded; ++s) {
    const std::size_t at = slot<kOne>(s);
    set(gone_.data(), at);
    // Without effect if it is not scheduled: in all rows the bit belongs to this slot.
    reset(row(wheel_, slots_[at].scheduled % kHorizon), at);
  }
  for (std::size_t w = 0; w < words; ++w) {
    const Word kept = ~gone_[w];
    ready_[w] &= kept;
    for (Sequence p = window_.head; p < first; ++p)
      for (const bool datum : {false, true}) consumer_row<kOne>(slot<kOne>(p), datum)[w] &= kept;
  }
}
template void WakeUp::flush<true>(Sequence);
template void WakeUp::flush<false>(Sequence);

std::uint64_t WakeUp::next_event(std::uint64_t now) const {
  for (std::uint64_t cycle = now + 1; cycle <= last_turn_; ++cycle) {
    const Word* const r = &wheel_[cycle % kHorizon * words_];
    if (std::any_of(r, r + words_, [](Word word) { return word != 0; })) return cycle;
  }
  return kNever;
}

void WakeUp::timing_state(TimingState& state) {
  if (!state.writes()) {
    std::fill(wheel_.begin(), wheel_.end(), Word{0});
    ready_[0] = 0;
    last_turn_ = 0;
  }
  const int turn = static_cast<int>(window_.head & 63);
  for (Sequence s = window_.head; s < window_.decoded; ++s) {
    Slot& at = slots_[s & 63];
    state.cycle(at.result);
    state.cycle(at.certain);
    state.value(at.waiting);
    state.cycle(at.operands);
    state.value(at.station);
    for (Word& row : at.consumers) {
      Word turned = std::rotr(row, turn);
      state.value(turned);
      row = std::rotl(turned, turn);
    }
    if (window_[s].progress != Progress::Waiting || at.waiting != 0) continue;
    const Word bit = Word{1} << (s & 63);
    bool ready = (ready_[0] & bit) != 0;
    state.value(ready);
    if (ready) {
      ready_[0] |= bit;
      continue;
    }
    state.cycle(at.scheduled);
    if (!state.writes()) schedule<true>(at, s & 63, at.scheduled);
  }
}

}  // namespace psim::pipeline
