// SPDX-License-Identifier: Apache-2.0
// Operand access: the cache pipeline Ps Ts Ms Bs Rs after the address pipes (JPS1-V pp. 33-34).
//
// A load takes a fetch port from D to W. In Ms it is known whether an older store holds its bytes, L1 has the
// line, or neither. Its dependents were woken as if it hit, and are cancelled if it did not. A load that must
// wait for a store, the TLB or a miss register is retried. It keeps a translation for which it has waited, so
// that other accesses cannot delay it for ever. A load of an older store's bytes takes the time of an L1 hit
// from its own X or from the X of the datum, whichever is later. A prefetch that L1 refuses keeps its fetch
// port, after W too, until L1 accepts it.
//
// Stores are written to L1 in order after W, through cache ports that loads leave free. A store that missed
// is written together with its line when that arrives. Meanwhile the lines of the younger committed stores
// are requested.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/config.h"
#include "pipeline/in_flight.h"
#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memory/device_window.h"
#include "pipeline/memory/l1_cache.h"
#include "pipeline/profile.h"
#include "pipeline/store_queue.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

class ActivityCounter;

struct LoadStoreStats : statistics::Group {
  explicit LoadStoreStats(const LoadStoreConfig& config);
  Counter loads{*this, "loads", "instructions", "loads committed, atomics and fills of windows included"};
  Counter stores{*this, "stores", "instructions", "stores committed, atomics and spills of windows included"};
  Counter forwardings{*this, "forwardings", "loads",
                      "loads, also of wrong paths, whose bytes a store in the store queue held"};
  Counter store_waits{*this, "store_waits", "loads",
                      "loads that found an older store that they must wait for"};
  Counter taken_back{*this, "taken_back", "loads",
                     "loads that did not hit after their data had been announced"};
  Counter replays{*this, "replays", "accesses",
                  "accesses of loads tried again after a store, the TLB or L1 refused them"};
  Counter prefetch_replays{*this, "prefetch_replays", "accesses", "accesses of prefetches tried again"};
  Counter prefetches_dropped{*this, "prefetches_dropped", "instructions",
                             "prefetches dropped because no TLB holds their page"};
  Counter device_stores{*this, "device_stores", "instructions", "stores to registers of devices"};
  Distribution fetch_ports, store_queue;
};

class LoadStoreUnit : private L1Cache::FillListener {
 public:
  /// Cancels instructions that ran ahead of a load that did not hit.
  class Canceller {
   public:
    virtual void cancel_dispatch(Sequence sequence, std::uint64_t now) = 0;

   protected:
    ~Canceller() = default;
  };

