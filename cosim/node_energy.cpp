// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_energy.h"

#include "cosim/present.h"
#include "energy/energy_account.h"
#include "pipeline/core_tile.h"
#include "pipeline/region_account.h"

namespace psim::cosim {

using energy::Breakdown;
using energy::Component;
using energy::energy_until;
using energy::Femtojoules;
using energy::MachineParts;
using energy::Owner;
using energy::Part;

PlaceEnergy& PlaceEnergy::operator+=(const PlaceEnergy& other) {
  parts += other.parts;
  time += other.time;
  sleep += other.sleep;
  while_asleep += other.while_asleep;
  return *this;
}

void join_slices(EnergySlice& into, const EnergySlice& next) {
  into.end = next.end;
  into.parts += next.parts;
}

void NodeAccount::write(net::Parcel& parcel) const {
  parcel.put(cores);
  parcel.put(parts);
  parcel.put(end);
  parcel.put(late);
  parcel.put(leakage);
  parcel.put(period);
  parcel.put(std::uint64_t{places.size()});
  for (const auto& [place, spent] : places) {
    parcel.put_text(place.first);
    parcel.put_text(place.second);
    parcel.put(spent);
  }
  parcel.put_all(ranks);
  parcel.put(shared);
  parcel.put_all(slices);
}

NodeAccount NodeAccount::read(net::Parcel& parcel) {
  NodeAccount account;
  account.cores = parcel.take<Breakdown>();
  account.parts = parcel.take<MachineParts>();
  account.end = parcel.take<std::uint64_t>();
  account.late = parcel.take<MachineParts>();
  account.leakage = parcel.take<MachineParts>();
  account.period = parcel.take<std::uint64_t>();
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    std::string region = parcel.take_text(), call = parcel.take_text();
    account.places[{std::move(region), std::move(call)}] = parcel.take<PlaceEnergy>();
  }
  account.ranks = parcel.take_all<PlaceEnergy>();
  account.shared = parcel.take<PlaceEnergy>();
  account.slices = parcel.take_all<EnergySlice>();
  return account;
}

/// The account of one core.
class NodeEnergy::CoreAccount final : public pipeline::CoreObserver, public MarkListener {
 public:
  CoreAccount(NodeEnergy& node, std::size_t number, const MarkedCore& marked)
      : node_(node), number_(number), marked_(marked) {
    marked_.core.count_activity();
    marked_.core.attach(*this);
    marked_.marks.add(*this);
  }

  pipeline::Core& core() const { return marked_.core; }
  std::uint32_t rank() const { return marked_.rank; }
  const pipeline::L1Cache& data_cache() const { return marked_.data_cache; }
  bool needs_timelines() const override { return false; }
  void on_interval(const pipeline::Interval&) override {
    const Sample now = node_.sample(number_);
    slices_.add(slice_to(now));
    if (number_ == 0) node_.slice_shared();
    if (marked_.core.finished()) charge(now);
  }
  void on_mark(const isa::RegionMarker& mark, const pipeline::Totals&) override {
    charge(node_.sample(number_));
    place_.follow(mark);
  }
  /// Adds the account of the core to the node's.
  void finish(NodeAccount& node) {
    const Sample now = node_.sample(number_);
    node.end = std::max(node.end, now.time);
    node.cores += now.core;
    node.parts += now.parts;
    MachineParts late = now.parts;
    late -= charged_.parts;
    if (marked_.core.finished() && late.constant() == 0) {
      node.late += late;
    } else {
      slices_.add_to_last(slice_to(now));
      charge(now);
    }
    if (node.ranks.size() <= marked_.rank) node.ranks.resize(marked_.rank + 1);
    for (const auto& [place, spent] : places_) {
      node.places[place] += spent;
      node.ranks[marked_.rank] += spent;
    }
    node.slices.insert(node.slices.end(), slices_.pieces().begin(), slices_.pieces().end());
  }

 private:
  EnergySlice slice_to(const Sample& now) {
    EnergySlice slice{sliced_.time, now.time, now.parts};
    slice.parts -= sliced_.parts;
    sliced_ = now;
    return slice;
  }
  /// Adds the energy since the last call to the present place.
  void charge(const Sample& now) {
    PlaceEnergy spent{now.parts, now.time - charged_.time, now.sleep - charged_.sleep,
                      now.while_asleep - charged_.while_asleep};
    spent.parts -= charged_.parts;
    charged_ = now;
    Place place = place_.names();
    if (places_.size() >= kMostPlaces && !places_.contains(place))
      place.first = pipeline::RegionAccount::kFurther;
    places_[std::move(place)] += spent;
  }

  NodeEnergy& node_;
  const std::size_t number_;
  const MarkedCore marked_;
  MarkedPlace place_;
  Sample charged_, sliced_;
  std::map<Place, PlaceEnergy> places_;
  BoundedSeries<EnergySlice, join_slices> slices_{kSlices};
};

NodeEnergy::NodeEnergy(const Machine& machine, const energy::NodePower& power,
                       const std::vector<MarkedCore>& cores, const pipeline::MemorySystem& memory,
                       DmaPort& dma, Nic& interface)
    : power_(power),
      model_(machine.energy, energy_hardware(machine)),
      period_(to_ps(pipeline::core_period(machine))),
      memory_(memory),
      several_ranks_(cores.back().rank != 0),
      write_backs_(cores.size()),
      write_backs_at_begin_(cores.size()) {
  dma.observe(*this);
  interface.count_packets([this](std::uint64_t packets) { packets_.add(present_ps(), packets); });
  pipeline::Activity cycle;
  cycle.cycles = 1;
  idle_cycle_ = model_.energy_of(cycle);
  core_leakage_ = idle_cycle_[Component::LeakageCore] + idle_cycle_[Component::LeakagePes];
  l2_leakage_ = idle_cycle_[Component::LeakageL2];
  for (const Component leaks : {Component::LeakageCore, Component::LeakageL2, Component::LeakagePes})
    idle_cycle_.add(leaks, Owner::Leakage, -idle_cycle_[leaks]);
  for (const MarkedCore& core : cores)
    cores_.push_back(std::make_unique<CoreAccount>(*this, cores_.size(), core));
}

