// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/stretch_replay.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>

#include "pipeline/core.h"
#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

namespace {
using Kind = TapedCall::Kind;
}

void StretchReplay::enter(OutcomeTape& tape) {
  Core& c = core_;
  if (ring_.empty()) ring_.resize(kRing + kMostWidth);
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
  taken_ = checked_ = 0;
  tape.take_undelivered([this](const isa::InstructionRecord& ahead) { record(pulled_++) = ahead; });
  start_ = c.now_;
  head_ = c.window_.head;
  fetches_ = start_fetches_ = c.fetch_.accesses();
  sample_at_ = c.next_sample_;
  samples_.clear();
  actual_.clear();
  find_event();
}

/// Finds the next fill or sample.
void StretchReplay::find_event() {
  event_ = std::min(
      {core_.instruction_cache_.next_event_cycle(), core_.data_cache_.next_event_cycle(), sample_at_});
}

/// Returns true if nothing else is due before the end of the stretch, and its cycles end by `last`.
bool StretchReplay::fits(const Stretch& s, std::uint64_t last) {
  const std::uint64_t end = start_ + s.cycles;
  if (end - 1 > last) left_out_ = true;
  return end - 1 <= last && end < core_.next_interval_ && end < core_.next_call_;
}

/// Returns true if the calls made so far are the first of the stretch.
bool StretchReplay::matches(const Stretch& s) const {
  // The core makes another call in the cycle of the one that was refused.
  if (s.calls.size() < actual_.size() + !answered_ ||
      !std::equal(actual_.begin(), actual_.end(), s.calls.begin()))
    return false;
  if (pending_ != isa::Pull::Record || s.records.size() < taken_ || core_.call_at_ != kNever) return false;
  for (std::size_t i = 0; i < taken_; ++i)
    if (!same_path(s.records[i], ring_[(first_pulled_ + i) % kRing])) return false;
  return true;
}

Stretch* StretchReplay::repeat(StoredState& state, const StretchTable::Entries& entries, std::uint64_t last) {
  left_out_ = false;
  fork_ = {};
  Stretch* s = state.first;
  if (s != nullptr && !fits(*s, last))
    for (s = state.all.get(); s != nullptr && !fits(*s, last); s = s->next.get()) {
    }
  if (s == nullptr) return nullptr;
  StretchTable::Forks::const_iterator at, end;  // stretches that begin with the calls made
  for (;;) {
    checked_ = taken_;
    if (run(*s, actual_.size())) {
      state.first = s;
      apply(*s);
      return s;
    }
    const std::uint64_t made = key(state);
    if (fork_.tried == nullptr || made != fork_.key) std::tie(at, end) = entries.forks.equal_range(made);
    fork_ = {s, actual_.size(), made};
    at = std::find_if(at, end, [&](const auto& entry) {
      return entry.second != s && matches(*entry.second) && fits(*entry.second, last);
    });
    if (at == end) return nullptr;
    s = (at++)->second;
  }
}

/// Records that the first calls of the stretch, up to number `call`, have been made, and the next one
/// differs. Returns false.
bool StretchReplay::differ(const Stretch& s, std::size_t call) {
  actual_.assign(s.calls.begin(), s.calls.begin() + static_cast<std::ptrdiff_t>(call));
  answered_ = false;
  return false;
}

/// Does the same for a call that has been made as `actual`.
bool StretchReplay::differ(const Stretch& s, std::size_t call, const TapedCall& actual) {
  differ(s, call);
  actual_.push_back(actual);
  answered_ = true;
  return false;
}

/// Takes the samples that are due by `cycle`.
void StretchReplay::sample_until(std::uint64_t cycle) {
  for (; sample_at_ <= cycle; sample_at_ += core_.options_.sample_cycles)
    samples_.emplace_back(static_cast<std::uint8_t>(core_.instruction_cache_.miss_registers_in_use()),
                          static_cast<std::uint8_t>(core_.data_cache_.miss_registers_in_use()));
}

