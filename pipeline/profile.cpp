// SPDX-License-Identifier: Apache-2.0
#include "pipeline/profile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace psim::pipeline {

namespace {
constexpr std::size_t kBasePart = static_cast<std::size_t>(CpiPart::Base);
}

ProfileCounts& ProfileCounts::operator+=(const ProfileCounts& other) {
  cycles += other.cycles;
  instructions += other.instructions;
  l1i_misses += other.l1i_misses;
  l1d_misses += other.l1d_misses;
  l2_misses += other.l2_misses;
  mispredictions += other.mispredictions;
  store_l1d_misses += other.store_l1d_misses;
  store_l2_misses += other.store_l2_misses;
  return *this;
}

void Profile::Sums::add_difference(const Sums& from, const Sums& to) {
  shares += to.shares - from.shares;
  instructions += to.instructions - from.instructions;
  l1i_misses += to.l1i_misses - from.l1i_misses;
  l1d_misses += to.l1d_misses - from.l1d_misses;
  l2_misses += to.l2_misses - from.l2_misses;
  mispredictions += to.mispredictions - from.mispredictions;
  store_l1d_misses += to.store_l1d_misses - from.store_l1d_misses;
  store_l2_misses += to.store_l2_misses - from.store_l2_misses;
}

ProfileCounts Profile::Sums::counts() const {
  return {(shares + kShares / 2) / kShares,
          instructions,
          l1i_misses,
          l1d_misses,
          l2_misses,
          mispredictions,
          store_l1d_misses,
          store_l2_misses};
}

Profile::Profile() : slots_(kSlots), calls_(1) {}

void Profile::find_page(Slot& slot, std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (!page) page = std::make_unique<Page>();
  slot = {number, page.get()};
}

void Profile::after_branch(std::uint64_t cycles) {
  mispredicted_->cpi[static_cast<std::size_t>(CpiPart::Branch)] += cycles;
  sums_.shares += cycles * kShares;
}

/// Charges the cycles in which the core waited for the instruction of `row`.
void Profile::settle(Row& row, Level level) {
  if (waited_ & kLine) {
    waited(level == Level::L2 ? CpiPart::L2 : CpiPart::Memory, missing_, false);
    missing_ = 0;
  }
  for (std::uint32_t parts = waited_ & ~kLine; parts != 0; parts &= parts - 1) {
    const auto part = static_cast<std::size_t>(std::countr_zero(parts));
    row.cpi[part] += waiting_[part];
    sums_.shares += waiting_[part] * kShares;
    waiting_[part] = 0;
  }
  waited_ = 0;
}

void Profile::committed(const InFlightRing& window, Sequence first, std::uint32_t count,
                        std::uint32_t special) {
  static constexpr auto kShareOf = [] {
    std::array<std::uint64_t, kMostCommitted + 1> shares{};
    for (std::size_t n = 1; n < shares.size(); ++n) shares[n] = kShares / n;
    return shares;
  }();
  const std::uint64_t share = kShareOf[count];
  const InFlight* e = &window[first];
  const InFlight *const begin = &window[0], *const end = begin + window.capacity();
  if (waited_ != 0) {
    if (e->record.pc == arrives_at_) arrive(e->record.pc);
    settle(row_of(e->record.pc), e->level);
  }
  std::uint64_t shares = 0, instructions = 0;  // not yet in sums_
  Row* row = nullptr;
  for (; count != 0; --count, special >>= 1) {
    const std::uint64_t pc = e->record.pc;
    if (pc == arrives_at_) [[unlikely]] {
      sums_.shares += std::exchange(shares, 0);
      sums_.instructions += std::exchange(instructions, 0);
      arrive(pc);
    }
    row = &row_of(pc);
    row->cpi[kBasePart] += share;
    shares += share;
    if (((special & 1) != 0 || e->fetch_missed) && is_rare(*e)) [[unlikely]]
      count_rare(*row, *e);
    if (e->record.kind == isa::RecordKind::Instruction) {
      ++row->instructions;
      ++instructions;
      if (row->word == 0) [[unlikely]]
        row->word = e->record.instruction->word;
    }
    if (++e == end) e = begin;
  }
  sums_.shares += shares;
  sums_.instructions += instructions;
  last_ = row;
}

void Profile::store_missed(std::uint64_t pc, bool from_memory) {
  StoreMisses& misses = page_of(pc).stores[(pc >> 2) % kPageInstructions];
  ++misses.l1d, ++sums_.store_l1d_misses;
  misses.l2 += from_memory, sums_.store_l2_misses += from_memory;
}

void Profile::count_rare(Row& row, const InFlight& e) {
  const bool l1d = e.level != Level::L1, l2 = e.level == Level::Memory;
  row.l1d_misses += l1d, sums_.l1d_misses += l1d;
  row.l2_misses += l2, sums_.l2_misses += l2;
  row.l1i_misses += e.fetch_missed, sums_.l1i_misses += e.fetch_missed;
  if (e.record.kind != isa::RecordKind::Instruction) return;
  if (e.mispredicted) {
    ++row.mispredictions, ++sums_.mispredictions;
    mispredicted_ = &row;
  }
  const isa::BranchKind branch = e.record.instruction->branch;
  if (branch == isa::BranchKind::None) return;
  tail_ = branch != isa::BranchKind::Call && branch != isa::BranchKind::Return;
  if (tail_ && (!e.record.taken || !tail_call(e.record.pc, e.record.target))) return;
  calling_ = branch != isa::BranchKind::Return;
  arrives_at_ = e.record.target;
  if (!calling_) return;
  call_site_ = e.record.pc;
  returns_to_ = e.record.pc + 8;
  if (arrives_at_ == returns_to_) arrives_at_ = kNoAddress;  // reads its own address
}

