// SPDX-License-Identifier: Apache-2.0
#include "report/net/poll_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace psim {

void add_polls(nlohmann::ordered_json& body, const net::RankLoad& load, Picoseconds cost) {
  std::uint64_t polls = 0, polled = 0, all = 0;
  for (const auto& job : load.jobs())
    for (const net::RankTime& time : job->results.times) {
      polls += time.polls;
      polled += time.polled;
      all += time.compute + time.overhead + time.transfer + time.wait;
    }
  if (polls == 0) return;
  const double seconds = static_cast<double>(polled) * 1e-12;
  const double share = all == 0 ? 0 : static_cast<double>(polled) / static_cast<double>(all);
  body["polls"] = {{"count", polls},
                   {"seconds", seconds},
                   {"share", share},
                   {"seconds_each", static_cast<double>(cost.count()) * 1e-12}};
  body["assumptions"].push_back(fmt::format(
      "{} tests and probes found nothing and took {:.1f} % of the ranks' time, at mpi.poll = {} ns "
      "each: another value changes when a rank notices a message, and so the simulated time",
      polls, 100 * share, static_cast<double>(cost.count()) * 1e-3));
}

std::string polls_line(const nlohmann::ordered_json& body) {
  if (!body.contains("polls")) return "";
  const auto& polls = body["polls"];
  return fmt::format(
      "{} tests and probes found nothing: {:.1f} % of the ranks' time, at {:.6g} ns each "
      "(mpi.poll, an assumption)\n",
      polls["count"].get<std::uint64_t>(), 100 * polls["share"].get<double>(),
      polls["seconds_each"].get<double>() * 1e9);
}

}  // namespace psim
