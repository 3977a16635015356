// SPDX-License-Identifier: Apache-2.0
// Models: a non-blocking first-level cache (JPS1-V p. 125–127), instruction or data: tags, ports, miss
// registers, TLB cost. Write-back, write-allocate, LRU. Parameters: L1Config. Statistics: L1Stats.
//
// Use, each cycle c, in this order:
//   1. drain(c, f): fills due by c enter the cache; f(Completion) is called for every access that waited.
//   2. access(…, c, token): any number; each returns Hit, Miss or Refused at once.
// Cycles never decrease. Cycles without accesses may be skipped, up to exactly next_event_cycle().
//
// Timing. An access begins at cycle c, the first cycle of the tag and data read. Hit: data usable (a
// dependent instruction may be in its first X cycle) at c + latency. Miss: the request leaves at c + latency,
// when the tags are known not to match; data usable when the level below has answered:
//   L2 hit  c + L1 latency + L2 latency              (4 + 20 = 24 by default)
//   memory  c + L1 latency + L2 latency + memory     (4 + 20 + 120 = 144 by default)
// A completion is announced `notice` cycles before its data is usable, so that an instruction woken by it
// gets the data in X. The line is in the cache from the announcement on; as notice ≤ latency, no hit can be
// early. A fill takes no port (assumption). The victim leaves when the fill enters.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/memory/access.h"
#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/memory_level.h"
#include "pipeline/memory/stream_prefetcher.h"
#include "pipeline/memory/tag_array.h"
#include "pipeline/memory/tlb.h"

namespace psim::pipeline {

class OutcomeTape;

struct L1Stats : statistics::Group {
  explicit L1Stats(const L1Config& config);
  // Counters of hits come first.
  Counter hits{*this, "hits", "accesses", "accesses that found all their lines; prefetches included"};
  Counter misses{*this, "misses", "accesses", "accesses that took a miss register"};
  Counter merges{*this, "merges", "accesses", "accesses that only joined misses under way"};
  Ratio miss_rate{*this,
                  "miss_rate",
                  "misses/access",
                  "misses and merges per access",
                  {misses, merges},
                  {hits, misses, merges}};
  Counter prefetches{
      *this, "prefetches", "accesses",
      "prefetches among misses and merges: instructions of the program, and stores' lines ahead"};
  Counter requests{*this, "lines_requested", "lines", "lines requested from L2"};
  Counter prefetch_lookups{*this, "prefetch_lookups", "lines",
                           "lines that the hardware's prefetcher looked for and could request"};
  Counter hardware_prefetches{*this, "hardware_prefetches", "lines",
                              "lines that the hardware's prefetcher requested from L2"};
  Counter used_prefetches{*this, "prefetches_used", "lines", "hardware prefetches that the program used"};
  Counter late_prefetches{*this, "prefetches_late", "lines",
                          "hardware prefetches that were still under way at their first use"};
  Counter unused_prefetches{*this, "prefetches_unused", "lines",
                            "hardware prefetches that were evicted unused"};
  Counter evictions{*this, "evictions", "lines", "valid lines pushed out by fills"};
  Counter write_backs{*this, "write_backs", "lines", "dirty lines sent to L2: evicted, or taken back by it"};
  Counter back_invalidates{*this, "back_invalidates", "lines",
                           "lines taken away because L2 evicted them or another core wrote them"};
  Counter port_refusals{*this, "port_refusals", "accesses",
                        "tries refused because ports or banks were taken"};
  Counter miss_register_refusals{*this, "miss_register_refusals", "accesses",
                                 "tries refused because no miss register, or no room in its list, was free"};
  Counter tlb_refusals{*this, "tlb_refusals", "accesses", "tries refused to wait for a translation"};
  LogDistribution miss_latency{
      *this, "miss_latency", "cycles",
      "from the access that missed to its line usable, by line; not of hardware prefetches"};
  Distribution outstanding, occupancy;
};

class L1Cache {
 public:
  /// Observes the lines that enter, whether an access waits for them or not.
  class FillListener {
   public:
    virtual void on_fill(std::uint64_t address, std::uint32_t bytes, Level level) = 0;

