// SPDX-License-Identifier: Apache-2.0
#include "cosim/machine_energy.h"

#include <algorithm>

#include "cosim/node_energy.h"

namespace psim::cosim {

using energy::Femtojoules;
using energy::MachineParts;
using energy::Part;

namespace {

Femtojoules femtojoules(energy::Attojoules energy) { return static_cast<Femtojoules>(energy / 1000); }

/// Returns the part of `all` that falls to the first `time` of `length`; differences sum exactly.
MachineParts first_part(const MachineParts& all, std::uint64_t time, std::uint64_t length) {
  const auto share = [&](Femtojoules energy) {
    return energy * static_cast<Femtojoules>(time) / static_cast<Femtojoules>(length);
  };
  MachineParts part;
  for (std::size_t i = 0; i < energy::kParts; ++i)
    part.parts[i] = {share(all.parts[i].dynamic), share(all.parts[i].constant)};
  return part;
}

}  // namespace

PlaceEnergy MachineEnergy::OfNode::all() const {
  PlaceEnergy sum = after_end;
  sum += shared;
  for (const auto& [place, spent] : places) sum += spent;
  return sum;
}

MachineEnergy::MachineEnergy(const std::vector<NodeAccount>& accounts, const energy::NodePower& power,
                             const energy::LinkEnergy& links)
    : time(links.time()) {
  // Slices of a power of two intervals, as those of nodes.
  std::uint64_t width = accounts.front().period * NodeEnergy::kInterval;
  while ((time + width - 1) / width > kMostSlices) width *= 2;
  for (std::uint64_t begin = 0; begin == 0 || begin < time; begin += width)
    over_time.push_back({begin, std::min(begin + width, time), {}});
  for (const NodeAccount& node : accounts) add(node, power);
  add(links);
}

void MachineEnergy::add(const NodeAccount& node, const energy::NodePower& power) {
  OfNode& row = nodes.emplace_back();
  row.cores = node.cores;
  row.places = node.places;
  row.ranks = node.ranks;
  row.shared = node.shared;
  row.end = node.end;
  PlaceEnergy& rest = row.after_end;
  rest.time = time - node.end;
  rest.parts = first_part(node.leakage, rest.time, node.period);
  const auto constant = [&](Part part, std::uint64_t microwatts) {
    rest.parts[part].constant +=
        energy::energy_until(microwatts, time) - energy::energy_until(microwatts, node.end);
  };
  constant(Part::Cores, power.sleep_clock);
  constant(Part::Memory, power.dram);
  constant(Part::Interfaces, power.interface);
  rest.parts += node.late;
  row.parts = node.parts;
  row.parts -= node.late;
  row.parts += rest.parts;
  for (const EnergySlice& slice : node.slices) spread(slice);
  spread({node.end, time, rest.parts});
  total += row.parts;
  cores += node.cores;
}

void MachineEnergy::add(const energy::LinkEnergy& links) {
  MachineParts base;
  base[Part::Links].constant = femtojoules(links.base_energy());
  spread({0, time, base});
  total += base;
  energy::Attojoules so_far = 0;
  for (std::size_t bin = 0; bin < links.dynamic_over_time().size(); ++bin) {
    MachineParts awake;
    const Femtojoules before = femtojoules(so_far);
    so_far += links.dynamic_over_time()[bin];
    awake[Part::Links].dynamic = femtojoules(so_far) - before;
    const bool last = bin + 1 == links.dynamic_over_time().size();
    spread({bin * links.bin_width(), last ? time : (bin + 1) * links.bin_width(), awake});
    total += awake;
  }
}

void MachineEnergy::spread(const EnergySlice& slice) {
  const std::uint64_t width = std::max<std::uint64_t>(1, over_time.front().end);
  const std::uint64_t length = slice.end - slice.begin;
  std::size_t bin = std::min<std::size_t>(slice.begin / width, over_time.size() - 1);
  if (length == 0) {
    over_time[bin].parts += slice.parts;
    return;
  }
  MachineParts before;
  for (std::uint64_t at = slice.begin; at < slice.end; ++bin) {
    at = bin + 1 == over_time.size() ? slice.end : std::min(slice.end, (bin + 1) * width);
    const MachineParts until = first_part(slice.parts, at - slice.begin, length);
    over_time[bin].parts += until;
    over_time[bin].parts -= before;
    before = until;
  }
}

}  // namespace psim::cosim
