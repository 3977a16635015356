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

void ForkKey::add(const TapedCall& call) {
  const std::uint64_t small = static_cast<std::uint64_t>(call.kind) | std::uint64_t{call.detail} << 8 |
                              std::uint64_t{call.count} << 16 | std::uint64_t{call.cycle} << 32;
  mix(small * 0xBF58476D1CE4E5B9u + call.argument * 0x94D049BB133111EBu + call.more * 0xD6E8FEB86659FD93u +
      call.answer * 0xA0761D6478BD642Fu);
}

void ForkKey::add(const isa::InstructionRecord& record) {
  mix(reinterpret_cast<std::uintptr_t>(record.instruction) * 0xBF58476D1CE4E5B9u +
      record.pc * 0x94D049BB133111EBu + record.target * 0xD6E8FEB86659FD93u);
}

StretchTable::StretchTable() : entries_(std::make_shared<Entries>()), marks_(kMarks) {}

StoredState* StretchTable::at(std::span<const std::uint8_t> state, bool always) {
  const std::uint64_t hash = hash_of(state);
  const auto [begin, end] = entries_->states.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (std::ranges::equal(at->second->bytes, state)) return at->second.get();
  const auto mark = static_cast<std::uint16_t>(hash >> 48 | 1);
  const bool again = std::exchange(marks_[hash % kMarks], mark) == mark;
  if (!again && !always) return nullptr;
  auto entry = std::make_unique<StoredState>();
  entry->bytes.assign(state.begin(), state.end());
  bytes_ += state.size() + sizeof(StoredState) + 64;
  return entries_->states.emplace(hash, std::move(entry))->second.get();
}

namespace {

/// Returns the key of the first `calls` calls of the stretch.
std::uint64_t key_of(const StoredState& from, const Stretch& s, std::size_t calls) {
  ForkKey key(from);
  std::size_t records = 0;
  for (const TapedCall& call : std::span(s.calls).first(calls)) {
    key.add(call);
    if (call.kind == TapedCall::Kind::Pull || call.kind == TapedCall::Kind::Next) records += call.count;
  }
  for (const isa::InstructionRecord& record : std::span(s.records).first(records)) key.add(record);
  return key.value();
}

}  // namespace

void StretchTable::note(std::uint64_t key, Stretch& stretch) {
  const auto [begin, end] = entries_->forks.equal_range(key);
  if (std::any_of(begin, end, [&](const auto& entry) { return entry.second == &stretch; })) return;
  entries_->forks.emplace(key, &stretch);
  bytes_ += 40;
}

void StretchTable::add(StoredState& from, std::unique_ptr<Stretch> stretch, const Fork& fork) {
  if (from.stretches >= kMostStretches) return;
  Stretch& s = *stretch;
  const bool forks =
      fork.tried != nullptr && s.calls.size() >= fork.calls && key_of(from, s, fork.calls) == fork.key;
  if (forks) {
    note(fork.key, s);
    if (fork.tried->calls.size() >= fork.calls) note(key_of(from, *fork.tried, fork.calls), *fork.tried);
  } else if (from.first != nullptr && from.stretches >= kMostUnforked) {
    return;  // it is found only while it is the first
  }
  bytes_ += sizeof(Stretch) + s.calls.size() * sizeof(TapedCall) +
            s.records.size() * sizeof(isa::InstructionRecord) + s.texts.size() * 4 +
            s.deltas.size() * sizeof(s.deltas[0]) + s.occupancy.from.size() * 4 +
            s.occupancy.values.size() * 2;
  from.first = &s;
  s.next = std::move(from.all);
  from.all = std::move(stretch);
  ++from.stretches;
}

void StretchTable::bound() {
  if (bytes_ <= kMostBytes) return;
  entries_ = std::make_shared<Entries>();
  bytes_ = 0;
}

}  // namespace psim::pipeline
