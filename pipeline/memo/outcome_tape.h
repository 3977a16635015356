// SPDX-License-Identifier: Apache-2.0
// The calls of the core's stages to the parts that have a state of their own (the source of instructions, the
// first-level caches, the branch history) with their answers, and the overlaps of loads and stores. The
// stages are a function of their timing state and of these answers.
//
// A part that has a tape writes its answers on it. While the tape feeds, the part returns the answers of
// calls that have been made before, in the same order, and does not change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/state/instruction_source.h"
#include "pipeline/branch_answer.h"
#include "pipeline/memory/access.h"

namespace psim::pipeline {

/// A call with its answer. Cycles are relative to the start of the tape, instructions to the oldest one then.
struct TapedCall {
  enum class Kind : std::uint8_t {
    Pull,        ///< count: consecutive records; detail: at any pc, more: then the number requested
    Next,        ///< detail: the instruction is the oldest
    Text,        ///< argument: pc; detail: in SIMD state; answer: the instruction
    Fetch,       ///< argument: address; count: bytes; detail: translated
    Access,      ///< argument: instruction; count: bytes; detail: kind, translated; more: token
    Completion,  ///< argument: access; detail: kind; answer: level, cycle of use
    Fill,        ///< detail: of instructions; a line for which no access waited, which frees its register
    Prefetch,    ///< argument: address
    Search,      ///< argument: pc
    FirstTaken,  ///< argument: pc; count: bytes; more: address of the branch
    Update,      ///< argument: pc; detail: kind; count: taken; more: target
    Compare,     ///< argument: load; detail: its bytes; more: store; count: its bytes
  };
  Kind kind;
  std::uint8_t detail = 0;
  std::uint16_t count = 0;
  std::uint32_t cycle = 0;
  std::uint64_t argument = 0, more = 0, answer = 0;
  bool operator==(const TapedCall&) const = default;
};

/// Conversions of answers to one word and back.
std::uint64_t packed(const Access& access, std::uint64_t cycle);
Access unpacked_access(std::uint64_t word, std::uint64_t cycle);
inline std::uint64_t packed(const BranchAnswer& a) {
  return a.hit | a.taken << 1 | static_cast<std::uint64_t>(a.kind) << 2 | a.target << 8;
}
inline BranchAnswer unpacked_search(std::uint64_t word) {
  return {(word & 1) != 0, (word & 2) != 0, static_cast<isa::BranchKind>(word >> 2 & 63), word >> 8};
}
inline std::uint64_t packed(Level level, std::uint64_t use, std::uint64_t cycle) {
  return static_cast<std::uint64_t>(level) | (use - cycle) << 8;
}

/// Returns as bits whether a load and a store overlap, and whether the store covers the load.
inline std::uint64_t overlap(std::uint64_t address, std::uint64_t bytes, std::uint64_t store,
                             std::uint64_t store_bytes) {
  const bool overlaps = address < store + store_bytes && store < address + bytes;
  const bool covers = store <= address && address + bytes <= store + store_bytes;
  return overlaps | covers << 1;
}

class OutcomeTape {
 public:
  static constexpr std::uint64_t kStoreToken = kNever;

