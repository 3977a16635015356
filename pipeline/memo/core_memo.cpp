// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/core_memo.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "pipeline/core.h"
#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

namespace {
using Kind = TapedCall::Kind;

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

CoreMemo::CoreMemo(Core& core) : core_(core), ring_(kRing + kMostWidth) {}

CoreMemo::~CoreMemo() = default;

bool CoreMemo::can_store(const Core& core) {
  return core.wake_up_.one_word() && core.window_.capacity() <= kMostWindow &&
         core.data_cache_.config().prefetch != Prefetch::Stream;
}

/// Makes the parts write on the tape, or no longer.
void CoreMemo::attach(bool on) {
  OutcomeTape* const tape = on ? &tape_ : nullptr;
  core_.tape_ = tape;
  core_.instruction_cache_.set_tape(tape, true);
  core_.data_cache_.set_tape(tape, false);
  core_.fetch_.set_tape(tape);
  core_.operands_.set_tape(tape);
  attached_ = on;
}

/// Looks for the next boundary after a pause.
void CoreMemo::wait() {
  if (core_.now_ < try_at_) return;
  attach(true);
  judged_ = core_.commit_.stats().instructions, judged_replayed_ = replayed_;
  judge_at_ = judged_ + kTrial;
}

/// Returns true if stretches may begin and end in the present state.
bool CoreMemo::eligible() const {
  const Core& c = core_;
  if (!c.transfers_.idle() || c.fetch_.ended() || c.fetch_.parked() || c.call_at_ != kNever) return false;
  if (c.recorder_ != nullptr || c.commit_.profiled()) return false;
  // Others are notified when these commit.
  for (Sequence s = c.window_.head; s < c.window_.fetched; ++s) {
    const isa::InstructionRecord& record = c.window_[s].record;
    const isa::LatencyClass latency = record.instruction->latency;
    if (record.region_marker || latency == isa::LatencyClass::BlockTransfer ||
        latency == isa::LatencyClass::TransferSync)
      return false;
  }
  bool held = true;  // by the ring, throughout a stretch
  c.operands_.committed_accesses(
      [&](Sequence s, std::uint64_t, std::uint64_t) { held &= s + kRing / 2 > c.window_.head; });
  return held;
}

/// Returns the present state of the core; valid until the next call.
std::span<const std::uint8_t> CoreMemo::present_state() {
  if (state_.empty()) state_.resize(std::size_t{1} << 15 | core_.window_.capacity() * 256);
  TimingState state(state_.data(), core_.now_, core_.window_.head);
  core_.timing_state(state);
  return {state_.data(), state.end()};
}

/// Returns the node of a state, which is new if the state has not been seen.
CoreMemo::Node* CoreMemo::node_of(std::span<const std::uint8_t> state) {
  const std::uint64_t hash = hash_of(state);
  const auto [begin, end] = nodes_.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (std::ranges::equal(at->second->state, state)) return at->second.get();
  auto node = std::make_unique<Node>();
  node->state.assign(state.begin(), state.end());
  bytes_ += state.size() + sizeof(Node) + 64;
  return nodes_.emplace(hash, std::move(node))->second.get();
}

/// Ends the stretch that is being recorded, repeats others as long as they happen, and begins to record.
void CoreMemo::at_boundary() {
  tape_.turned_back = false;
  if (tape_.feeds()) return;
  if (!eligible()) {
    tape_.end();
    from_ = nullptr;
    return;
  }
  if (tape_.recording() && core_.now_ < rec_cycle_ + kLeastCycles) return;
  if (bytes_ > kMostBytes) {
    tape_.end();
    from_ = nullptr;
    nodes_.clear();
    bytes_ = 0;
  }
  Node* node = node_of(present_state());
  if (tape_.recording()) finish(*node);
  bool moved = false;
  if (node->first != nullptr) {
    load_records();
    attach(false);
    while (Stretch* const stretch = try_stretches(*node)) {
      apply(*stretch);
      node = stretch->end;
      moved = true;
    }
    attach(true);
    if (moved) add_effects(), put_back(*node);
    if (!actual_.empty() || !samples_.empty() || pending_ != isa::Pull::Record) {
      std::vector<isa::InstructionRecord> records;
      for (std::uint64_t s = first_pulled_; s < pulled_; ++s) records.push_back(record(s));
      tape_.feed(actual_, start_, head_, start_fetches_, records, pending_, pending_record_, samples_);
      actual_.clear(), samples_.clear();
      pending_ = isa::Pull::Record;
    }
  }
  if (pauses()) return;
  begin(*node);
}

/// Decides whether remembering is worth its cost, and if not, leaves the core alone for a while.
bool CoreMemo::pauses() {
  if (tape_.feeds()) return false;
  const std::uint64_t instructions = core_.commit_.stats().instructions;
  if (instructions < judge_at_) return false;
  const std::uint64_t all = instructions - judged_, replayed = replayed_ - judged_replayed_;
  const bool good = replayed * 100 > all * kWorthwhilePercent;
  pause_ = good ? kLeastPause : std::min(pause_ * 2, kMostPause);
  judged_ = instructions, judged_replayed_ = replayed_;
  judge_at_ = instructions + kTrial;
  if (good) return false;
  try_at_ = core_.now_ + pause_;
  attach(false);
  return true;
}

/// Finds the counts that the core's stages add to: all of them but those of the caches, which stretches
/// advance themselves, and of sampled occupancies.
void CoreMemo::find_words() {
  Core& c = core_;
  std::vector<const void*> sampled;
  c.occupancies([&](statistics::Distribution& d, std::uint64_t) { sampled.push_back(&d); });
  const auto add = [&](const statistics::Group& group) {
    for (const statistics::Statistic& statistic : group.statistics()) {
      if (const auto* const count = std::get_if<const std::uint64_t*>(&statistic.source)) {
        if (*count != &c.now_) words_.push_back(const_cast<std::uint64_t*>(*count));
      } else if (const auto* const buckets = std::get_if<const statistics::Buckets*>(&statistic.source)) {
        if (std::find(sampled.begin(), sampled.end(), *buckets) != sampled.end()) continue;
        for (std::uint64_t& word : const_cast<statistics::Buckets*>(*buckets)->counts())
          words_.push_back(&word);
      }
    }
  };
  add(c.stats_), add(c.fetch_.branch_stats()), add(c.decode_.stats()), add(c.dispatch_.stats());
  add(c.pipes_.stats()), add(c.operands_.stats()), add(c.commit_.stats()), add(c.commit_.simd_stats());
  for (std::uint64_t& word : c.commit_.cpi_words()) words_.push_back(&word);
  words_.push_back(&c.stepped_);
  if (c.activity_) {
    auto* const first = reinterpret_cast<std::uint64_t*>(&c.activity_->counts);
    for (std::size_t i = 0; i < sizeof(Activity) / sizeof(std::uint64_t); ++i) words_.push_back(first + i);
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  before_.resize(words_.size());
}

/// Begins to record a stretch.
void CoreMemo::begin(Node& node) {
  Core& c = core_;
  if (words_.empty()) find_words();
  from_ = &node;
  rec_cycle_ = c.now_, rec_instructions_ = c.commit_.stats().instructions, rec_head_ = c.window_.head;
  for (std::size_t i = 0; i < words_.size(); ++i) before_[i] = *words_[i];
  occupancy_.from.clear(), occupancy_.values.clear();
  tape_.begin(c.now_, c.window_.head, c.fetch_.accesses());
  note_occupancy();
}

/// Records the entries in use after the last cycle.
void CoreMemo::note_occupancy() {
  if (tape_.calls().size() > kMostCalls) {
    tape_.end();
    from_ = nullptr;
    return;
  }
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
    o.from.push_back(static_cast<std::uint32_t>(core_.now_ - rec_cycle_));
}

/// Ends the stretch that is being recorded, in the state `end`.
void CoreMemo::finish(Node& end) {
  Core& c = core_;
  tape_.end();
  Node* const from = std::exchange(from_, nullptr);
  if (from == nullptr || tape_.lost() || from->stretches >= kMostStretches) return;
  auto stretch = std::make_unique<Stretch>();
  Stretch& s = *stretch;
  s.end = &end;
  s.cycles = static_cast<std::uint32_t>(c.now_ - rec_cycle_);
  s.instructions = static_cast<std::uint32_t>(c.commit_.stats().instructions - rec_instructions_);
  s.committed = static_cast<std::uint32_t>(c.window_.head - rec_head_);
  if (s.cycles > kMostLength || tape_.records().size() > kMostLength) return;
  s.calls = tape_.calls();
  s.records = tape_.records();
  s.occupancy = occupancy_;
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (*words_[i] != before_[i])
      s.deltas.emplace_back(static_cast<std::uint32_t>(i), *words_[i] - before_[i]);
  bytes_ += sizeof(Stretch) + s.calls.size() * sizeof(TapedCall) +
            s.records.size() * sizeof(isa::InstructionRecord) + s.deltas.size() * 16 +
            s.occupancy.from.size() * 4 + s.occupancy.values.size() * 2;
  s.next = std::move(from->first);
  from->first = std::move(stretch);
  ++from->stretches;
}

/// Takes over the records of the instructions in flight, before the core is left.
void CoreMemo::load_records() {
  Core& c = core_;
  pulled_ = c.window_.head;
  const std::uint64_t end = c.window_.fetched + c.fetch_.pulled();
  for (Sequence s = c.window_.head; s < end; ++s) {
    if (s < c.window_.fetched && c.window_[s].wrong_path) break;
    record(s) = c.window_[s].record;
    pulled_ = s + 1;
  }
  c.operands_.committed_accesses([this](Sequence s, std::uint64_t address, std::uint64_t pc) {
    record(s).address = address;
    record(s).pc = pc;
  });
  first_pulled_ = pulled_;
  start_ = c.now_;
  head_ = c.window_.head;
  fetches_ = start_fetches_ = c.fetch_.accesses();
  instructions_ = c.commit_.stats().instructions;
  sample_at_ = c.next_sample_;
  samples_.clear();
  actual_.clear();
  find_event();
}

/// Finds the next fill or sample.
void CoreMemo::find_event() {
  event_ = std::min(
      {core_.instruction_cache_.next_event_cycle(), core_.data_cache_.next_event_cycle(), sample_at_});
}

/// Returns true if the records are equal but for their addresses.
bool CoreMemo::same(const isa::InstructionRecord& a, const isa::InstructionRecord& b) {
  // All but the address, without the unused bits.
  constexpr std::uint64_t kUsed = 0x00FF'0FFF'FFFF'FFFF;
  static_assert(offsetof(isa::InstructionRecord, kind) == 32 && offsetof(isa::InstructionRecord, pes) == 38);
  std::uint64_t x, y;
  std::memcpy(&x, &a.kind, sizeof x), std::memcpy(&y, &b.kind, sizeof y);
  return ((a.pc ^ b.pc) | (a.target ^ b.target) | ((x ^ y) & kUsed)) == 0 && a.instruction == b.instruction;
}

/// Returns true if nothing else is due before the end of the stretch.
bool CoreMemo::fits(const Stretch& s) const {
  const std::uint64_t end = start_ + s.cycles;
  return end < core_.next_interval_ && end < core_.next_call_;
}

/// Returns true if the calls made so far are the first of the stretch.
bool CoreMemo::matches(const Stretch& s) const {
  if (s.calls.size() <= actual_.size() || !std::equal(actual_.begin(), actual_.end(), s.calls.begin()))
    return false;
  const std::size_t pulled = pulled_ - first_pulled_;
  if (pending_ != isa::Pull::Record || s.records.size() < pulled) return false;
  for (std::size_t i = 0; i < pulled; ++i)
    if (!same(s.records[i], ring_[(first_pulled_ + i) % kRing])) return false;
  return true;
}

/// Tries the stretches of a state. Returns the one that happens; null if none of them does.
CoreMemo::Stretch* CoreMemo::try_stretches(Node& node) {
  Stretch* before = nullptr;
  for (Stretch* s = node.first.get(); s != nullptr; before = s, s = s->next.get()) {
    if (!fits(*s)) continue;
    if (!actual_.empty() && !matches(*s)) continue;
    if (!run(*s, actual_.size())) continue;
    if (before != nullptr) {  // the one used last is tried first
      std::unique_ptr<Stretch> found = std::move(before->next);
      before->next = std::move(found->next);
      found->next = std::move(node.first);
      node.first = std::move(found);
    }
    return s;
  }
  return nullptr;
}

/// Records that the first calls of the stretch, up to number `call`, have been made, and the next one
/// differs. Returns false.
bool CoreMemo::differ(const Stretch& s, std::size_t call) {
  actual_.assign(s.calls.begin(), s.calls.begin() + static_cast<std::ptrdiff_t>(call));
  return false;
}

/// Does the same for a call that has been made as `actual`.
bool CoreMemo::differ(const Stretch& s, std::size_t call, const TapedCall& actual) {
  differ(s, call);
  actual_.push_back(actual);
  return false;
}

/// Takes the samples that are due by `cycle`.
void CoreMemo::sample_until(std::uint64_t cycle) {
  for (; sample_at_ <= cycle; sample_at_ += core_.options_.sample_cycles)
    samples_.emplace_back(static_cast<std::uint8_t>(core_.instruction_cache_.miss_registers_in_use()),
                          static_cast<std::uint8_t>(core_.data_cache_.miss_registers_in_use()));
}

/// Makes the fills and samples that are due by `cycle`, up to and including it. Advances `call` over the
/// completions. Returns false if one differs.
bool CoreMemo::pass(const Stretch& s, std::size_t& call, std::uint64_t cycle) {
  L1Cache& instructions = core_.instruction_cache_;
  L1Cache& data = core_.data_cache_;
  bool good = true;
  while (good) {
    const std::uint64_t fill = std::min(instructions.next_event_cycle(), data.next_event_cycle());
    if (sample_at_ <= std::min(fill, cycle)) {
      sample_until(std::min(fill, cycle));
      continue;
    }
    if (fill > cycle) break;
    L1Cache& cache = instructions.next_event_cycle() == fill ? instructions : data;
    const auto cycles = static_cast<std::uint32_t>(fill - start_);
    const auto happened = [&](const TapedCall& actual) {
      if (good && call < s.calls.size() && s.calls[call] == actual) {
        ++call;
        return;
      }
      if (good) differ(s, call);
      good = false;
      actual_.push_back(actual);
    };
    cache.drain(
        fill,
        [&](const Completion& c) {
          const std::uint64_t access = c.kind == AccessKind::Fetch           ? c.token - start_fetches_
                                       : c.token == OutcomeTape::kStoreToken ? kNever
                                                                             : c.token - head_;
          happened({Kind::Completion, static_cast<std::uint8_t>(c.kind), 0, cycles, access, 0,
                    packed(c.level, c.cycle, fill)});
        },
        [&] {
          happened({Kind::Fill, &cache == &instructions, 0, cycles});
        });
  }
  find_event();
  return good;
}

/// Pulls records. Returns false if they differ.
bool CoreMemo::pull(const Stretch& s, const TapedCall& call, std::size_t index) {
  const std::uint64_t cycle = start_ + call.cycle;
  isa::InstructionSource& source = core_.fetch_.source();
  const isa::InstructionRecord* expected = &s.records[pulled_ - first_pulled_];
  std::uint32_t done = 0;
  bool good = true;
  while (done < call.count && good) {
    const std::size_t at = pulled_ % kRing;
    const bool anywhere = done == 0 && call.detail;
    std::uint32_t count = std::min<std::uint32_t>(call.count - done, kMostWidth);
    // Exactly what the fetch unit would request: at its next request another thread may run.
    const bool exactly = anywhere && source.has_threads();
    if (exactly)
      count = std::min(static_cast<std::uint32_t>(call.more),
                       static_cast<std::uint32_t>(core_.window_.capacity() - core_.window_.index(pulled_)));
    const std::uint64_t pc = anywhere ? isa::InstructionSource::kAnyPc : expected[done].pc;
    const std::uint32_t got =
        source.next_straight(cycle, pc, call.argument, count, {&ring_[at], sizeof(isa::InstructionRecord)});
    for (std::uint32_t i = 0; i < got; ++i)
      good &= done + i < call.count && same(ring_[at + i], expected[done + i]);
    for (std::size_t i = kRing; i < at + got; ++i) ring_[i - kRing] = ring_[i];
    done += got;
    pulled_ += got;
    if (got == 0 || exactly) break;
  }
  if (good && done == call.count) return true;
  if (done == 0) return differ(s, index);
  TapedCall actual = call;
  actual.count = static_cast<std::uint16_t>(done);
  return differ(s, index, actual);
}

/// Pulls a record by itself. Returns false if it differs.
bool CoreMemo::next(const Stretch& s, const TapedCall& call, std::size_t index) {
  isa::InstructionRecord& out = record(pulled_);
  const isa::Pull pull = core_.fetch_.source().next(start_ + call.cycle, call.detail, out);
  if (pull != isa::Pull::Record) {
    pending_ = pull;
    pending_record_ = out;
    return differ(s, index);
  }
  const bool good = same(out, s.records[pulled_ - first_pulled_]);
  ++pulled_;
  return good || differ(s, index, call);
}

/// Makes the calls of the stretch from number `i` on, as long as their answers are the same.
bool CoreMemo::run(const Stretch& s, std::size_t i) {
  L1Cache& instructions = core_.instruction_cache_;
  L1Cache& data = core_.data_cache_;
  BranchHistory& history = core_.fetch_.history();
  const std::size_t end = s.calls.size();
  while (i < end) {
    const TapedCall& call = s.calls[i];
    const std::uint64_t cycle = start_ + call.cycle;
    if (event_ <= cycle) {
      if (!pass(s, i, cycle)) return false;
      continue;
    }
    std::uint64_t answer = call.answer;
    switch (call.kind) {
      case Kind::Pull:
        if (!pull(s, call, i)) return false;
        break;
      case Kind::Next:
        if (!next(s, call, i)) return false;
        break;
      case Kind::Text:
        answer = reinterpret_cast<std::uint64_t>(core_.fetch_.source().text(call.argument, call.detail));
        break;
      case Kind::Fetch: {
        const Access a =
            instructions.access(call.argument, call.count, AccessKind::Fetch, cycle, ++fetches_, call.detail);
        answer = packed(a, cycle);
        if (a.outcome != Outcome::Hit) find_event();
        break;
      }
      case Kind::Access: {
        const std::uint64_t subject = head_ + call.argument;
        const std::uint64_t token = call.more == 2 ? OutcomeTape::kStoreToken : call.more == 1 ? subject : 0;
        const Access a =
            data.access(record(subject).address, call.count, static_cast<AccessKind>(call.detail & 15), cycle,
                        token, call.detail >> 4);
        answer = packed(a, cycle);
        if (a.outcome != Outcome::Hit) find_event();
        break;
      }
      case Kind::Completion:
      case Kind::Fill:  // it has not come
        return differ(s, i);
      case Kind::Prefetch: {
        const PrefetchAnswer a = instructions.prefetch(call.argument, AccessKind::Fetch, cycle);
        answer = static_cast<std::uint64_t>(a);
        if (a != PrefetchAnswer::Present) find_event();
        break;
      }
      case Kind::Search:
        answer = packed(history.search(call.argument));
        break;
      case Kind::FirstTaken: {
        BranchHistory::Answer found;
        const std::uint64_t taken_end = call.argument + call.count;
        const std::uint64_t at = history.first_taken(call.argument, taken_end, found);
        answer = at == taken_end ? 0 : packed(found);
        if (at != call.more) {
          TapedCall actual = call;
          actual.more = at, actual.answer = answer;
          return differ(s, i, actual);
        }
        break;
      }
      case Kind::Update:
        history.update(call.argument, static_cast<isa::BranchKind>(call.detail), call.count, call.more);
        break;
      case Kind::Compare:
        answer = overlap(record(head_ + call.argument).address, call.detail,
                         record(head_ + call.more).address, call.count);
        break;
    }
    if (answer != call.answer) {
      TapedCall actual = call;
      actual.answer = answer;
      return differ(s, i, actual);
    }
    ++i;
  }
  const std::uint64_t last = start_ + s.cycles;
  if (event_ <= last) {
    std::size_t call = i;
    if (!pass(s, call, last - 1)) return false;
    if (sample_at_ <= last) sample_until(last), find_event();
  }
  return true;
}

/// Takes over the end of a stretch that has happened.
void CoreMemo::apply(Stretch& s) {
  if (s.uses++ == 0) used_.push_back(&s);
  if (!samples_.empty()) {
    std::uint64_t at = sample_at_ - samples_.size() * core_.options_.sample_cycles;
    for (const auto& [instruction, data] : samples_) {
      const std::uint64_t since = at - start_;
      const Occupancy& o = s.occupancy;
      const auto after = std::upper_bound(o.from.begin(), o.from.end(), since);
      std::size_t n =
          static_cast<std::size_t>(after - o.from.begin() - 1) * (o.values.size() / o.from.size());
      core_.occupancies([&](statistics::Distribution& d, std::uint64_t) { d.add(o.values[n++]); });
      core_.instruction_cache_.add_sample(instruction);
      core_.data_cache_.add_sample(data);
      at += core_.options_.sample_cycles;
    }
    samples_.clear();
    core_.next_sample_ = sample_at_;
  }
  actual_.clear();
  start_ += s.cycles;
  head_ += s.committed;
  first_pulled_ = pulled_;
  start_fetches_ = fetches_;
  instructions_ += s.instructions;
  replayed_ += s.instructions;
}

/// Adds the effects of the stretches used.
void CoreMemo::add_effects() {
  for (Stretch* const s : used_) {
    for (const auto& [word, delta] : s->deltas) *words_[word] += delta * s->uses;
    s->uses = 0;
  }
  used_.clear();
}

/// Puts the state into the core.
void CoreMemo::put_back(const Node& node) {
  Core& c = core_;
  c.now_ = start_;
  c.find_next_stop();
  TimingState state(std::span<const std::uint8_t>(node.state), start_, head_);
  c.timing_state(state);
  const std::uint64_t end = c.window_.fetched + c.fetch_.pulled();
  for (Sequence s = head_; s < end; ++s) {
    if (s < c.window_.fetched && c.window_[s].wrong_path) continue;
    c.window_[s].record = record(s);
  }
  c.operands_.address_stores([&](Sequence s) -> const isa::InstructionRecord& {
    return s >= head_ ? c.window_[s].record : record(s);
  });
  c.fetch_.set_accesses(start_fetches_);
  c.progress_ = c.transfers_.requests() + c.instruction_cache_.stats().prefetch_lookups +
                c.data_cache_.stats().prefetch_lookups;
  c.busy_ = 0;
}

}  // namespace psim::pipeline