NodeEnergy::~NodeEnergy() = default;

void NodeEnergy::on_dma_begin() {
  memory_bytes_at_begin_ = memory_.memory->stats().bytes();
  for (std::size_t n = 0; n < cores_.size(); ++n)
    write_backs_at_begin_[n] = cores_[n]->data_cache().stats().write_backs;
}

void NodeEnergy::on_dma_end() {
  const std::uint64_t now = present_ps();
  memory_bytes_.add(now, memory_.memory->stats().bytes() - memory_bytes_at_begin_);
  for (std::size_t n = 0; n < cores_.size(); ++n)
    write_backs_[n].add(now, cores_[n]->data_cache().stats().write_backs - write_backs_at_begin_[n]);
}

void NodeEnergy::on_dma_bytes(std::uint64_t bytes) { dma_bytes_.add(present_ps(), bytes); }

NodeEnergy::Sample NodeEnergy::sample(std::size_t number, bool shared) {
  const pipeline::Core& core = cores_[number]->core();
  pipeline::Activity activity = core.activity();
  const std::uint64_t time = ended_ ? ~std::uint64_t{0} : activity.cycles * period_;
  activity.data_cache.write_backs -= write_backs_[number].all() - write_backs_[number].before(time);
  if (shared) {
    pipeline::add_memory_activity(activity, memory_);
    activity.memory.bytes -= memory_bytes_.all() - memory_bytes_.before(time);
  }
  const auto cycles = static_cast<Femtojoules>(activity.cycles);
  const auto asleep = static_cast<Femtojoules>(core.idle_cycles());
  Sample now;
  now.time = activity.cycles * period_;
  now.sleep = core.idle_cycles() * period_;
  now.core = model_.energy_of(activity);
  for (std::size_t i = 0; i < energy::kComponents; ++i)
    now.core.add(static_cast<Component>(i), Owner::IdleLatches, -asleep * idle_cycle_.components[i]);
  // The model is that of a core with an L2, of which a node has one.
  if (!shared) now.core.add(Component::LeakageL2, Owner::Leakage, -cycles * l2_leakage_);
  now.parts = MachineParts(now.core);
  const Femtojoules clock = energy_until(power_.sleep_clock, now.sleep);
  now.parts[Part::Cores].constant += clock;
  now.while_asleep = asleep * core_leakage_ + clock;
  if (!shared) return now;
  now.parts[Part::Memory].constant += energy_until(power_.dram, now.time);
  now.parts[Part::Memory].dynamic +=
      static_cast<Femtojoules>(activity.memory.bytes) * static_cast<Femtojoules>(power_.dram_byte);
  now.parts[Part::Interfaces].constant += energy_until(power_.interface, now.time);
  now.parts[Part::Interfaces].dynamic +=
      static_cast<Femtojoules>(packets_.before(time)) * static_cast<Femtojoules>(power_.interface_packet) +
      static_cast<Femtojoules>(dma_bytes_.before(time)) * static_cast<Femtojoules>(power_.interface_byte);
  now.while_asleep += asleep * l2_leakage_ + energy_until(power_.dram + power_.interface, now.sleep);
  return now;
}

/// Returns what the ranks of a node share.
NodeEnergy::Sample NodeEnergy::shared() {
  Sample shared = sample(0, true);
  const Sample own = sample(0, false);
  shared.core -= own.core;
  shared.parts -= own.parts;
  return shared;
}

/// Ends a slice of what the ranks share.
void NodeEnergy::slice_shared() {
  if (!several_ranks_) return;
  const Sample now = shared();
  EnergySlice slice{shared_slices_.pieces().empty() ? 0 : shared_slices_.pieces().back().end, now.time,
                    now.parts};
  slice.parts -= sliced_shared_;
  sliced_shared_ = now.parts;
  if (ended_)
    shared_slices_.add_to_last(slice);
  else
    shared_slices_.add(slice);
}

/// Adds what the ranks of a node share.
void NodeEnergy::add_shared(NodeAccount& node) {
  const Sample all = shared();
  node.cores += all.core;
  node.parts += all.parts;
  node.shared.parts = all.parts;
  slice_shared();
  const std::vector<EnergySlice>& slices = shared_slices_.pieces();
  node.slices.insert(node.slices.end(), slices.begin(), slices.end());
}

NodeAccount NodeEnergy::finish() {
  ended_ = true;
  NodeAccount account;
  account.period = period_;
  pipeline::Activity cycle;
  cycle.cycles = 1;
  const Breakdown leakage = model_.energy_of(cycle);
  const auto cores = static_cast<Femtojoules>(cores_.size());
  account.leakage[Part::Cores].constant = cores * leakage[Component::LeakageCore];
  account.leakage[Part::Pes].constant = cores * leakage[Component::LeakagePes];
  account.leakage[Part::Caches].constant = leakage[Component::LeakageL2];
  for (const auto& core : cores_) core->finish(account);
  if (several_ranks_) add_shared(account);
  return account;
}

}  // namespace psim::cosim
