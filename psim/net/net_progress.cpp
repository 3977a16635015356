// SPDX-License-Identifier: Apache-2.0
#include "psim/net/net_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"

namespace psim {

std::string program_line(double elapsed, const net::Standing& standing, std::uint32_t ranks, double done) {
  const double hops = static_cast<double>(standing.packet_hops) * 1e-6;
  const std::string ended =
      standing.ended == 0 ? std::string() : fmt::format("{} of {} ranks ended, ", standing.ended, ranks);
  return fmt::format("{}, {}: {:.6g} ms simulated, {}{:.1f} M packet-hops, {:.2f} M/s",
                     duration_text(elapsed), time_left(elapsed, done),
                     static_cast<double>(standing.time) * 1e-9, ended, hops,
                     elapsed > 0 ? hops / elapsed : 0.0);
}

std::string traffic_line(double elapsed, const std::vector<double>& loads, std::size_t point, double done) {
  double before = loads[point] * done, all = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    all += loads[i];
    if (i < point) before += loads[i];
  }
  return fmt::format("{}, {}: point {} of {}, load {:.4g}", duration_text(elapsed),
                     time_left(elapsed, before / all), point + 1, loads.size(), loads[point]);
}

std::string saturation_line(double elapsed, double load, std::size_t step, std::size_t steps, double done) {
  const double share = (static_cast<double>(step) + done) / static_cast<double>(std::max(steps, step + 1));
  return fmt::format("{}, {}: search step {} of {}, load {:.4g}", duration_text(elapsed),
                     time_left(elapsed, share, true), step + 1, steps, load);
}

}  // namespace psim
