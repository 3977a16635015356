// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/regions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace psim::net {
namespace {

constexpr double kPs = 1e12;
constexpr double kMostSeconds = 1e6;  // more than any run has

}  // namespace

void RegionTime::add(const RegionTime& other) {
  for (std::uint64_t RegionTime::*member :
       {&RegionTime::count, &RegionTime::modelled, &RegionTime::extrapolated, &RegionTime::exceeded,
        &RegionTime::inclusive, &RegionTime::elapsed, &RegionTime::compute, &RegionTime::overhead,
        &RegionTime::transfer, &RegionTime::wait})
    this->*member += other.*member;
  work.add(other.work);
}

RegionTime Regions::Row::sum() const {
  RegionTime sum;
  for (const RegionTime& time : times) sum.add(time);
  return sum;
}

void Regions::use(const RegionModels* models, const std::map<std::string, double, std::less<>>& factors) {
  models_ = models;
  factors_ = factors;
}

std::uint32_t Regions::number(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  Region& region = regions_.emplace_back();
  region.row.name = name;
  region.row.times.resize(marks_.size());
  if (const auto factor = factors_.find(name); factor != factors_.end()) region.factor = factor->second;
  if (models_ != nullptr)
    region.of_ranks = models_->of_ranks(name), region.at_steps = models_->at_steps(name);
  return numbers_[std::string(name)] = static_cast<std::uint32_t>(regions_.size() - 1);
}

Regions::Marks& Regions::marks(std::uint32_t rank) {
  if (!marks_[rank]) {
    any_ = true;
    marks_[rank] = std::make_unique<Marks>();
  }
  return *marks_[rank];
}

/// Gives the time since the last mark to the innermost region.
void Regions::settle(std::uint32_t rank, Marks& marks, std::uint64_t now, const RankTime& time) {
  if (!marks.open.empty()) {
    RegionTime& sum = regions_[marks.open.back().region].row.times[rank];
    sum.elapsed += now - marks.now;
    sum.compute += time.compute - marks.time.compute;
    sum.overhead += time.overhead - marks.time.overhead;
    sum.transfer += time.transfer - marks.time.transfer;
    sum.wait += time.wait - marks.time.wait;
  }
  marks.now = now;
  marks.time = time;
}

const Regions::Charge& Regions::charge(std::uint32_t number, std::span<const std::int64_t> arguments) {
  Region& region = regions_[number];
  std::array<std::int64_t, 5> key{static_cast<std::int64_t>(arguments.size())};
  std::copy(arguments.begin(), arguments.end(), key.begin() + 1);
  const auto known = region.charges.find(key);
  if (known != region.charges.end()) return known->second;
  Charge charge;
  if (const auto value = models_->time(region.row.name, arguments)) {
    const double seconds = value->seconds * (region.factor == 0 ? 1 : region.factor);
    if (!(seconds <= kMostSeconds))
      throw UserError(fmt::format("model of {}: {:g} s; expected at most {:g} s", region.row.name, seconds,
                                  kMostSeconds));
    charge = {static_cast<std::uint64_t>(seconds * kPs + 0.5), true, value->extrapolated};
  }
  return region.charges.emplace(key, charge).first->second;
}

void Regions::begin(std::uint32_t rank, const RegionMark& mark, std::uint64_t now, const RankTime& time,
                    const Place& place, bool required) {
  if (required && models_ == nullptr)
    throw Error{
        fmt::format("{}: region {}: has no time without its body; expected psim net --compute model:FILE",
                    place(mark), mark.name)};
  const std::uint32_t region = number(mark.name);
  Marks& all = marks(rank);
  for (const Open& open : all.open)
    if (open.region == region)
      throw Error{fmt::format("{}: region {}: begins again; expected its end first (begun: {})", place(mark),
                              mark.name, place(open.mark))};
  settle(rank, all, now, time);
  Open open{
      .region = region, .mark = mark, .begun = now, .compute = time.compute, .saved = 0, .work = time.work};
  open.count = static_cast<std::uint32_t>(std::min(mark.arguments.size(), open.arguments.size()));
  std::copy_n(mark.arguments.begin(), open.count, open.arguments.begin());
  if (models_ != nullptr) try {
      // Evaluated here, so that an error names the mark that has the arguments.
      const Charge& value = charge(region, std::span(open.arguments).first(open.count));
      if (required && !value.modelled) models_->require(mark.name);
      open.modelled = value.modelled;
      open.extrapolated = value.extrapolated;
    } catch (const UserError& error) {
      throw Error{fmt::format("{}: {}", place(mark), error.what())};
    }
  Row& row = regions_[region].row;
  for (std::uint32_t i = 0; i < open.count; ++i) {
    const bool first = i >= row.arguments;
    row.least[i] = first ? open.arguments[i] : std::min(row.least[i], open.arguments[i]);
    row.most[i] = first ? open.arguments[i] : std::max(row.most[i], open.arguments[i]);
  }
  row.arguments = std::max(row.arguments, open.count);
  all.open.push_back(open);
}

Regions::Open& Regions::innermost(std::uint32_t rank, const RegionMark& mark, const Place& place) {
  Marks& all = marks(rank);
  if (all.open.empty())
    throw Error{fmt::format("{}: region {}: ends; expected its begin before", place(mark), mark.name)};
  Open& open = all.open.back();
  const std::string& name = regions_[open.region].row.name;
  if (name != mark.name)
    throw Error{fmt::format("{}: region {}: ends; expected the end of region {} first (begun: {})",
                            place(mark), mark.name, name, place(open.mark))};
  return open;
}

std::uint64_t Regions::remaining(std::uint32_t rank, const RegionMark& mark, const RankTime& time,
                                 const Place& place) {
  Open& open = innermost(rank, mark, place);
  return open.modelled ? left_of(rank, open, time, 1) : 0;
}

