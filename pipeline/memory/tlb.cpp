// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/tlb.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace psim::pipeline {

Tlb::Tlb(const TlbConfig& config)
    : config_(config),
      enabled_(config.enabled),
      page_shift_(static_cast<std::uint32_t>(std::countr_zero(config.page_bytes))),
      micro_(config.micro_entries),
      main_(config.main_entries, kNone),
      main_sets_(config.main_entries / config.main_ways) {}

void Tlb::used(std::uint64_t address) {
  const std::uint64_t page = address >> page_shift_;
  for (Entry& entry : micro_)
    if (entry.page == page) entry.used = ++uses_;
}

/// Returns the entry of the page in the micro-TLB, or null.
Tlb::Entry* Tlb::find(std::uint64_t page) {
  const std::size_t hint = page & (kHints - 1);
  Entry& likely = micro_[hint_[hint]];
  if (likely.page == page) return &likely;
  // Mostly no other entry can have it.
  if (holders_[hint] == (likely.page != kNone && (likely.page & (kHints - 1)) == hint)) return nullptr;
  const auto found =
      std::find_if(micro_.begin(), micro_.end(), [&](const Entry& entry) { return entry.page == page; });
  return found == micro_.end() ? nullptr : &*found;
}

/// Returns the least recently used entry of the micro-TLB; of several without a use, the first.
Tlb::Entry& Tlb::oldest() {
  for (;;) {
    while (!by_age_.empty()) {
      const auto [used, at] = by_age_.back();
      by_age_.pop_back();
      if (micro_[at].used == used) return micro_[at];
    }
    for (std::uint32_t at = 0; at < micro_.size(); ++at) by_age_.emplace_back(micro_[at].used, at);
    std::sort(by_age_.begin(), by_age_.end(), std::greater<>());
  }
}

/// Gives the least recently used entry to the page.
Tlb::Entry& Tlb::replace(std::uint64_t page) {
  Entry& entry = oldest();
  if (entry.page != kNone) --holders_[entry.page & (kHints - 1)];
  ++holders_[page & (kHints - 1)];
  entry.page = page;
  return entry;
}

std::uint64_t Tlb::search(std::uint64_t page, std::uint64_t cycle, bool walk) {
  ++stats_.lookups;
  Entry* found = find(page);
  if (found == nullptr) {
    if (!walk && !main_holds(page)) {
      ++stats_.dropped;
      return kNone;
    }
    found = &replace(page);
    ++stats_.micro_misses;
    found->ready = cycle + config_.micro_miss_cycles;
    if (!main_hit(page)) {
      ++stats_.main_misses;
      found->ready += config_.main_miss_cycles;
    }
  } else if (found->ready > cycle) {
    ++stats_.merges;
  }
  last_ = static_cast<std::uint32_t>(found - micro_.data());
  last_page_ = page;
  hint_[page & (kHints - 1)] = static_cast<std::uint8_t>(last_);
  found->used = ++uses_;
  return std::max(found->ready, cycle);
}

void Tlb::warm_page(std::uint64_t page) {
  Entry* found = find(page);
  if (found == nullptr) {
    found = &replace(page);
    found->ready = 0;
    main_hit(page);
  }
  last_ = static_cast<std::uint32_t>(found - micro_.data());
  last_page_ = page;
  hint_[page & (kHints - 1)] = static_cast<std::uint8_t>(last_);
  found->used = ++uses_;
}

void Tlb::warm_state(StateWords& words) {
  if (!enabled_) return;
  const std::uint64_t last_entry = micro_.size() - 1;
  words.value(last_page_), words.value(last_, last_entry), words.value(uses_);
  words.small(std::span<std::uint8_t>(hint_), last_entry);
  for (Entry& entry : micro_) words.value(entry.page), words.value(entry.used), words.cycle(entry.ready);
  words.block(main_);
  by_age_.clear();
  holders_.fill(0);
  for (const Entry& entry : micro_)
    if (entry.page != kNone) ++holders_[entry.page & (kHints - 1)];
}

/// Handles a lookup of a page whose refill is under way.
std::uint64_t Tlb::merge(const Entry& entry) {
  ++stats_.merges;
  return entry.ready;
}

bool Tlb::main_holds(std::uint64_t page) const {
  const auto set = main_.begin() + static_cast<std::ptrdiff_t>((page & (main_sets_ - 1)) * config_.main_ways);
  return std::find(set, set + config_.main_ways, page) != set + config_.main_ways;
}

bool Tlb::translates(std::uint64_t address, std::uint64_t cycle) const {
  if (!enabled_) return true;
  const std::uint64_t page = address >> page_shift_;
  const auto holds = [&](const Entry& entry) { return entry.page == page && entry.ready <= cycle; };
  return holds(micro_[hint_[page & (kHints - 1)]]) || std::any_of(micro_.begin(), micro_.end(), holds);
}

bool Tlb::main_hit(std::uint64_t page) {
  const auto set = main_.begin() + static_cast<std::ptrdiff_t>((page & (main_sets_ - 1)) * config_.main_ways);
  const auto end = set + config_.main_ways;
  auto way = std::find(set, end, page);
  const bool hit = way != end;
  if (!hit) {
    way = end - 1;
    *way = page;
  }
  std::rotate(set, way, way + 1);
  return hit;
}

}  // namespace psim::pipeline