   protected:
    ~FillListener() = default;
  };

  /// Observes the loss of one line.
  class LossListener {
   public:
    /// The line has left. `cycle`: the first in which the core can notice it.
    virtual void on_loss(std::uint64_t cycle) = 0;

   protected:
    ~LossListener() = default;
  };

  /// `config` must be valid; `below` outlives the cache.
  L1Cache(const L1Config& config, NextLevel& below);

  /// Makes an access. `bytes` is 1–256, and `address` a multiple of it. An access that crosses a line takes
  /// one port and is complete when all its lines are. Prefetches return Hit, Miss or Refused, too; a refused
  /// prefetch may be dropped.
  /// `translated`: the TLB refused the access before, and it has its translation by now.
  [[gnu::always_inline]] Access access(std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                                       std::uint64_t cycle, std::uint64_t token, bool translated = false) {
    if (tape_ != nullptr) [[unlikely]]
      return taped_access(address, bytes, kind, cycle, token, translated);
    return look_up(address, bytes, kind, cycle, token, translated);
  }

 private:
  [[gnu::always_inline]] Access look_up(std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                                        std::uint64_t cycle, std::uint64_t token, bool translated) {
    if (cycle != port_cycle_) {
      port_cycle_ = cycle;
      ports_used_ = 0;
      banks_used_ = 0;
    }
    if (ports_used_ == ports_ || (bank_mask_ != 0 && bank_taken(address))) [[unlikely]] {
      ++stats_.port_refusals;
      return {Outcome::Refused, Refusal::Port, false, cycle + 1};
    }
    if (translated) [[unlikely]] {
      tlb_.used(address);
    } else if (const std::uint64_t ready = tlb_.lookup(address, cycle, kind != AccessKind::PrefetchRead);
               ready != cycle) [[unlikely]] {
      ++stats_.tlb_refusals;
      return {Outcome::Refused, Refusal::Tlb, false, ready};
    }
    const std::uint64_t line = address >> line_shift_;
    const bool write = kind == AccessKind::Store;
    if (((address + bytes - 1) >> line_shift_) != line || !tags_.touch(line, write)) [[unlikely]]
      return slow_access(address, bytes, kind, cycle, token);
    take_port(address);
    ++stats_.hits;
    return {Outcome::Hit, Refusal::None, false, cycle + latency_};
  }

 public:
  /// Makes a hardware prefetch, in a cycle in which a port is free. It takes a miss register only if a
  /// quarter of them stays free for accesses of the program.
  [[gnu::hot]] PrefetchAnswer prefetch(std::uint64_t address, AccessKind kind, std::uint64_t cycle);
  /// Prefetch::Stream: requests a line after the accesses of a cycle. Returns false if nothing happened and
  /// nothing can happen before another event.
  bool prefetch_streams(std::uint64_t cycle) {
    return streams_ && streams_->has_request() && request_ahead(cycle);
  }

  /// Lets the fills due by `cycle` enter; calls `f(const Completion&)` for each access that waited, in the
  /// order of fills, then of accesses. `f` must not call access().
  template <typename F>
  void drain(std::uint64_t cycle, F&& f) {
    while (next_fill_ <= cycle) [[unlikely]] {
        for (const Completion& completion : take_fill()) f(completion);
      }
  }

  /// Does the same, and calls `unheard` for each fill that no access waited for.
  template <typename F, typename G>
  void drain(std::uint64_t cycle, F&& f, G&& unheard) {
    while (next_fill_ <= cycle) {
      const std::vector<Completion>& completions = take_fill();
      if (completions.empty()) unheard();
      for (const Completion& completion : completions) f(completion);
    }
  }

  /// Does the same with a tape; `f` must not call access().
  template <typename F>
  void drain_taped(std::uint64_t cycle, F&& f) {
    for (const Completion& completion : taped_fills(cycle)) f(completion);
  }

