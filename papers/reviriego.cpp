// SPDX-License-Identifier: Apache-2.0
// Paper 002, 3.4: power and message times of sleeping links, checked by a ping-pong of two nodes on one
// switch at several loads. The power is compared with the formula of Reviriego et al. (HPCS 2012), whose
// fraction the paper prints upside down (docs/sleeping-links.md). The paper states that both are as expected,
// without numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/tracerp_statements.h"

namespace psim::reproduce {
namespace {

constexpr double kPacedFlight = 0.5;      ///< us of a packet of 2,000 bytes at the 4 GB/s of infiniband_qdr
constexpr double kPacedTimeGoal = 0.001;  ///< goal of message times
constexpr int kPacedDirections = 4;       ///< each is crossed once in a round trip
constexpr int kPacedTrips = 400;

struct Pause {
  double us;
  NetworkCost asleep, awake;
  double period() const { return asleep.printed(" us, round"); }
  double round_trip() const { return asleep.printed(" us\n"); }
  double delay() const { return round_trip() - awake.printed(" us\n"); }
  /// Returns the power of the formula, W.
  double formula(const tracerp::PaperNumbers& paper, double active) const {
    return kPacedDirections * (paper.base_watts + paper.dynamic_watts * std::min(1.0, active / period()));
  }
};

void run_reviriego(const ExperimentOptions& options, ResultDocument& result) {
  const tracerp::PaperNumbers paper = tracerp::paper_numbers(load_published("tracerp"));
  std::vector<Pause> pauses;
  for (const double us : {50.0, 200.0, 590.0, 610.0, 650.0, 1000.0, 2000.0, 5000.0, 20'000.0})
    pauses.push_back({us, {}, {}});
  std::vector<NetworkRun> runs;
  for (const Pause& pause : pauses)
    for (const char* policy : {"fixed", "never"})
      runs.push_back(
          {"paced_ping_pong",
           {"2000", fmt::format("{}", pause.us), std::to_string(kPacedTrips)},
           2,
           "infiniband_qdr",
           {fmt::format("link.sleep.policy={}", policy), "mpi.wtime=0 ns", "nic.dma_bandwidth=10 TB/s"}});
  const std::vector<NetworkCost> costs = simulate(runs, options);
  for (std::size_t i = 0; i < pauses.size(); ++i)
    pauses[i].asleep = costs[2 * i], pauses[i].awake = costs[2 * i + 1];
  nlohmann::ordered_json& body = result.body();
  for (const Pause& pause : pauses) {
    const double active = paper.wake_us + paper.sleep_us + kPacedFlight;
    // The printed fraction: D = T_f / (T_w + T_s + T_f), and a load of T_f in a period.
    const double upside_down = kPacedFlight * kPacedFlight / active;
    const double formula = pause.formula(paper, active);
    // Each of the four directions has rested for the pause, if that is longer than T_s.
    const double expected = pause.us > paper.sleep_us ? kPacedDirections * paper.wake_us : 0;
    const bool on_time = std::abs(pause.delay() - expected) <= kPacedTimeGoal * std::max(expected, 1.0);
    body["pauses"].push_back({{"pause_us", pause.us},
                              {"period_seconds", 1e-6 * pause.period()},
                              {"watts", pause.asleep.watts},
                              {"formula_watts", formula},
                              {"printed_formula_watts", pause.formula(paper, upside_down)},
                              {"of_formula", pause.asleep.watts / formula},
                              {"delay_seconds", 1e-6 * pause.delay()},
                              {"expected_delay_seconds", 1e-6 * expected},
                              {"on_time", on_time}});
  }
  for (const NetworkCost& cost : costs) result.host()["runs"].push_back(host_json_of(cost));
}

}  // namespace

const Experiment kReviriego{
    .name = "reviriego",
    .summary = "power and delay of sleeping links in a ping-pong, against the formula (paper 002, 3.4)",
    .run = run_reviriego,
};

}  // namespace psim::reproduce
