// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/critical_path.h"

#include <algorithm>

namespace psim::net {

CriticalPath::Chain CriticalPath::use(Chain chain) {
  if (chain != 0) ++at(chain).uses;
  return chain;
}

void CriticalPath::release(Chain chain) {
  while (chain != 0 && --at(chain).uses == 0) {
    free_.push_back(chain);
    chain = at(chain).before;
  }
}

void CriticalPath::replace(Chain& chain, Chain by) {
  release(chain);
  chain = by;
}

CriticalPath::Chain CriticalPath::follow(Chain before, const Step& step) {
  Chain chain;
  if (free_.empty()) {
    steps_.emplace_back();
    chain = static_cast<Chain>(steps_.size());
  } else {
    chain = free_.back();
    free_.pop_back();
  }
  at(chain) = {step, use(before), 1};
  return chain;
}

void CriticalPath::begin(std::uint32_t rank, std::uint64_t time) {
  replace(heads_[rank], follow(0, {.begin = 0, .end = time, .rank = rank}));
}

void CriticalPath::spent(std::uint32_t rank, std::uint64_t now, Kind kind, std::uint32_t region) {
  Chain& head = heads_[rank];
  const std::uint64_t since = at(head).step.end;
  if (now <= since) return;
  Kept& last = at(head);
  // Another user of the last step would see its end move.
  const bool same = last.uses == 1 && last.step.kind == kind && last.step.region == region &&
                    last.step.rank == rank && kind != Kind::Start && kind < Kind::Message;
  if (same) {
    last.step.end = now;
    return;
  }
  const Chain next = follow(head, {.begin = since, .end = now, .rank = rank, .region = region, .kind = kind});
  replace(head, next);
}

void CriticalPath::leave() { replace(event_, 0); }

CriticalPath::Chain CriticalPath::here(std::uint32_t rank, std::uint64_t now) {
  if (event_ != 0) return use(event_);
  spent(rank, now, Kind::Calls);
  return use(heads_[rank]);
}

void CriticalPath::woken(std::uint32_t rank, std::uint32_t by, std::uint64_t now) {
  replace(wakes_[rank], here(by, now));
}

void CriticalPath::news(std::uint32_t rank, std::uint32_t by, std::uint64_t now) {
  replace(news_[rank], here(by, now));
}

void CriticalPath::resumed(std::uint32_t rank, std::uint64_t now) {
  if (wakes_[rank] != 0) {
    replace(heads_[rank], wakes_[rank]);
    wakes_[rank] = 0;
  }
  spent(rank, now, Kind::Jitter);
}

void CriticalPath::polled(std::uint32_t rank, std::uint64_t now) {
  if (news_[rank] != 0) {
    replace(heads_[rank], news_[rank]);
    news_[rank] = 0;
  }
  spent(rank, now, Kind::Poll);
}

void CriticalPath::keep(std::uint32_t rank, std::uint64_t token, Chain chain) {
  timers_.emplace(std::pair(rank, token), chain);
}

CriticalPath::Chain CriticalPath::fire(std::uint32_t rank, std::uint64_t token, std::uint64_t now) {
  const auto found = timers_.find(std::pair(rank, token));
  if (found == timers_.end()) return 0;
  const Chain before = found->second;
  timers_.erase(found);
  const Chain chain =
      follow(before, {.begin = at(before).step.end, .end = now, .rank = rank, .kind = Kind::Timer});
  release(before);
  return chain;
}

std::vector<CriticalPath::Step> CriticalPath::path(std::uint32_t rank) const {
  std::vector<Step> steps;
  for (Chain chain = heads_[rank]; chain != 0; chain = at(chain).before) steps.push_back(at(chain).step);
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace psim::net
