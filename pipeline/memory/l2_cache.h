// SPDX-License-Identifier: Apache-2.0
// Models: the unified second-level cache, shared by cores, inclusive of their first levels: a line that
// leaves it is invalidated there (JPS1-V p. 125–127). Write-back, write-allocate, LRU, non-blocking; tags
// only. Parameters: L2Config. Statistics: L2Stats.
// Input:  in_requests, TLM-2.0 base protocol, any number of initiators. A request lies within one line.
// Output: out_lines (of LineRequester), lines from and to memory; out_back_invalidate, one per first-level
// cache.
//
// Requests are served in the order in which they were sent. With A the (annotated) time of arrival:
//   start  = max(A, the path to L1 is free); the path is then taken for line_bytes ÷ bytes_per_cycle cycles
//   hit    is answered at start + latency
//   miss   leaves for memory at start + latency (the tags are known not to match), or when a miss register is
//          free, or when a way of the set holds no line under way; it is answered when memory answers
//   merge  with a miss under way is answered with it, not before start + latency
// Coherence (L2Config::coherent): initiator n is the first-level cache behind out_back_invalidate[n]. Between
// the caches a line is modified or exclusive in one of them, or shared. The directory knows the holders.
//   a read of a line that another cache may have written makes that copy shared, and clean; a write of a line
//   that others hold invalidates their copies. Both add `snoop_latency`, and begin when the latest holder has
//   the line. A dirty copy goes through L2, which has it then.
// A cache that reads a line which no other holds may write it without a message, unless it holds
// instructions. The miss enters the tags when it leaves. The victim leaves at the same time, after the read,
// from a buffer without limit (assumption). A write of an absent line goes on to memory. A request whose time
// is known when it arrives (always, with our MemoryController) is answered at once by TLM_COMPLETED and an
// annotated delay, without an event. Otherwise END_REQ follows at once, and BEGIN_RESP when memory has
// answered.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/directory.h"
#include "pipeline/memory/l1_port.h"
#include "pipeline/memory/tag_array.h"

namespace psim::pipeline {

struct L2Stats : statistics::Group {
  /// `period`: ticks of a core cycle.
  L2Stats(const L2Config& config, Ticks period);
  Counter hits{*this, "hits", "lines", "reads answered from the tags"};
  Counter misses{*this, "misses", "lines", "reads that went to memory"};
  Counter merges{*this, "merges", "lines", "reads that joined a miss under way"};
  Ratio miss_rate{*this,
                  "miss_rate",
                  "misses/read",
                  "misses and merges per read",
                  {misses, merges},
                  {hits, misses, merges}};
  Counter writes{*this, "writes", "lines", "lines written back by L1"};
  Counter evictions{*this, "evictions", "lines", "valid lines replaced by others"};
  Counter write_backs{*this, "write_backs", "lines", "lines written to memory"};
  Counter back_invalidates{*this, "back_invalidates", "lines",
                           "evicted lines that were dirty in a first-level cache"};
  Counter snoops{*this, "snoops", "lines", "lines that devices read or wrote and that L2 held"};
  Counter misses_delayed{*this, "misses_delayed", "lines", "misses that waited for a miss register or a way"};
  LogDistribution miss_latency{*this, "miss_latency", "cycles",
                               "from the lookup of a line that missed until it has come from memory"};
  Distribution outstanding;
  Counter path_ticks{*this};
  Ratio path_busy;
};

/// The work that keeps the first levels of several cores coherent.
struct CoherenceStats : statistics::Group {
  Counter invalidations{*this, "invalidations", "lines", "copies invalidated because another core writes"};
  Counter downgrades{*this, "downgrades", "lines",
                     "copies of a single holder that became shared because another cache reads"};
  Counter forwards{*this, "forwards", "lines",
                   "dirty copies that went through L2 to the cache that requested"};
  Counter upgrades{*this, "upgrades", "lines",
                   "requests to write a line of which the cache has a shared copy"};
  Counter waits{*this, "waits", "lines", "requests that waited until an earlier holder had the line"};
};

class L2Cache : public LineRequester {
 public:
  tlm_utils::multi_passthrough_target_socket<L2Cache> in_requests{"in_requests"};
  sc_core::sc_port<BackInvalidate, 0, sc_core::SC_ZERO_OR_MORE_BOUND> out_back_invalidate{
      "out_back_invalidate"};

