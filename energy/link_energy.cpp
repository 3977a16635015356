// SPDX-License-Identifier: Apache-2.0
#include "energy/link_energy.h"

#include <algorithm>

namespace psim::energy {

void describe(Schema& schema, LinkPower& power) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  schema.section("link.power", "power of one direction of a link, counted where links may sleep");
  schema.add("link.power.base", power.base, Dimension::Power, {0, kMost}, "at all times",
             "paper 002 table 2");
  schema.add("link.power.dynamic", power.dynamic, Dimension::Power, {0, kMost},
             "in addition, unless in low power", "paper 002 table 2");
}

LinkEnergy::LinkEnergy(const net::LinkSleep& sleep, const net::Graph& graph, const LinkPower& power)
    : power_(power), time_(sleep.time()), routers_(graph.routers()), bin_width_(sleep.low().width()) {
  total_.name = "all";
  for (const std::string& name : sleep.kinds()) kinds_.emplace_back().name = name;
  const auto add = [&](std::size_t number, LinkGroup* router) {
    const net::LinkSleep::Direction& direction = sleep.directions()[number];
    if (direction.kind == net::LinkSleep::kNotThere) return;
    const Attojoules spent = of(direction);
    total_.add(direction, spent);
    kinds_[direction.kind].add(direction, spent);
    if (router != nullptr) router->add(direction, spent);
  };
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port)
      add(sleep.of_router(router, port), &routers_[router]);
  for (std::size_t i = graph.channels.size(); i < sleep.directions().size(); ++i) add(i, nullptr);
  Attojoules owned = 0;
  for (const net::LinkSleep::Share& share : sleep.shares()) {
    const Attojoules spent = shares_.empty() ? 0 : Attojoules{power_.active()} * share.awake;
    shares_.push_back({share.awake, share.wakes, spent});
    owned += spent;
  }
  if (!shares_.empty()) {
    shares_[0].awake -= std::min(shares_[0].awake, total_.low);
    shares_[0].energy = total_.energy - owned;
  }
  std::erase_if(kinds_, [](const LinkGroup& kind) { return kind.directions == 0; });

  const net::TimeBins& low = sleep.low();
  const std::uint64_t bins = (time_ + bin_width_ - 1) / bin_width_;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    std::uint64_t sum = 0;
    for (std::uint32_t kind = 0; kind < low.series(); ++kind) sum += low.at(kind, bin);
    const std::uint64_t width = std::min(bin_width_, time_ - bin * bin_width_);
    bins_.push_back(always_on_watts() - static_cast<double>(power_.dynamic) * 1e-6 *
                                            static_cast<double>(sum) / static_cast<double>(width));
    dynamic_bins_.push_back(Attojoules{power_.dynamic} * (Attojoules{width} * total_.directions - sum));
  }
}

}  // namespace psim::energy
