// SPDX-License-Identifier: Apache-2.0
#include "pipeline/simd/transfer_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

namespace psim::pipeline {

TransferUnit::TransferUnit(const SimdTiming& config, std::uint32_t line_bytes, InFlightRing& window)
    : window_(window),
      line_bytes_(line_bytes),
      most_requests_(config.transfer_requests),
      transfers_(config.transfers) {
  answers_.reserve(most_requests_);
}

void TransferUnit::begin(const isa::BlockTransfer& transfer, std::uint64_t now) {
  if (!memory_) throw std::logic_error("a block transfer on a core without SIMD-PEs");
  if (used_ == 0) busy_from_ = now;
  Transfer& t = transfers_[slot(first_ + used_++)];
  t = {LineWalk(transfer, line_bytes_), 0, static_cast<std::uint8_t>(transfer.tag % kTags), transfer.put,
       now};
  ++with_tag_[t.tag];
  ++(t.put ? stats_.puts : stats_.gets);
  (t.put ? stats_.bytes_written : stats_.bytes_read) +=
      std::uint64_t{transfer.row_bytes} * transfer.rows * static_cast<unsigned>(std::popcount(transfer.pes));
  retire(now);  // a transfer may move nothing
}

void TransferUnit::served(std::uint32_t transfer, std::uint64_t cycle) {
  answers_.push_back({cycle, transfer});
  std::push_heap(answers_.begin(), answers_.end(), std::greater<>{});
}

bool TransferUnit::step(std::uint64_t now) {
  bool active = take_answers(now);
  if (sending_ != first_ + used_) active |= send(now);
  if (sync_) active |= end_sync(now);
  return active;
}

bool TransferUnit::take_answers(std::uint64_t now) {
  bool active = false;
  while (!answers_.empty() && answers_.front().cycle <= now) {
    --transfers_[answers_.front().transfer].outstanding;
    --in_flight_;
    std::pop_heap(answers_.begin(), answers_.end(), std::greater<>{});
    answers_.pop_back();
    active = true;
  }
  if (active) retire(now);
  return active;
}

/// Removes transfers, in order of their numbers, once they have nothing left to send or await.
void TransferUnit::retire(std::uint64_t now) {
  while (sending_ != first_ + used_ && transfers_[slot(sending_)].walk.done()) ++sending_;
  for (std::uint64_t n = first_; n != sending_; ++n) {
    Transfer& t = transfers_[slot(n)];
    if (t.outstanding == 0 && t.tag != kTags) {
      --with_tag_[t.tag];
      t.tag = kTags;  // ended
      stats_.duration.add(now - t.begun);
    }
  }
  if (used_ == 0) return;
  while (used_ && first_ != sending_ && transfers_[slot(first_)].tag == kTags) ++first_, --used_;
  if (used_ == 0) stats_.busy_cycles += now - busy_from_;
}

bool TransferUnit::send(std::uint64_t now) {
  if (in_flight_ == most_requests_) return false;
  Transfer& t = transfers_[slot(sending_)];
  ++t.outstanding;
  ++in_flight_;
  ++stats_.requests;
  const std::uint64_t line = t.walk.take();
  const std::uint32_t user = slot(sending_);
  if (t.walk.done()) retire(now);
  memory_->request(line, t.put, now, user);
  return true;
}

bool TransferUnit::waited_for() const {
  for (std::uint32_t tag = 0; tag < kTags; ++tag)
    if ((sync_tags_ >> tag & 1) && with_tag_[tag]) return true;
  return false;
}

bool TransferUnit::end_sync(std::uint64_t now) {
  if (waited_for()) return false;
  window_[sync_].done = now;
  sync_ = 0;
  return true;
}

std::uint64_t TransferUnit::next_event(std::uint64_t now) const {
  if (sync_ && !waited_for()) return now + 1;
  if (sending_ != first_ + used_ && in_flight_ < most_requests_) return now + 1;
  return answers_.empty() ? kNever : std::max(answers_.front().cycle, now + 1);
}

std::string TransferUnit::describe() const {
  return fmt::format("transfers: {} of {} under way, {} lines requested{}", used_, transfers_.size(),
                     in_flight_,
                     sync_ ? fmt::format("; sbmsync {} waits for tags {:#x}", sync_, sync_tags_) : "");
}

}  // namespace psim::pipeline