/// Makes the fills and samples that are due by `cycle`, up to and including it. Advances `call` over the
/// completions. Returns false if one differs.
bool StretchReplay::pass(const Stretch& s, std::size_t& call, std::uint64_t cycle) {
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
      answered_ = true;
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

/// Pulls the next records of the stretch ahead, as long as they are as remembered. Returns their number.
std::uint32_t StretchReplay::follow(const Stretch& s, std::uint64_t cycle) {
  // Not beyond the next call of text(), which may depend on them.
  const auto text = std::upper_bound(s.texts.begin(), s.texts.end(), taken_);
  const std::size_t end = text == s.texts.end() ? s.records.size() : *text;
  const std::span<const isa::InstructionRecord> expected(&s.records[checked_], end - checked_);
  return keep(core_.fetch_.source().follow(
      cycle, expected.first(std::min<std::size_t>(expected.size(), kMostWidth)), next_slots()));
}

/// Pulls records. Returns false if they differ.
bool StretchReplay::pull(const Stretch& s, const TapedCall& call, std::size_t index) {
  const std::uint64_t cycle = start_ + call.cycle;
  isa::InstructionSource& source = core_.fetch_.source();
  const isa::InstructionRecord* expected = &s.records[taken_];
  std::uint32_t done = 0;
  bool good = true;
  while (done < call.count && good) {
    if (taken_ + done < checked_) {
      done = static_cast<std::uint32_t>(std::min<std::size_t>(call.count, checked_ - taken_));
      continue;
    }
    if (const std::uint64_t next = first_pulled_ + taken_ + done; next < pulled_) {  // for another stretch
      good = same_path(record(next), expected[done++]);
      checked_ += good;
      continue;
    }
    if (const std::uint32_t followed = follow(s, cycle); followed != 0) {
      checked_ += followed;
      continue;
    }
    const bool anywhere = done == 0 && call.detail;
    std::uint32_t count = std::min<std::uint32_t>(call.count - done, kMostWidth);
    // Exactly what the fetch unit would request: at its next request another thread may run.
    const bool exactly = anywhere && source.has_threads();
    if (exactly)
      count = std::min(static_cast<std::uint32_t>(call.more),
                       static_cast<std::uint32_t>(core_.window_.capacity() - core_.window_.index(pulled_)));
    const std::uint64_t pc = anywhere ? isa::InstructionSource::kAnyPc : expected[done].pc;
    const std::uint32_t got = keep(source.next_straight(cycle, pc, call.argument, count, next_slots()));
    for (std::uint32_t i = 0; i < got; ++i)
      good &= done + i < call.count && same_path(record(pulled_ - got + i), expected[done + i]);
    done += got;
    if (good) checked_ += got;
    if (got == 0 || exactly) break;
  }
  if (good && done == call.count) {
    taken_ += done;
    return true;
  }
  // Other records have been pulled ahead. With threads, the core must request the same number again.
  if (done == 0 || !source.has_threads()) return differ(s, index);
  taken_ += done;
  TapedCall actual = call;
  actual.count = static_cast<std::uint16_t>(done);
  return differ(s, index, actual);
}

/// Pulls a record by itself. Returns false if it differs.
bool StretchReplay::next(const Stretch& s, const TapedCall& call, std::size_t index) {
  if (first_pulled_ + taken_ != pulled_) return differ(s, index);  // it is another one
  isa::InstructionRecord& out = record(pulled_);
  const isa::Pull pull = core_.fetch_.source().next(start_ + call.cycle, call.detail, out);
  if (pull != isa::Pull::Record) {
    pending_ = pull;
    pending_record_ = out;
    return differ(s, index);
  }
  // The source may have requested to be called when the instruction commits: no stretch does so.
  const bool good = same_path(out, s.records[taken_]) && core_.call_at_ == kNever;
  ++pulled_, ++taken_, ++checked_;
  return good || differ(s, index, call);
}

/// Makes the calls of the stretch from number `i` on, as long as their answers are the same.
bool StretchReplay::run(const Stretch& s, std::size_t i) {
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
        if (taken_ + call.count <= checked_)
          taken_ += call.count;
        else if (!pull(s, call, i))
          return false;
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
        const std::uint64_t address = record(subject).address;
        const auto kind = static_cast<AccessKind>(call.detail & 15);
        if ((call.more == 2 || kind == AccessKind::PrefetchWrite) && core_.operands_.leads_to_device(address))
          return differ(s, i);
        const Access a = data.access(address, call.count, kind, cycle, token, call.detail >> 4);
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

/// Adds the samples that were due within the stretch.
void StretchReplay::take_samples(const Stretch& s) {
  if (samples_.empty()) return;
  std::uint64_t at = sample_at_ - samples_.size() * core_.options_.sample_cycles;
  for (const auto& [instruction, data] : samples_) {
    const std::uint64_t since = at - start_;
    const Occupancy& o = s.occupancy;
    const auto after = std::upper_bound(o.from.begin(), o.from.end(), since);
    std::size_t n = static_cast<std::size_t>(after - o.from.begin() - 1) * (o.values.size() / o.from.size());
    core_.occupancies([&](statistics::Distribution& d, std::uint64_t) { d.add(o.values[n++]); });
    core_.instruction_cache_.add_sample(instruction);
    core_.data_cache_.add_sample(data);
    at += core_.options_.sample_cycles;
  }
  samples_.clear();
  core_.next_sample_ = sample_at_;
}

/// Takes over the end of a stretch that has happened.
void StretchReplay::apply(Stretch& s) {
  if (s.uses++ == 0) used_.push_back(&s);
  take_samples(s);
  actual_.clear();
  start_ += s.cycles;
  head_ += s.committed;
  first_pulled_ += taken_;
  taken_ = checked_ = 0;
  start_fetches_ = fetches_;
  repeated_ += s.instructions;
}

void StretchReplay::rest() {
  for (Stretch* const s : used_) {
    counts_.add(s->deltas, s->uses);
    s->uses = 0;
  }
  used_.clear();
  core_.now_ = start_;
  core_.find_next_stop();
}

void StretchReplay::leave(const StoredState& in) {
  rest();
  Core& c = core_;
  TimingState state(std::span<const std::uint8_t>(in.bytes), start_, head_);
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

void StretchReplay::feed(OutcomeTape& tape) {
  std::vector<isa::InstructionRecord> records;
  const std::uint64_t taken = first_pulled_ + taken_;
  for (std::uint64_t s = first_pulled_; s < taken; ++s) records.push_back(record(s));
  for (std::uint64_t s = taken; s < pulled_; ++s) tape.deliver(record(s));
  tape.feed(actual_, start_, head_, start_fetches_, records, pending_, pending_record_, samples_);
  actual_.clear(), samples_.clear();
  pending_ = isa::Pull::Record;
}

}  // namespace psim::pipeline
