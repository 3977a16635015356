// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/outcome_tape.h"

namespace psim::pipeline {

namespace {
using Kind = TapedCall::Kind;

/// Returns true if the timing of the instruction depends only on the taped answers.
bool recordable(const isa::InstructionRecord& r) {
  const isa::StaticInstruction& si = *r.instruction;
  return !si.timed && !r.region_marker && !r.simd && !r.sbm && !si.simd && !si.pe_data &&
         si.latency != isa::LatencyClass::BlockTransfer && si.latency != isa::LatencyClass::TransferSync;
}
}  // namespace

std::uint64_t packed(const Access& a, std::uint64_t cycle) {
  return static_cast<std::uint64_t>(a.outcome) | static_cast<std::uint64_t>(a.refusal) << 2 |
         (a.cycle == kNever ? 0 : a.cycle - cycle + 1) << 5;
}

Access unpacked_access(std::uint64_t word, std::uint64_t cycle) {
  const std::uint64_t later = word >> 5;
  return {static_cast<Outcome>(word & 3), static_cast<Refusal>(word >> 2 & 7), false,
          later == 0 ? kNever : cycle + later - 1};
}

void OutcomeTape::begin(std::uint64_t now, std::uint64_t head, std::uint64_t fetches) {
  calls_.clear(), records_.clear(), texts_.clear(), compared_.fill(0);
  start_ = now_ = now, head_ = head, fetches_ = fetches;
  recording_ = true, lost_ = false;
}

std::uint32_t OutcomeTape::take_straight(Fed<FedRecord>& records, std::uint64_t pc, std::uint64_t block_bytes,
                                         std::uint32_t count, isa::RecordSlots out) {
  std::uint32_t done = 0;
  while (done < count && !records.empty() && !records.front().single) {
    const isa::InstructionRecord& record = records.front().record;
    if (done == 0 ? pc != isa::InstructionSource::kAnyPc && record.pc != pc
                  : record.pc != out[done - 1].pc + 4 || (record.pc ^ out[0].pc) >= block_bytes ||
                        out[done - 1].instruction->branch != isa::BranchKind::None)
      break;
    out[done++] = records.take().record;
  }
  return done;
}

std::uint32_t OutcomeTape::next_straight(isa::InstructionSource& source, std::uint64_t cycle,
                                         std::uint64_t pc, std::uint64_t block_bytes, std::uint32_t count,
                                         std::uint32_t requested, isa::RecordSlots out) {
  std::uint32_t pulled = 0;
  // Records of one address are one call, whether the source delivers them at once or has delivered some
  // before. Of those at any address, a source may deliver one by one what must not be executed before it is
  // fetched.
  const auto next_pc = [&] { return pulled == 0 ? pc : out[pulled - 1].pc + 4; };
  const auto goes_on = [&] {
    return pulled == 0 || (pulled < count && pc != isa::InstructionSource::kAnyPc && !source.has_threads() &&
                           out[pulled - 1].instruction->branch == isa::BranchKind::None &&
                           (next_pc() ^ out[0].pc) < block_bytes);
  };
  const auto rest = [&] { return isa::RecordSlots{&out[pulled], out.stride}; };
  const bool fed = !feed_.records.empty() || feed_.pending != isa::Pull::Record;
  if (fed) {
    pulled = take_straight(feed_.records, pc, block_bytes, count, out);
    feed_.left -= pulled;
  }
  const bool all_fed = feed_.records.empty() && feed_.pending == isa::Pull::Record;
  if (all_fed && !ahead_.empty() && goes_on())
    pulled += take_straight(ahead_, next_pc(), block_bytes, count - pulled, rest());
  while (all_fed && ahead_.empty() && goes_on()) {
    const std::uint32_t more = source.next_straight(cycle, next_pc(), block_bytes, count - pulled, rest());
    if (more == 0) break;
    pulled += more;
  }
  if (!recording_ || pulled == 0) return pulled;
  const auto at = static_cast<std::uint32_t>(cycle - start_);
  const bool joins = !calls_.empty() && calls_.back().kind == Kind::Pull && calls_.back().cycle == at &&
                     (!calls_.back().detail || !source.has_threads()) &&
                     records_.back().pc + 4 == out[0].pc &&
                     records_.back().instruction->branch == isa::BranchKind::None;
  const bool anywhere = pc == isa::InstructionSource::kAnyPc;
  if (!joins) add(Kind::Pull, anywhere, 0, cycle, block_bytes, anywhere ? requested : 0, 0);
  calls_.back().count = static_cast<std::uint16_t>(calls_.back().count + pulled);
  for (std::uint32_t i = 0; i < pulled; ++i) {
    records_.push_back(out[i]);
    if (!recordable(out[i])) lost_ = true;
  }
  return pulled;
}

isa::Pull OutcomeTape::next(isa::InstructionSource& source, std::uint64_t cycle, bool oldest,
                            isa::InstructionRecord& out) {
  isa::Pull pull = isa::Pull::Record;
  if (!feed_.records.empty()) {
    out = take(feed_.records).record;
  } else if (feed_.pending != isa::Pull::Record) {
    --feed_.left;
    pull = std::exchange(feed_.pending, isa::Pull::Record);
    out = feed_.pending_record;
  } else if (!ahead_.empty()) {
    out = ahead_.take().record;
  } else {
    pull = source.next(cycle, oldest, out);
  }
  if (pull != isa::Pull::Record || !recordable(out)) lost_ = true;
  if (!recording_ || lost_) return pull;
  add(Kind::Next, oldest, 1, cycle, 0, 0, 0);
  records_.push_back(out);
  return pull;
}

const isa::StaticInstruction* OutcomeTape::text(isa::InstructionSource& source, std::uint64_t pc, bool simd) {
  const isa::StaticInstruction* const found = feed_.texts.empty() ? source.text(pc, simd) : take(feed_.texts);
  if (recording_ && (texts_.empty() || texts_.back() != records_.size()))
    texts_.push_back(static_cast<std::uint32_t>(records_.size()));
  add(Kind::Text, simd, 0, now_, pc, 0, reinterpret_cast<std::uint64_t>(found));
  return found;
}

void OutcomeTape::accessed(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint64_t cycle,
                           std::uint64_t token, bool translated, const Access& answer) {
  if (kind == AccessKind::Fetch)
    add(Kind::Fetch, translated, static_cast<std::uint16_t>(bytes), cycle, address, 0, packed(answer, cycle));
  else
    add(Kind::Access, static_cast<std::uint8_t>(static_cast<unsigned>(kind) | translated << 4),
        static_cast<std::uint16_t>(bytes), cycle, subject - head_, token == kStoreToken ? 2 : token != 0,
        packed(answer, cycle));
}

void OutcomeTape::completed(std::uint64_t cycle, const Completion& c) {
  const std::uint64_t access = c.kind == AccessKind::Fetch ? c.token - fetches_
                               : c.token == kStoreToken    ? kNever
                                                           : c.token - head_;
  add(Kind::Completion, static_cast<std::uint8_t>(c.kind), 0, cycle, access, 0,
      packed(c.level, c.cycle, cycle));
}

void OutcomeTape::feed(const std::vector<TapedCall>& calls, std::uint64_t start, std::uint64_t head,
                       std::uint64_t fetches, const std::vector<isa::InstructionRecord>& records,
                       isa::Pull pending, const isa::InstructionRecord& pending_record,
                       const std::vector<std::pair<std::uint8_t, std::uint8_t>>& samples) {
  Feed& f = feed_;
  f.records.clear(), f.texts.clear(), f.accesses.clear(), f.completions[0].clear(), f.completions[1].clear();
  f.prefetches.clear(), f.searches.clear(), f.first_taken.clear(), f.samples[0].clear(), f.samples[1].clear();
  f.updates = f.left = 0;
  f.pending = pending, f.pending_record = pending_record;
  f.left += pending != isa::Pull::Record;
  std::size_t record = 0;
  for (const TapedCall& call : calls) {
    const std::uint64_t cycle = start + call.cycle;
    ++f.left;
    switch (call.kind) {
      case Kind::Pull:
      case Kind::Next:
        for (unsigned n = 0; n < call.count; ++n)
          f.records.push({records[record++], call.kind == Kind::Next});
        f.left += call.count - 1u;
        break;
      case Kind::Text:
        f.texts.push(reinterpret_cast<const isa::StaticInstruction*>(call.answer));
        break;
      case Kind::Fetch:
      case Kind::Access:
        f.accesses.push(unpacked_access(call.answer, cycle));
        break;
      case Kind::Completion: {
        const auto kind = static_cast<AccessKind>(call.detail);
        const bool fetch = kind == AccessKind::Fetch;
        f.completions[fetch].push(
            {cycle, Completion{fetch                     ? fetches + call.argument
                               : call.argument == kNever ? kStoreToken
                                                         : head + call.argument,
                               cycle + (call.answer >> 8), static_cast<Level>(call.answer & 255), kind}});
        break;
      }
      case Kind::Fill:
        f.completions[call.detail].push({cycle, std::nullopt});
        break;
      case Kind::Prefetch:
        f.prefetches.push(static_cast<PrefetchAnswer>(call.answer));
        break;
      case Kind::Search:
        f.searches.push(call.answer);
        break;
      case Kind::FirstTaken:
        f.first_taken.push({call.more, call.answer});
        break;
      case Kind::Update:
        ++f.updates;
        break;
      case Kind::Compare:  // derived from the records
        --f.left;
        break;
    }
  }
  for (const auto& [instruction, data] : samples)
    f.samples[true].push(instruction), f.samples[false].push(data);
}

}  // namespace psim::pipeline