  /// Returns the next cycle in which drain() has work; kNever if nothing is known to be under way. A level
  /// below that answers late makes this earlier by calling fill(), but never earlier than the cycle after.
  std::uint64_t next_event_cycle() const { return tape_ == nullptr ? next_fill_ : taped_next_event(); }
  bool miss_outstanding() const { return busy_ != 0; }
  /// Returns true if another miss would find a free miss register.
  bool miss_register_free() const { return busy_ != all_; }

  /// Called by the level below: the line of `miss_register` reaches L1 at `cycle`, which lies in the future
  /// of the core. `now` is the first cycle in which the core can be notified.
  /// `shared`: other caches hold the line, too; a store must request it again to write it.
  void fill(std::uint32_t miss_register, std::uint64_t cycle, std::uint64_t now, Level level,
            bool shared = false);
  /// Called by the level below when the line leaves L2, and so must leave here; returns true if it was dirty.
  /// A line still on its way is given to the accesses that wait for it and not kept. `cycle`: the first in
  /// which the core can notice it.
  bool invalidate(std::uint64_t address, std::uint64_t cycle = 0);
  /// Called by the level below when another cache reads the line: it becomes clean, and a store must request
  /// it again. Returns true if it was dirty. A line still on its way arrives so, after the stores that wait
  /// for it if they have requested it for writing.
  bool share(std::uint64_t address);

  // Functional execution between windows of cycles, without time and statistics. No miss is under way.
  /// Does an access to one line. Returns false if the line must be filled by warm_fill().
  bool warm(std::uint64_t address, bool write) {
    return warm_hit(address, write) || warm_prefetched(address, write);
  }
  /// Does the access if the program has used the line before: such a hit starts no stream.
  bool warm_hit(std::uint64_t address, bool write) {
    tlb_.warm(address);
    return config_.prefetch == Prefetch::Perfect || tags_.touch(address >> line_shift_, write);
  }
  /// Does the access after warm_hit() has returned false.
  bool warm_prefetched(std::uint64_t address, bool write);
  /// Returns the line of a set to which an access only changes the TLB. The result is that of
  /// TagArray::most_recent().
  std::uint64_t warm_recent(std::uint64_t set) const { return tags_.most_recent(set); }
  /// Fills the line of an access that warm() did not find. Returns the victim.
  TagArray::Victim warm_fill(std::uint64_t address, bool write);
  /// Returns the address of a line that Prefetch::Stream requests next and that is absent; none: kNever. The
  /// line must be filled by warm_prefetch().
  std::uint64_t warm_request();
  TagArray::Victim warm_prefetch(std::uint64_t address);
  /// Removes the line, which leaves the level below. Returns true if it was dirty.
  bool warm_remove(std::uint64_t address) { return tags_.remove(address >> line_shift_).dirty; }

  void warm_state(StateWords& words);

  /// Makes `listener` receive the loss of the line of `address`, once. Returns false if the line is absent.
  bool watch(std::uint64_t address, LossListener& listener) {
    if (!tags_.contains(address >> line_shift_)) return false;
    watched_ = address >> line_shift_;
    loss_listener_ = &listener;
    return true;
  }
  void unwatch() { watched_ = kNever; }

  /// Attaches the listener, which outlives the cache.
  void set_fill_listener(FillListener& listener) { fill_listener_ = &listener; }

  const L1Stats& stats() const { return stats_; }
  /// Counts the miss registers in use `times` times.
  void sample(std::uint64_t times) {
    if (tape_ != nullptr) return taped_sample(times);
    stats_.occupancy.add(miss_registers_in_use(), times);
  }
  std::uint64_t miss_registers_in_use() const { return static_cast<std::uint64_t>(std::popcount(busy_)); }
  /// Counts a sample that was taken before.
  void add_sample(std::uint64_t in_use) { stats_.occupancy.add(in_use); }
  const Tlb& tlb() const { return tlb_; }
  /// Makes `tape` record the answers; null: no longer.
  void set_tape(OutcomeTape* tape, bool of_instructions) {
    tape_ = tape;
    of_instructions_ = of_instructions;
  }
  const L1Config& config() const { return config_; }