/// Returns whether a jump leaves its function for the first instruction of another.
bool Profile::tail_call(std::uint64_t from, std::uint64_t to) {
  if (ranges_.empty()) return false;
  const auto range_of = [this](std::uint64_t pc) {
    const auto next =
        std::upper_bound(ranges_.begin(), ranges_.end(), pc,
                         [](std::uint64_t address, const FunctionRange& f) { return address < f.begin; });
    if (next == ranges_.begin() || pc >= std::prev(next)->end) return FunctionRange{};
    return *std::prev(next);
  };
  if (!here_.contains(from)) here_ = range_of(from);
  if (here_.end == 0 || here_.contains(to)) return false;
  return range_of(to).begin == to;
}

/// Records that the instruction after the delay slot of a call or return commits.
void Profile::arrive(std::uint64_t pc) {
  arrives_at_ = kNoAddress;
  if (calling_) return enter(pc);
  // The frames above that of the return were left by longjmp() or an exception.
  const std::size_t searched = std::min(frames_.size(), kSearchedFrames);
  for (std::size_t i = 1; i <= searched; ++i) {
    if (frames_[frames_.size() - i].returns_to != pc) continue;
    // Tail calls return for their callers, too.
    for (bool tail = false; i != 0 || (tail && !frames_.empty()); i -= i != 0) {
      tail = frames_.back().tail;
      close(frames_.back());
      frames_.pop_back();
    }
    return;
  }
}

std::uint32_t Profile::call_of(std::uint64_t site, std::uint64_t entry) {
  std::uint32_t& first = row_of(site).first_call;
  for (std::uint32_t i = first; i != 0; i = calls_[i].next)
    if (callees_[calls_[i].callee].entry == entry) return i;
  const auto [found, added] = callee_at_.try_emplace(entry, static_cast<std::uint32_t>(callees_.size()));
  if (added) callees_.push_back({entry, 0, 0, {}});
  calls_.push_back({site, found->second, first, 0, 0, {}});
  return first = static_cast<std::uint32_t>(calls_.size() - 1);
}

void Profile::enter(std::uint64_t entry) {
  const std::uint32_t index = call_of(call_site_, entry);
  Call& call = calls_[index];
  Callee& callee = callees_[call.callee];
  ++call.calls;
  ++callee.calls;
  if (frames_.size() == kMostFrames) return;
  if (tail_) {
    // Functions that jump to each other in a loop add no frame each time.
    const std::size_t searched = std::min(frames_.size(), kSearchedFrames);
    for (std::size_t i = 1; i <= searched && frames_[frames_.size() - i].tail; ++i)
      if (frames_[frames_.size() - i].call == index) return;
    returns_to_ = frames_.empty() ? kNoAddress : frames_.back().returns_to;
  }
  ++call.open;
  ++callee.open;
  frames_.push_back({returns_to_, index, tail_, sums_});
}

void Profile::close(const Frame& frame) {
  Call& call = calls_[frame.call];
  Callee& callee = callees_[call.callee];
  if (--call.open == 0) call.inclusive.add_difference(frame.start, sums_);
  if (--callee.open == 0) callee.inclusive.add_difference(frame.start, sums_);
}

void Profile::finish() {
  if (last_ != nullptr) settle(*last_, Level::Memory);
  for (; !frames_.empty(); frames_.pop_back()) close(frames_.back());
}

std::vector<ProfiledInstruction> Profile::instructions() const {
  std::vector<ProfiledInstruction> all;
  std::uint64_t shares = 0;  // shares left after rounding to whole cycles
  for (const auto& [number, page] : pages_)
    for (std::size_t i = 0; i < kPageInstructions; ++i) {
      const Row& row = page->rows[i];
      if (row.instructions == 0 && std::ranges::all_of(row.cpi, [](std::uint64_t n) { return n == 0; }))
        continue;
      ProfiledInstruction one{(number << kPageBits) + 4 * i,
                              row.word,
                              {0, row.instructions, row.l1i_misses, row.l1d_misses, row.l2_misses,
                               row.mispredictions, page->stores[i].l1d, page->stores[i].l2},
                              row.cpi};
      shares += row.cpi[kBasePart];
      one.cpi[kBasePart] = shares / kShares;
      shares %= kShares;
      one.counts.cycles = std::accumulate(one.cpi.begin(), one.cpi.end(), std::uint64_t{0});
      if (one.counts.cycles != 0 || row.instructions != 0) all.push_back(one);
    }
  return all;
}

std::vector<ProfiledCall> Profile::calls() const {
  std::vector<ProfiledCall> all;
  for (std::size_t i = 1; i < calls_.size(); ++i)
    all.push_back(
        {calls_[i].site, callees_[calls_[i].callee].entry, calls_[i].calls, calls_[i].inclusive.counts()});
  std::sort(all.begin(), all.end(), [](const ProfiledCall& a, const ProfiledCall& b) {
    return std::tie(a.caller, a.callee) < std::tie(b.caller, b.callee);
  });
  return all;
}

std::vector<ProfiledFunction> Profile::functions() const {
  std::vector<ProfiledFunction> all;
  for (const auto& [entry, index] : callee_at_)
    all.push_back({entry, callees_[index].calls, callees_[index].inclusive.counts()});
  return all;
}

}  // namespace psim::pipeline