  LoadStoreUnit(const CoreConfig& config, InFlightRing& window, WakeUp& wake_up, L1Cache& cache,
                Canceller& canceller);
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }
  void set_activity(ActivityCounter* activity) { activity_ = activity; }
  /// Makes `profile` count the stores that missed.
  void set_profile(Profile* profile) {
    profile_ = profile;
    cache_.set_fill_listener(*this);
  }
  void set_tape(OutcomeTape* tape) {
    tape_ = tape;
    stores_.set_tape(tape);
  }
  void timing_state(TimingState& state);
  /// Calls visit(sequence, address, pc) for the committed instructions whose accesses are still to come, the
  /// oldest first.
  template <class Visit>
  void committed_accesses(Visit visit) const {
    for (std::uint64_t n = 0; n < stores_.committed(); ++n) {
      const StoreQueue::Store& store = stores_.committed_at(n);
      visit(store.sequence, store.address, store.pc);
    }
    for (const WaitingPrefetch& p : prefetches_)
      if (p.sequence < window_.head) visit(p.sequence, p.address, std::uint64_t{0});
  }
  template <class RecordOf>
  void address_stores(RecordOf record_of) {
    stores_.address_stores(record_of);
    for (WaitingPrefetch& p : prefetches_) p.address = record_of(p.sequence).address;
  }
  /// Calls visit(distribution, value) for the ports and stores in use.
  template <class Visit>
  void occupancies(Visit visit) {
    visit(stats_.fetch_ports, loads_);
    visit(stats_.store_queue, stores_.used());
  }
  /// Connects a device: stores to it go there instead of to L1.
  void connect(DeviceWindow& device) { device_ = &device; }
  std::uint64_t device_stores() const { return stats_.device_stores; }
  /// Returns true if a store to `address` goes to the device.
  bool leads_to_device(std::uint64_t address) const { return device_ != nullptr && device_->holds(address); }
  /// Sends a store to the device past the queue of stores, which is empty.
  void store_to_device(std::uint64_t address, std::uint32_t bytes, std::uint64_t now) {
    device_->store(address, bytes, now);
    ++stats_.device_stores;
  }
  const LoadStoreStats& stats() const { return stats_; }
  /// Counts the fetch ports and stores in use `times` times.
  void sample(std::uint64_t times) {
    stats_.fetch_ports.add(loads_, times);
    stats_.store_queue.add(stores_.used(), times);
  }

  bool load_full() const { return loads_ >= fetch_ports_; }
  bool store_full() const { return stores_.full(); }
  bool stores_drained() const { return stores_.empty(); }
  /// Returns the number of stores past W that are not written yet.
  std::uint64_t committed_stores() const { return stores_.committed(); }
  /// Records D of `sequence`, whose entry is `e`.
  void enter(Sequence sequence, const InFlight& e) {
    if (e.holds_fetch_port()) ++loads_;
    if (e.holds_store_port()) stores_.enter(sequence, e);
  }
  /// Returns true if no store or prefetch of a committed instruction is under way.
  bool idle() const { return !stores_.any_committed() && prefetches_.empty(); }
  /// Records P in cycle `now`. The access to L1 begins in X, its outcome takes effect in Ms.
  void dispatched(Sequence sequence, std::uint64_t now) {
    auto& turn = pipe_[now % kTurns];
    *std::find(turn.begin(), turn.end(), Sequence{0}) = sequence;
  }
  /// Returns the cycles from X of a load to X of its dependents, if it hits. P of dependents comes later by
  /// the same number of cycles. In the PEs C lies between P and X, of the load as of its dependents.
  std::uint32_t load_use(const isa::InstructionRecord& record) const {
    const isa::StaticInstruction& si = *record.instruction;
    if (record.sbm)
      return sbm_latency_ + (si.pe_data ? 1 : 1 + static_cast<std::uint32_t>(window_.stages.to_scalar));
    const bool fp = si.destinations && si.destination[0].first >= isa::reg::kFp &&
                    (si.destination[0].first < isa::reg::kCcr || si.pe_data);
    return latency_ + (fp ? fp_load_extra_ : 0);
  }
  /// Receives the line of an access that missed.
  void line_arrived(const Completion& completion, std::uint64_t now);
  /// Steps the cache pipeline and the write to L1 by one cycle. Returns false if nothing happened.
  bool step(std::uint64_t now) {
    const bool begins = pipe_[(now - window_.stages.execute) % kTurns][0] != 0;
    const bool tags = pipe_[(now - tag_) % kTurns][0] != 0;
    const bool waiting = !blocked_.empty() || !prefetches_.empty() || stores_.any_committed();
    return (begins || tags || waiting) && advance(now);
  }
  /// Records W.
  void commit(const InFlight& e) {
    if (e.load) ++stats_.loads;
    if (e.store) ++stats_.stores;
    if (e.holds_fetch_port() && (prefetches_.empty() || !prefetch_waits(window_.head))) --loads_;
    if (e.holds_store_port()) stores_.commit();
  }
  /// Removes the accesses from `first` on; each fetch port is released apart.
  void flush(Sequence first);
  void release_fetch_port() { --loads_; }

  /// Returns the first cycle after `now` in which an action is due without an outside event.
  std::uint64_t next_event(std::uint64_t now) const;
  std::string describe() const;

 private:
  static constexpr std::size_t kTurns = 16;  // more than P to Ms
  static_assert(kTurns > 1 + kDeepestStage + 3);
  static constexpr std::uint64_t kStoreToken = kNever;

  /// A retry of an access that L1 refused: its first cycle, and the first with its translation.
  struct Retry {
    std::uint64_t cycle = 0, translated = kNever;
    void refused(const Access& access, std::uint64_t now);
  };
  /// Accesses L1 on behalf of the instruction `subject`.
  [[gnu::always_inline]] Access to_cache(Sequence subject, std::uint64_t address, std::uint32_t bytes,
                                         AccessKind kind, std::uint64_t now, std::uint64_t token,
                                         bool translated = false) {
    if (tape_ != nullptr) [[unlikely]]
      tape_->subject = subject;
    return cache_.access(address, bytes, kind, now, token, translated);
  }
  struct Blocked {
    Sequence load;
    std::uint64_t end = kNever;  ///< of its next search of the store queue
  };
  struct WaitingPrefetch {
    Sequence sequence;
    std::uint64_t address;
    Retry retry;
  };

  [[gnu::hot]] bool advance(std::uint64_t now);
  bool here(Sequence sequence, std::uint64_t dispatched) const;
  [[gnu::hot]] void begin_access(Sequence sequence, std::uint64_t now);
  [[gnu::hot]] void tag(Sequence load, std::uint64_t now);
  [[gnu::hot]] bool try_again(std::uint64_t now);
  bool try_again(Blocked& blocked, std::uint64_t now);
  void count_access(const InFlight& entry, Outcome outcome, bool write);
  [[gnu::hot]] Access access(InFlight& entry, Sequence sequence, std::uint64_t now);
  void prefetch(Sequence sequence, const InFlight& entry, std::uint64_t now);
  bool prefetch_again(std::uint64_t now);
  bool prefetch_waits(Sequence sequence) const;
  std::uint64_t after_data(const InFlight& entry) const;
  [[gnu::hot]] std::uint64_t hit_done(const InFlight& entry, std::uint64_t begin) const;
  std::uint64_t sbm_done(std::uint64_t begin) const;
  void take_back(Sequence load, Progress progress, std::uint64_t now);
  void wait(Sequence load, Progress progress, std::uint64_t retry, std::uint64_t now,
            std::uint64_t end = kNever);
  void go_on(Sequence load, std::uint64_t begin, std::uint64_t now);
  [[gnu::hot]] void resume(Sequence load, std::uint64_t result, std::uint64_t done, std::uint64_t now);
  bool drain(std::uint64_t now);
  [[gnu::hot]] bool write_oldest(std::uint64_t now);
  [[gnu::hot]] bool request_ahead(std::uint64_t now);
  [[gnu::hot]] void written();
  void on_fill(std::uint64_t address, std::uint32_t bytes, Level level) override {
    if (level == Level::Memory) stores_.came_from_memory(address, bytes);
  }
  bool to_device(const StoreQueue::Store& store) const;

  InFlightRing& window_;
  WakeUp& wake_up_;
  L1Cache& cache_;
  Canceller& canceller_;
  const std::uint32_t fetch_ports_, latency_, fp_load_extra_, forward_extra_, sbm_latency_, sbm_loads_,
      sbm_stores_;
  const std::uint64_t tag_;  // P to the cycle in which a miss is known; dependents are in B at the latest
  StoreQueue stores_;
  std::uint32_t loads_ = 0;                                     // fetch ports in use
  std::array<std::array<Sequence, kMaxPipes>, kTurns> pipe_{};  // [cycle of P mod kTurns]; 0: empty
  std::vector<Blocked> blocked_;                                // loads to be retried
  std::vector<WaitingPrefetch> prefetches_;                     // prefetches to be retried, oldest first
  std::uint64_t sbm_cycle_ = 0;                                 // of the SBM loads counted in
  std::uint32_t sbm_ports_used_ = 0;
  Retry store_retry_;                  // of the oldest store
  bool store_waits_ = false;           // the oldest store waits for its line
  bool store_arrived_ = false;         // that line has arrived in this cycle
  std::uint64_t requested_ahead_ = 0;  // committed stores whose lines were requested
  Retry ahead_retry_;                  // of the request for the next one
  DeviceWindow* device_ = nullptr;
  LoadStoreStats stats_;
  OutcomeTape* tape_ = nullptr;
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
  Profile* profile_ = nullptr;
};

}  // namespace psim::pipeline