 private:
  static constexpr std::uint32_t kNoJoin = ~std::uint32_t{0};
  struct Target {
    std::uint64_t token;
    AccessKind kind;
    std::uint32_t join;  ///< for an access to several lines, else kNoJoin
  };
  struct MissRegister {
    std::uint64_t line = 0;
    std::uint64_t due = kNever;     ///< announcement; kNever: not yet answered
    std::uint64_t usable = kNever;  ///< data usable
    std::uint64_t order = 0;        ///< of requests, breaks ties between fills
    std::uint64_t missed = 0;       ///< cycle of the access that requested it
    Level level = Level::L2;
    bool write = false;       ///< a store waits: the line enters dirty
    bool owned = false;       ///< requested for writing
    bool shared = false;      ///< another cache holds the line, too
    bool keep = true;         ///< false: L2 invalidated it while on its way
    bool ahead = false;       ///< requested by the hardware's prefetcher
    bool prefetched = false;  ///< likewise, and not used yet
    std::vector<Target> targets;
  };
  /// An access to several lines, some of which missed.
  struct Join {
    std::uint32_t missing = 0;  ///< 0: free
    std::uint64_t usable = 0;
    Level level = Level::L1;
  };

  void take_port(std::uint64_t address) {
    ++ports_used_;
    banks_used_ |= std::uint64_t{1} << ((address >> 3) & bank_mask_);
  }
  bool bank_taken(std::uint64_t address) const {
    return (banks_used_ >> ((address >> 3) & bank_mask_) & 1) != 0;
  }
  Access taped_access(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint64_t cycle,
                      std::uint64_t token, bool translated);
  const std::vector<Completion>& taped_fills(std::uint64_t cycle);
  std::uint64_t taped_next_event() const;
  void taped_sample(std::uint64_t times);
  PrefetchAnswer look_ahead(std::uint64_t address, AccessKind kind, std::uint64_t cycle);
  [[gnu::hot]] Access slow_access(std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                                  std::uint64_t cycle, std::uint64_t token);
  Access refuse_for_miss_register();
  std::uint32_t find(std::uint64_t line) const;
  [[gnu::hot]] void request(std::uint64_t line, AccessKind kind, std::uint64_t cycle, std::uint64_t token,
                            std::uint32_t join, bool ahead = false);
  bool request_ahead(std::uint64_t cycle);
  void touched(std::uint64_t line, AccessKind kind) {
    if (streams_) streams_->touched(line, kind == AccessKind::Store || kind == AccessKind::PrefetchWrite);
  }
  [[gnu::hot]] const std::vector<Completion>& take_fill();
  void enter(const MissRegister& reg, std::uint64_t now);
  /// Reports that `line` has left, if it is watched.
  void report_loss(std::uint64_t line, std::uint64_t cycle) {
    if (line != watched_) [[likely]]
      return;
    watched_ = kNever;
    loss_listener_->on_loss(cycle);
  }

  // Members that a hit needs come first.
  OutcomeTape* tape_ = nullptr;
  bool of_instructions_ = false;  // it is the instruction cache; set with the tape
  std::uint64_t port_cycle_ = kNever;
  std::uint64_t banks_used_ = 0;
  std::uint64_t bank_mask_;
  std::uint32_t ports_used_ = 0;
  std::uint32_t ports_;
  std::uint32_t line_shift_;
  std::uint32_t latency_;
  TagArray tags_;
  L1Stats stats_;
  Tlb tlb_;
  std::uint64_t next_fill_ = kNever;

  std::uint64_t busy_ = 0;  ///< bit i: miss register i is taken
  std::uint64_t all_;
  std::uint64_t orders_ = 0;
  std::optional<StreamPrefetcher> streams_;
  std::vector<MissRegister> miss_registers_;
  std::vector<Join> joins_;
  std::vector<Completion> completions_, taped_completions_;
  L1Config config_;
  NextLevel& below_;
  FillListener* fill_listener_ = nullptr;
  std::uint64_t watched_ = kNever;  ///< line; kNever: none
  LossListener* loss_listener_ = nullptr;
};

}  // namespace psim::pipeline
