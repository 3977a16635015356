// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "psim/compare/net_difference.h"
#include "report/sections.h"

namespace psim::compare {
namespace {

std::string more_or_less(double seconds) {
  return fmt::format("{} {}", shown_time(std::abs(seconds)), seconds < 0 ? "less" : "more");
}

/// Returns "router 3, +X: from 10 % to 30 %", of the link whose load changes most; empty if none changes by a
/// tenth of the time.
std::string link_text(const std::vector<LinkChange>& links) {
  const LinkChange* most = nullptr;
  std::size_t column = 0;
  for (const LinkChange& link : links)
    for (std::size_t i = 0; i < link.first.size(); ++i)
      if (const double change = std::abs(link.second[i] - link.first[i]);
          change >= 0.1 && (most == nullptr || change > std::abs(most->second[column] - most->first[column])))
        most = &link, column = i;
  if (most == nullptr) return "";
  const std::size_t router = column * most->routers_a_column;
  const std::string name = most->routers_a_column == 1
                               ? fmt::format("router {}", router)
                               : fmt::format("routers {} to {}", router, router + most->routers_a_column - 1);
  return fmt::format("; the load of links changes most at {}, {}: from {:.0f} % to {:.0f} % of the time",
                     name, most->direction, 100 * most->first[column], 100 * most->second[column]);
}

}  // namespace

std::string NetDifference::sentence() const {
  if (states.empty() && seconds == 0) return "the runs take the same time, and ranks spend it alike";
  std::string text = seconds == 0 ? "the runs take the same time, but"
                                  : fmt::format("the run takes {}:", more_or_less(seconds));
  const bool computing = nodes && !states.empty() && states[0].name == "computing";
  if (!path.empty()) {
    text += fmt::format(" on the critical path, {} takes {}", path[0].name, more_or_less(path[0].seconds()));
    if (path.size() > 1 && std::abs(path[1].seconds()) > 0.1 * std::abs(path[0].seconds()))
      text += fmt::format(", {} {}", path[1].name, more_or_less(path[1].seconds()));
  } else if (!states.empty()) {
    text += fmt::format(" a mean rank is {} {}", states[0].name, more_or_less(states[0].seconds()));
    const std::vector<Change>& where = computing ? regions : functions;
    if (!where.empty() && where[0].seconds() / states[0].seconds() > 0.5)
      text += fmt::format(", mostly in {}", where[0].name);
  }
  if (!parts.empty() && computing)
    text += fmt::format("; by cause of the cycles, {} {}", report::label_of(parts[0].name),
                        more_or_less(parts[0].seconds()));
  const double waited = waited_second - waited_first;
  if (!messages.empty() && std::abs(waited) > 1e-9) {
    text += nodes ? fmt::format("; all messages together take {}", more_or_less(waited))
                  : fmt::format("; all messages together wait {} for others", more_or_less(waited));
    const MessageChange& most = messages.front();
    if (most.seconds() / waited > 0.05)
      text += fmt::format(", {:.0f} % of it from rank {} to rank {}", 100 * most.seconds() / waited,
                          most.from, most.to);
  }
  return text + link_text(links);
}

}  // namespace psim::compare