std::uint64_t Regions::left_of(std::uint32_t rank, Open& open, const RankTime& time, double share) {
  const std::uint64_t all = time_of_rank(charge(open.region, std::span(open.arguments).first(open.count)).ps,
                                         regions_[open.region].of_ranks, rank);
  const std::uint64_t due = share == 1 ? all : static_cast<std::uint64_t>(share * static_cast<double>(all));
  const std::uint64_t inside = time.compute - open.compute + open.saved;
  open.exceeded = inside > all;
  return inside > due ? 0 : due - inside;
}

std::uint64_t Regions::before_step(std::uint32_t rank, const RankTime& time) {
  if (!marks_[rank] || marks_[rank]->open.empty()) return 0;
  Open& open = marks_[rank]->open.back();
  const std::span<const double> shares = shares_of_rank(regions_[open.region].at_steps, rank);
  if (!open.modelled || open.steps >= shares.size()) return 0;
  return left_of(rank, open, time, shares[open.steps++]);
}

void Regions::end(std::uint32_t rank, std::uint64_t now, const RankTime& time) {
  Marks& all = *marks_[rank];
  settle(rank, all, now, time);
  const Open& open = all.open.back();
  RegionTime& sum = regions_[open.region].row.times[rank];
  ++sum.count;
  sum.modelled += open.modelled;
  sum.extrapolated += open.extrapolated;
  sum.exceeded += open.exceeded;
  sum.inclusive += now - open.begun;
  sum.work.add(time.work.since(open.work));
  all.open.pop_back();
}

void Regions::finish(std::uint32_t rank, const RankTime& time, const Place& place) {
  if (!marks_[rank] || marks_[rank]->open.empty()) return;
  const Open open = marks_[rank]->open.back();
  settle(rank, *marks_[rank], time.ended, time);
  marks_[rank]->open.clear();
  throw Error{fmt::format("{}: region {}: never ends; expected its end before that of the rank",
                          place(open.mark), regions_[open.region].row.name)};
}

double Regions::factor(std::uint32_t rank, double otherwise) const {
  if (factors_.empty() || !marks_[rank]) return otherwise;
  const std::vector<Open>& open = marks_[rank]->open;
  for (auto one = open.rbegin(); one != open.rend(); ++one)
    if (regions_[one->region].factor != 0) return regions_[one->region].factor;
  return otherwise;
}

std::uint32_t Regions::innermost(std::uint32_t rank) const {
  return !marks_[rank] || marks_[rank]->open.empty() ? 0 : marks_[rank]->open.back().region + 1;
}

bool Regions::is_inside(std::uint32_t rank, std::string_view region) const {
  return marks_[rank] && std::ranges::any_of(marks_[rank]->open, [&](const Open& open) {
           return regions_[open.region].row.name == region;
         });
}

void Regions::save(std::uint32_t rank, std::uint64_t time) {
  if (!marks_[rank]) return;
  for (Open& open : marks_[rank]->open) open.saved += time;
}

Regions::Coverage Regions::coverage(std::uint32_t rank) const {
  if (!marks_[rank] || marks_[rank]->open.empty()) return Coverage::Outside;
  return std::ranges::any_of(marks_[rank]->open, &Open::modelled) ? Coverage::Modelled : Coverage::Unmodelled;
}

void Regions::gather(HostProcesses& processes, std::span<const std::uint32_t> here) {
  processes.gather(
      [&](Parcel& parcel) {
        parcel.put(ignored_);
        parcel.put(std::uint64_t{regions_.size()});
        for (const Region& region : regions_) {
          const Row& row = region.row;
          parcel.put_text(row.name);
          parcel.put(row.arguments);
          parcel.put(row.least);
          parcel.put(row.most);
          parcel.put(std::uint64_t{here.size()});
          for (const std::uint32_t rank : here) {
            parcel.put(rank);
            parcel.put(row.times[rank]);
          }
        }
      },
      [&](Parcel& parcel) {
        ignored_ += parcel.take<std::uint64_t>();
        for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
          Row& row = regions_[number(parcel.take_text())].row;
          const auto arguments = parcel.take<std::uint32_t>();
          const auto least = parcel.take<std::array<std::int64_t, 4>>();
          const auto most = parcel.take<std::array<std::int64_t, 4>>();
          for (std::uint32_t i = 0; i < arguments; ++i) {
            const bool first = i >= row.arguments;
            row.least[i] = first ? least[i] : std::min(row.least[i], least[i]);
            row.most[i] = first ? most[i] : std::max(row.most[i], most[i]);
          }
          row.arguments = std::max(row.arguments, arguments);
          for (auto more = parcel.take<std::uint64_t>(); more != 0; --more) {
            const auto rank = parcel.take<std::uint32_t>();
            row.times[rank] = parcel.take<RegionTime>();
          }
        }
      });
}

std::vector<const Regions::Row*> Regions::rows() const {
  std::vector<const Row*> rows;
  for (const auto& [name, number] : numbers_) rows.push_back(&regions_[number].row);
  return rows;
}

RegionTime Regions::outside(std::uint32_t rank, const RankTime& time) const {
  RegionTime inside;
  for (const Region& region : regions_) inside.add(region.row.times[rank]);
  RegionTime rest;
  rest.compute = time.compute - inside.compute;
  rest.overhead = time.overhead - inside.overhead;
  rest.transfer = time.transfer - inside.transfer;
  rest.wait = time.wait - inside.wait;
  rest.elapsed = time.ended == 0 ? rest.compute + rest.overhead + rest.transfer + rest.wait
                                 : time.ended - start_ - inside.elapsed;
  return rest;
}

}  // namespace psim::net