  /// `period` is one core cycle, the unit of the latency.
  L2Cache(const sc_core::sc_module_name& name, const L2Config& config, sc_core::sc_time period);

  /// A device's access to a line in memory, which bypasses the caches.
  enum class Snoop : std::uint8_t {
    Read,       ///< a dirty copy, here or above, is written to memory first; L2 keeps the line, clean
    Write,      ///< the same, and no cache keeps the line
    Overwrite,  ///< all bytes of it: no cache keeps the line
  };
  /// Prepares the caches for the device's own request at tick `at`; no copy above is kept. Returns the time
  /// at which the written-back line has left for memory: until then, memory must not be accessed for it.
  /// Returns `at` if no line is written back.
  Ticks snoop(std::uint64_t address, Snoop kind, Ticks at);

  // Functional execution between windows of cycles, without time and statistics.
  /// Does a read of a line. Returns the line that leaves for it, which must leave the caches above; `valid`
  /// is false if none does.
  TagArray::Victim warm_read(std::uint64_t address);
  /// Does the write of a line that leaves a first-level cache.
  void warm_write(std::uint64_t address) { tags_.touch(address >> line_shift_, true); }

  void warm_state(StateWords& words) { tags_.warm_state(words); }

  const L2Stats& stats() const { return stats_; }
  const CoherenceStats& coherence_stats() const { return coherence_stats_; }

 private:
  static constexpr Ticks kUnknown = ~Ticks{0};
  struct Reader {
    tlm::tlm_generic_payload* payload;
    int initiator;
    Ticks earliest;  ///< not answered before
  };
  struct MissRegister {
    std::uint64_t line = 0;
    Ticks missed = 0;  ///< start of the lookup
    Ticks ready = 0;   ///< time at which the line is there; in the past: free; kUnknown: not known yet
    Level level = Level::Memory;
    std::vector<Reader> readers;  ///< wait for a time that is not known yet
  };
  struct Answer {
    Ticks at;  ///< kUnknown: later
    Level level;
  };
  /// The backward path to one initiator: one response at a time (the response exclusion rule).
  struct ResponseChannel {
    bool busy = false;
    std::deque<Reader> waiting;
  };

  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_request(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
  [[gnu::hot]] Answer read(const Reader& reader);
  Answer look_up(const Reader& reader);
  Answer read_coherent(Reader reader);
  Ticks settle_copies(std::uint64_t line, std::uint32_t own, bool write, Ticks at);
  [[gnu::hot]] Answer miss(std::uint64_t line, AccessKind kind, Ticks at, std::uint32_t& taken);
  void evict(const TagArray::Victim& victim, Ticks at);
  Ticks write(std::uint64_t line, Ticks arrival);
  Ticks take_path(Ticks arrival);
  MissRegister* under_way(std::uint64_t line, Ticks at);
  void arrived(std::uint32_t miss_register, Level level, Ticks at, bool at_once) override;
  void serve_stalled();
  void respond(const Reader& reader);
  void respond_waiting();

  L2Config config_;
  Ticks period_, latency_, snoop_latency_;
  Ticks path_time_;  ///< one line on the path to L1
  std::uint32_t line_shift_;
  TagArray tags_;
  std::vector<MissRegister> miss_registers_;
  Ticks latest_ready_ = 0;     ///< no miss of known time is under way after this
  std::uint32_t unknown_ = 0;  ///< miss registers with unknown time
  Ticks path_free_ = 0;
  Ticks latest_to_memory_ = 0;  ///< requests to memory keep their order
  std::deque<Reader> stalled_;  ///< wait for a miss register or way whose time is unknown
  std::vector<ResponseChannel> channels_;
  sc_core::sc_event respond_event_;
  L2Stats stats_;
  std::optional<Directory> directory_;  ///< of a coherent cache
  CoherenceStats coherence_stats_;
};

}  // namespace psim::pipeline
