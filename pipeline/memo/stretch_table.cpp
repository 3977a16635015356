// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/stretch_table.h"

#include <algorithm>
#include <cstring>

namespace psim::pipeline {

namespace {

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = bytes.size();
  std::size_t i = 0;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, &bytes[i], sizeof word);
    mix(word);
  }
  for (; i < bytes.size(); ++i) mix(bytes[i]);
  return hash;
}

}  // namespace

StretchTable::StretchTable() : states_(std::make_shared<States>()), marks_(kMarks) {}

StoredState* StretchTable::at(std::span<const std::uint8_t> state, bool always) {
  const std::uint64_t hash = hash_of(state);
  const auto [begin, end] = states_->equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (std::ranges::equal(at->second->bytes, state)) return at->second.get();
  const auto mark = static_cast<std::uint16_t>(hash >> 48 | 1);
  const bool again = std::exchange(marks_[hash % kMarks], mark) == mark;
  if (!again && !always) return nullptr;
  auto entry = std::make_unique<StoredState>();
  entry->bytes.assign(state.begin(), state.end());
  bytes_ += state.size() + sizeof(StoredState) + 64;
  return states_->emplace(hash, std::move(entry))->second.get();
}

void StretchTable::add(StoredState& from, std::unique_ptr<Stretch> stretch) {
  if (from.stretches >= kMostStretches) return;
  const Stretch& s = *stretch;
  bytes_ += sizeof(Stretch) + s.calls.size() * sizeof(TapedCall) +
            s.records.size() * sizeof(isa::InstructionRecord) + s.texts.size() * 4 +
            s.deltas.size() * sizeof(s.deltas[0]) + s.occupancy.from.size() * 4 +
            s.occupancy.values.size() * 2;
  stretch->next = std::move(from.first);
  from.first = std::move(stretch);
  ++from.stretches;
}

void StretchTable::bound() {
  if (bytes_ <= kMostBytes) return;
  states_ = std::make_shared<States>();
  bytes_ = 0;
}

}  // namespace psim::pipeline
