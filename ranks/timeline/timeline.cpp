// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/timeline.h"

#include <algorithm>
#include <set>
#include <span>

namespace psim::net {

bool Observation::contains(std::uint32_t rank) const {
  return ranks.empty() || std::ranges::any_of(ranks, [&](const auto& range) {
           return rank >= range.first && rank <= range.second;
         });
}

Timeline::Timeline(std::uint32_t ranks, Observation observation)
    : observation_(std::move(observation)), index_(ranks, kNotObserved) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (observation_.contains(rank)) {
      index_[rank] = static_cast<std::uint32_t>(observed_.size());
      observed_.push_back(rank);
    }
  states_.resize(observed_.size());
}

Timeline::State* Timeline::state(RankId rank) {
  const std::uint32_t observed = index_[index(rank)];
  return observed == kNotObserved ? nullptr : &states_[observed];
}

std::uint32_t Timeline::number_of(const char* function) {
  const auto [found, fresh] = numbers_.try_emplace(function, 0);
  if (fresh) {
    // The same name may stand at several addresses.
    std::vector<std::string>& names = tables_[0];
    const auto known = std::ranges::find(names, function);
    found->second = static_cast<std::uint32_t>(known - names.begin());
    if (known == names.end()) names.emplace_back(function);
  }
  return found->second;
}

void Timeline::enter(RankId rank, const char* function) {
  State* s = state(rank);
  if (s == nullptr || s->depth++ > 0) return;
  s->begin = now();
  s->written = false;
  if (s->begin <= observation_.to) s->function = number_of(function);
}

/// Writes the entry of the present call, which lasts until `now`, if it is to be recorded. Returns whether it
/// is in the log.
bool Timeline::write_entry(State& s, std::uint64_t now) {
  if (!s.written && now >= observation_.from && s.begin <= observation_.to) {
    s.log.enter(std::max(s.begin, observation_.from), s.function);
    s.written = true;
  }
  return s.written;
}

void Timeline::leave(RankId rank) {
  State* s = state(rank);
  if (s == nullptr || --s->depth > 0) return;
  const std::uint64_t time = now();
  if (write_entry(*s, time)) s->log.leave(std::min(time, observation_.to));
}

void Timeline::note(RankId rank, const CallNote& note) {
  State* s = state(rank);
  if (s == nullptr || s->depth == 0) return;
  const std::uint64_t time = now();
  if (time <= observation_.to && write_entry(*s, time)) s->log.note(time, note);
}

void Timeline::communicator(std::uint32_t context, std::span<const std::uint32_t> members,
                            std::span<const std::uint32_t> remote) {
  communicators_.try_emplace(context,
                             Communicator{{members.begin(), members.end()}, {remote.begin(), remote.end()}});
}

void Timeline::finish(std::uint64_t now) {
  // The end is not known in every process: events() adds it.
  for (State& s : states_)
    if (s.depth > 0) write_entry(s, ~std::uint64_t{0});
  end_ = std::min(now, observation_.to);
}

void Timeline::write(Parcel& parcel) const {
  parcel.put(std::uint64_t{tables_[0].size()});
  for (const std::string& name : tables_[0]) parcel.put_text(name);
  parcel.put(std::uint64_t{communicators_.size()});
  for (const auto& [context, communicator] : communicators_) {
    parcel.put(context);
    parcel.put_all(communicator.members);
    parcel.put_all(communicator.remote);
  }
  for (std::size_t observed = 0; observed < states_.size(); ++observed) {
    const RankLog& log = states_[observed].log;
    if (log.empty()) continue;
    parcel.put(static_cast<std::uint32_t>(observed));
    parcel.put(log.calls());
    parcel.put_all(log.bytes());
  }
  parcel.put(kNotObserved);
}

void Timeline::read(Parcel& parcel) {
  const auto table = static_cast<std::uint32_t>(tables_.size());
  std::vector<std::string>& names = tables_.emplace_back();
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) names.push_back(parcel.take_text());
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto context = parcel.take<std::uint32_t>();
    auto members = parcel.take_all<std::uint32_t>();
    communicators_.try_emplace(context, Communicator{std::move(members), parcel.take_all<std::uint32_t>()});
  }
  for (std::uint32_t observed; (observed = parcel.take<std::uint32_t>()) != kNotObserved;) {
    State& s = states_[observed];
    s.table = table;
    const auto calls = parcel.take<std::uint64_t>();
    s.log = RankLog(parcel.take_all<std::uint8_t>(), calls);
  }
}

std::uint64_t Timeline::calls() const {
  std::uint64_t sum = 0;
  for (const State& s : states_) sum += s.log.calls();
  return sum;
}

std::vector<std::string> Timeline::functions() const {
  std::set<std::string> all;
  for (const auto& names : tables_) all.insert(names.begin(), names.end());
  return {all.begin(), all.end()};
}

void Timeline::events(std::uint32_t rank, const std::function<void(const LogEvent&)>& each) const {
  const State& s = states_[index_[rank]];
  const std::vector<std::string> all = functions();
  std::vector<std::uint32_t> number;
  for (const std::string& name : tables_[s.table])
    number.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(all, name) - all.begin()));
  RankLog::Reader reader(s.log);
  bool inside = false;
  LogEvent event;
  while (reader.next(event)) {
    if (event.kind == LogEvent::Kind::Enter) event.function = number[event.function];
    if (event.kind != LogEvent::Kind::Note) inside = event.kind == LogEvent::Kind::Enter;
    each(event);
  }
  if (inside) each({LogEvent::Kind::Leave, std::max(event.time, end_), 0, {}});
}

}  // namespace psim::net
