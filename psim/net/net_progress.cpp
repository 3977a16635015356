// SPDX-License-Identifier: Apache-2.0
#include "psim/net/net_progress.h"

#include <fmt/format.h>

#include <cstdio>

namespace psim {

std::string program_line(double elapsed, const net::Standing& standing, std::uint32_t ranks) {
  const double hops = static_cast<double>(standing.packet_hops) * 1e-6;
  const std::string ended =
      standing.ended == 0 ? std::string() : fmt::format("{} of {} ranks ended, ", standing.ended, ranks);
  return fmt::format("{:.0f} s: {:.6g} ms simulated, {:.1f} M packet-hops, {:.2f} M/s, {}time left unknown",
                     elapsed, static_cast<double>(standing.time) * 1e-9, hops,
                     elapsed > 0 ? hops / elapsed : 0.0, ended);
}

std::string traffic_line(double elapsed, const std::vector<double>& loads, std::size_t point, double done) {
  double before = loads[point] * done, all = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    all += loads[i];
    if (i < point) before += loads[i];
  }
  const std::string left = before > 0 ? fmt::format("{:.0f} s left", elapsed * (all - before) / before) : "";
  return fmt::format("{:.0f} s: point {} of {}, load {:.4g}{}{}", elapsed, point + 1, loads.size(),
                     loads[point], left.empty() ? "" : ", ", left);
}

void NetProgress::show(const std::string& line) {
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

void NetProgress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace psim