  // For the parts.
  /// `count` is what `out` has room for, of the `requested`.
  std::uint32_t next_straight(isa::InstructionSource& source, std::uint64_t cycle, std::uint64_t pc,
                              std::uint64_t block_bytes, std::uint32_t count, std::uint32_t requested,
                              isa::RecordSlots out);
  isa::Pull next(isa::InstructionSource& source, std::uint64_t cycle, bool oldest,
                 isa::InstructionRecord& out);
  const isa::StaticInstruction* text(isa::InstructionSource& source, std::uint64_t pc, bool simd);
  /// The instruction on whose behalf the data cache is accessed next.
  std::uint64_t subject = 0;
  bool feeds() const { return feed_.left != 0 || feeds_samples(false); }
  bool feeds_access() const { return !feed_.accesses.empty(); }
  bool feeds_prefetch() const { return !feed_.prefetches.empty(); }
  bool feeds_search() const { return !feed_.searches.empty(); }
  bool feeds_first_taken() const { return !feed_.first_taken.empty(); }
  Access fed_access() { return take(feed_.accesses); }
  void accessed(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint64_t cycle,
                std::uint64_t token, bool translated, const Access& answer);
  /// Returns the cycle of the next completion or fill that is fed; kNever: none.
  std::uint64_t next_completion(bool of_instructions) const {
    const Fed<FedCompletion>& completions = feed_.completions[of_instructions];
    return completions.empty() ? kNever : completions.front().at;
  }
  /// Returns the completion; nothing for a fill for which no access waited.
  std::optional<Completion> fed_completion(bool of_instructions) {
    return take(feed_.completions[of_instructions]).completion;
  }
  void completed(std::uint64_t cycle, const Completion& completion);
  void filled(std::uint64_t cycle, bool of_instructions) {
    add(TapedCall::Kind::Fill, of_instructions, 0, cycle, 0, 0, 0);
  }
  PrefetchAnswer fed_prefetch() { return take(feed_.prefetches); }
  void prefetched(std::uint64_t address, std::uint64_t cycle, PrefetchAnswer answer) {
    add(TapedCall::Kind::Prefetch, 0, 0, cycle, address, 0, static_cast<std::uint64_t>(answer));
  }
  /// Returns true if samples of the miss registers in use are fed.
  bool feeds_samples(bool of_instructions) const { return !feed_.samples[of_instructions].empty(); }
  std::uint64_t fed_sample(bool of_instructions) { return feed_.samples[of_instructions].take(); }
  BranchAnswer fed_search() { return unpacked_search(take(feed_.searches)); }
  void searched(std::uint64_t pc, const BranchAnswer& answer) {
    add(TapedCall::Kind::Search, 0, 0, now_, pc, 0, checked(answer));
  }
  std::uint64_t fed_first_taken(BranchAnswer& answer) {
    const std::pair<std::uint64_t, std::uint64_t> fed = take(feed_.first_taken);
    answer = unpacked_search(fed.second);
    return fed.first;
  }
  void first_taken(std::uint64_t pc, std::uint64_t end, std::uint64_t at, const BranchAnswer& answer) {
    add(TapedCall::Kind::FirstTaken, 0, static_cast<std::uint16_t>(end - pc), now_, pc, at,
        at == end ? 0 : checked(answer));
  }
  /// Returns true if the update was made before.
  bool fed_update() {
    if (feed_.updates == 0) return false;
    --feed_.updates, --feed_.left;
    return true;
  }
  void updated(std::uint64_t pc, isa::BranchKind kind, bool taken, std::uint64_t target) {
    add(TapedCall::Kind::Update, static_cast<std::uint8_t>(kind), taken, now_, pc, target, 0);
    if (taken && target < pc) turned_back = true;
  }
  /// Records how the bytes of a load and an older store overlap.
  void compared(std::uint64_t load, std::uint64_t address, std::uint32_t bytes, std::uint64_t store,
                std::uint64_t store_address, std::uint32_t store_bytes) {
    // Neither changes its address, so one comparison is enough.
    std::uint64_t& seen = compared_[((load - head_) * 31 + store - head_) % compared_.size()];
    const std::uint64_t pair = (load - head_) << 32 ^ (store - head_ + 0x8000'0000);
    if (seen == pair) return;
    seen = pair;
    add(TapedCall::Kind::Compare, static_cast<std::uint8_t>(bytes), static_cast<std::uint16_t>(store_bytes),
        now_, load - head_, store - head_, overlap(address, bytes, store_address, store_bytes));
  }

  // For the memo.
  /// Begins a tape in cycle `now`: `head` is the oldest instruction, `fetches` the accesses of fetch so far.
  void begin(std::uint64_t now, std::uint64_t head, std::uint64_t fetches);
  void end() { recording_ = false; }
  bool recording() const { return recording_; }
  /// Records that something happened that cannot be given again.
  void lose() { lost_ = true; }
  bool lost() const { return lost_; }
  void at(std::uint64_t now) { now_ = now; }
  bool turned_back = false;  ///< a branch to a smaller address has committed
  const std::vector<TapedCall>& calls() const { return calls_; }
  const std::vector<isa::InstructionRecord>& records() const { return records_; }
  /// Returns the numbers of records before calls of text(), ascending.
  const std::vector<std::uint32_t>& texts() const { return texts_; }

  /// Prepares to feed the calls, which were made from cycle `start` on.
  /// `records` returns the records by their number.
  void feed(const std::vector<TapedCall>& calls, std::uint64_t start, std::uint64_t head,
            std::uint64_t fetches, const std::vector<isa::InstructionRecord>& records, isa::Pull pending,
            const isa::InstructionRecord& pending_record,
            const std::vector<std::pair<std::uint8_t, std::uint8_t>>& samples);
  /// Delivers a record that was pulled ahead, after those fed.
  void deliver(const isa::InstructionRecord& record) { ahead_.push({record, false}); }
  /// Calls visit(record) for the records that were to be delivered, which are so no longer.
  template <class Visit>
  void take_undelivered(Visit visit) {
    while (!ahead_.empty()) visit(ahead_.take().record);
    ahead_.clear();
  }
  bool delivers() const { return !ahead_.empty(); }

 private:
  template <class T>
  class Fed {
   public:
    bool empty() const { return next_ == items_.size(); }
    const T& front() const { return items_[next_]; }
    T take() { return items_[next_++]; }
    void clear() { items_.clear(), next_ = 0; }
    void push(const T& item) { items_.push_back(item); }

   private:
    std::vector<T> items_;
    std::size_t next_ = 0;
  };
  struct FedCompletion {
    std::uint64_t at;
    std::optional<Completion> completion;
  };
  struct FedRecord {
    isa::InstructionRecord record;
    bool single;
  };
  struct Feed {
    std::size_t left = 0;
    Fed<FedRecord> records;
    isa::Pull pending = isa::Pull::Record;  ///< the answer of the last next(), if no record
    isa::InstructionRecord pending_record;
    Fed<const isa::StaticInstruction*> texts;
    Fed<Access> accesses;
    Fed<FedCompletion> completions[2];
    Fed<PrefetchAnswer> prefetches;
    Fed<std::uint64_t> searches;
    Fed<std::pair<std::uint64_t, std::uint64_t>> first_taken;
    std::size_t updates = 0;
    Fed<std::uint64_t> samples[2];
  };

  template <class T>
  T take(Fed<T>& fed) {
    --feed_.left;
    return fed.take();
  }
  std::uint64_t checked(const BranchAnswer& answer) {
    if (answer.target >> 56 != 0) lost_ = true;
    return packed(answer);
  }
  void add(TapedCall::Kind kind, std::uint8_t detail, std::uint16_t count, std::uint64_t cycle,
           std::uint64_t argument, std::uint64_t more, std::uint64_t answer) {
    if (recording_)
      calls_.push_back(
          {kind, detail, count, static_cast<std::uint32_t>(cycle - start_), argument, more, answer});
  }
  static std::uint32_t take_straight(Fed<FedRecord>& records, std::uint64_t pc, std::uint64_t block_bytes,
                                     std::uint32_t count, isa::RecordSlots out);

  bool recording_ = false, lost_ = false;
  std::uint64_t start_ = 0, now_ = 0, head_ = 0, fetches_ = 0;
  std::vector<TapedCall> calls_;
  std::vector<isa::InstructionRecord> records_;
  std::vector<std::uint32_t> texts_;
  std::array<std::uint64_t, 256> compared_{};  // pairs of load and store compared last
  Feed feed_;
  Fed<FedRecord> ahead_;  // to be delivered before the source is called
};

}  // namespace psim::pipeline
