// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/stretch_recorder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "pipeline/core.h"

namespace psim::pipeline {

void StretchRecorder::begin(StoredState& state, const Fork& fork) {
  Core& c = core_;
  from_ = &state, fork_ = fork;
  generation_ = table_.generation();
  cycle_ = c.now_, instructions_ = c.commit_.stats().instructions, head_ = c.window_.head;
  counts_.note();
  occupancy_.from.clear(), occupancy_.values.clear();
  tape_.begin(c.now_, c.window_.head, c.fetch_.accesses());
  note_occupancy();
}

void StretchRecorder::drop() {
  tape_.end();
  from_ = nullptr;
}

bool StretchRecorder::long_enough() const { return core_.now_ >= cycle_ + kLeastCycles; }

void StretchRecorder::note_occupancy() {
  if (tape_.calls().size() > kMostCalls) return drop();
  Occupancy& o = occupancy_;
  const std::size_t end = o.values.size();
  core_.occupancies([&](statistics::Distribution&, std::uint64_t value) {
    o.values.push_back(static_cast<std::uint16_t>(value));
  });
  const std::size_t count = o.values.size() - end;
  if (end != 0 && std::equal(o.values.begin() + static_cast<std::ptrdiff_t>(end), o.values.end(),
                             o.values.begin() + static_cast<std::ptrdiff_t>(end - count)))
    o.values.resize(end);
  else
    o.from.push_back(static_cast<std::uint32_t>(core_.now_ - cycle_));
}

void StretchRecorder::finish(StoredState& end) {
  Core& c = core_;
  tape_.end();
  StoredState* const from = std::exchange(from_, nullptr);
  if (std::exchange(generation_, nullptr) != table_.generation() || from == nullptr || tape_.lost()) return;
  if (c.now_ - cycle_ > kMostLength || tape_.records().size() > kMostLength) return;
  auto stretch = std::make_unique<Stretch>();
  stretch->end = &end;
  stretch->cycles = static_cast<std::uint32_t>(c.now_ - cycle_);
  stretch->instructions = static_cast<std::uint32_t>(c.commit_.stats().instructions - instructions_);
  stretch->committed = static_cast<std::uint32_t>(c.window_.head - head_);
  stretch->calls = tape_.calls();
  stretch->records = tape_.records();
  stretch->texts = tape_.texts();
  stretch->occupancy = occupancy_;
  stretch->deltas = counts_.since();
  table_.add(*from, std::move(stretch), fork_);
}

}  // namespace psim::pipeline
