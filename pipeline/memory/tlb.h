// SPDX-License-Identifier: Apache-2.0
// Models: micro-TLB and main TLB as a cost (JPS1-V p. 85). Translation itself is the identity. Parameters:
// TlbConfig. Replacement is LRU in both. Timing: lookup() returns the cycle from which the page can be used.
// A hit returns `cycle`; a micro-TLB miss fills the entry and returns a later cycle, at which the access
// retries. Until then every access to the page gets that same cycle (misses on one page merge). An access
// that has waited has its own translation and calls used() instead, so that waiting pages cannot evict each
// other for ever.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

struct TlbStats : statistics::Group {
  Counter lookups{*this, "lookups", "lookups", "lookups of the micro-TLB; an access that waits has one"};
  Counter micro_misses{*this, "micro_misses", "lookups",
                       "lookups that missed the micro-TLB and refill an entry of it from the main TLB"};
  Counter merges{*this, "merges", "lookups", "lookups of a page whose refill is under way"};
  Counter dropped{*this, "dropped", "lookups",
                  "lookups of prefetches that missed both TLBs, which drops the prefetch"};
  Ratio micro_hits{
      *this,
      "micro_hits",
      "lookups",
      "lookups that found their page in the micro-TLB",
      {lookups, statistics::minus(micro_misses), statistics::minus(merges), statistics::minus(dropped)}};
  Counter main_misses{*this, "main_misses", "lookups",
                      "micro-TLB misses that missed the main TLB too and refill an entry of it"};
  Ratio main_hits{*this,
                  "main_hits",
                  "lookups",
                  "micro-TLB misses that the main TLB served",
                  {micro_misses, statistics::minus(main_misses)}};
};

class Tlb {
 public:
  explicit Tlb(const TlbConfig& config);

  /// Returns the cycle from which the page can be used. Without `walk`, returns ~0 for a page that the main
  /// TLB does not hold.
  [[gnu::always_inline]] std::uint64_t lookup(std::uint64_t address, std::uint64_t cycle, bool walk = true) {
    const std::uint64_t page = address >> page_shift_;
    if (page != last_page_) [[unlikely]] {
      if (!enabled_) return cycle;
      const std::uint8_t at = hint_[page & (kHints - 1)];
      if (micro_[at].page != page) return search(page, cycle, walk);
      last_page_ = page;
      last_ = at;
    }
    Entry& entry = micro_[last_];
    entry.used = ++uses_;
    ++stats_.lookups;
    return entry.ready > cycle ? merge(entry) : cycle;
  }

  /// Returns true if an access to `address` would not wait. Changes nothing.
  bool translates(std::uint64_t address, std::uint64_t cycle) const;
  /// Makes the page the most recently used, if it is still there, for an access that has its own translation.
  [[gnu::hot]] void used(std::uint64_t address);

  /// Looks the page up without time and statistics: both TLBs hold it then, at once.
  void warm(std::uint64_t address) {
    const std::uint64_t page = address >> page_shift_;
    if (page != last_page_ && enabled_) warm_page(page);
  }
  void warm_state(StateWords& words);

  const TlbStats& stats() const { return stats_; }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kHints = 256;
  struct Entry {
    std::uint64_t page = kNone;
    std::uint64_t used = 0;   ///< stamp of the latest lookup
    std::uint64_t ready = 0;  ///< cycle from which it translates
  };
  [[gnu::hot]] std::uint64_t search(std::uint64_t page, std::uint64_t cycle, bool walk);
  Entry* find(std::uint64_t page);
  Entry& oldest();
  Entry& replace(std::uint64_t page);
  std::uint64_t merge(const Entry& entry);
  void warm_page(std::uint64_t page);
  bool main_holds(std::uint64_t page) const;
  bool main_hit(std::uint64_t page);

  TlbConfig config_;
  bool enabled_;
  std::uint32_t page_shift_;
  std::uint64_t last_page_ = kNone;
  std::uint32_t last_ = 0;
  std::uint64_t uses_ = 0;
  std::array<std::uint8_t, kHints> hint_{};      ///< page → its likely micro-TLB entry
  std::array<std::uint16_t, kHints> holders_{};  ///< page → micro-TLB entries with this hint
  std::vector<Entry> micro_;
  /// Stamps and entries of the micro-TLB as they were once, the oldest last. An entry that has kept its stamp
  /// is older than all that are not here any more.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_age_;
  std::vector<std::uint64_t> main_;  ///< by set, most recently used first
  std::uint64_t main_sets_;
  TlbStats stats_;
};

}  // namespace psim::pipeline
