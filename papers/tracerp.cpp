// SPDX-License-Identifier: Apache-2.0
// Paper 002 (TraceRP), section 4: five programs of 8,192 processes on three networks whose links sleep. The
// programs' traces are not published; ours follow the paper's one-line descriptions, with sizes and computing
// of our own choice.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/open_inputs.h"
#include "papers/tracerp_statements.h"

namespace psim::reproduce {
namespace {

using namespace tracerp;

constexpr std::uint32_t kTracerpRanks = 8192, kTracerpOfNode = 32;
/// The same number of nodes with fewer processes on each, so that the networks do not change.
constexpr std::uint32_t kQuickOfNode = 4;

struct Sleep {
  double after_us, wake_us;  ///< T_s, T_w
};
constexpr std::array kAfter{0.0, 10.0, 50.0, 250.0, 1250.0}, kWake{0.0, 5.0, 10.0, 15.0, 20.0};

class Grid {
 public:
  explicit Grid(const ExperimentOptions& options) : quick_(options.quick) {
    OpenInputs inputs(options.settings);
    bytes_ = inputs.number("program.bytes", 1, 1e-3, 1e3);
    gap_ = inputs.number("program.gap", 1, 0, 1e3);
    settings_ = inputs.of_machine();
  }

  /// Adds a run of that program on that network and returns its index; without `sleep` links never sleep.
  std::size_t add(std::size_t network, std::size_t program, const Sleep* sleep) {
    NetworkRun run{kPrograms[program].name, {}, kTracerpRanks, kNetworks[network].machine, {}};
    run.settings = {fmt::format("node.ranks={}", quick_ ? kQuickOfNode : kTracerpOfNode)};
    if (quick_) {
      run.ranks = kTracerpRanks / kTracerpOfNode * kQuickOfNode;
      run.arguments = {"2"};  // iterations
    }
    if (bytes_ != 1 || gap_ != 1) {
      run.arguments.resize(1, "x1");
      run.arguments.insert(run.arguments.end(), {fmt::format("x{}", bytes_), fmt::format("x{}", gap_)});
    }
    run.settings.insert(run.settings.end(), settings_.begin(), settings_.end());
    if (sleep == nullptr) {
      run.settings.push_back("link.sleep.policy=never");
    } else {
      run.settings.push_back("link.sleep.policy=fixed");
      run.settings.push_back(fmt::format("link.sleep.after={} us", sleep->after_us));
      run.settings.push_back(fmt::format("link.sleep.wake={} us", sleep->wake_us));
    }
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].label() == run.label() && runs_[i].machine == run.machine &&
          runs_[i].settings == run.settings)
        return i;
    runs_.push_back(std::move(run));
    return runs_.size() - 1;
  }
  std::span<const NetworkRun> runs() const { return runs_; }
  void simulate_all(const ExperimentOptions& options) { costs_ = simulate(runs_, options); }
  const NetworkCost& cost(std::size_t i) const { return costs_[i]; }

 private:
  bool quick_;
  double bytes_, gap_;  ///< factors of the programs' message sizes and of their times of computing
  std::vector<std::string> settings_;
  std::vector<NetworkRun> runs_;
  std::vector<NetworkCost> costs_;
};

/// A run as shares of the same run with links that never sleep.
struct Point {
  std::size_t asleep, awake;

  double power(const Grid& grid) const { return grid.cost(asleep).watts / grid.cost(awake).watts; }
  double energy(const Grid& grid) const { return grid.cost(asleep).joules / grid.cost(awake).joules; }
  double performance(const Grid& grid) const { return grid.cost(awake).seconds / grid.cost(asleep).seconds; }
};
using Measure = double (Point::*)(const Grid&) const;

/// A figure: for each network and program a value at each of `steps`.
struct Figure {
  const char* key;       ///< in the result
  const char* variable;  ///< the quantity that changes from step to step
  Measure measure;
  std::vector<double> steps;
  std::vector<std::vector<Point>> points;  ///< [network * programs + program][step]
};

Figure figure(Grid& grid, const char* key, const char* variable, Measure measure,
              std::span<const double> steps, const std::function<Sleep(double)>& sleep) {
  Figure made{key, variable, measure, {steps.begin(), steps.end()}, {}};
  for (std::size_t network = 0; network < kNetworks.size(); ++network)
    for (std::size_t program = 0; program < kPrograms.size(); ++program) {
      auto& row = made.points.emplace_back();
      for (const double step : steps) {
        const Sleep with = sleep(step);
        row.push_back({grid.add(network, program, &with), grid.add(network, program, nullptr)});
      }
    }
  return made;
}

std::vector<Values> values_of(const Figure& figure, const Grid& grid) {
  std::vector<Values> all;
  for (const auto& row : figure.points) {
    Values& values = all.emplace_back();
    for (const Point& point : row) values.push_back((point.*figure.measure)(grid));
  }
  return all;
}

nlohmann::ordered_json json_of(const Figure& figure, const std::vector<Values>& values) {
  nlohmann::ordered_json json{{"variable", figure.variable}, {"steps", figure.steps}};
  for (std::size_t i = 0; i < values.size(); ++i)
    json["networks"][kNetworks[i / kPrograms.size()].name][kPrograms[i % kPrograms.size()].title] = values[i];
  return json;
}

/// Returns the change of a2a on the torus from T_s = 10 to 50 us, in percentage points of always on.
nlohmann::ordered_json change_of_figure3(const Figure& figure3, const Grid& grid) {
  const std::vector<Point>& row = figure3.points[kTorus * kPrograms.size() + kAllToAll];
  return {{"performance_points", 100 * (row[1].performance(grid) - row[0].performance(grid))},
          {"power_points", 100 * (row[1].power(grid) - row[0].power(grid))}};
}

/// Returns the figures that the options name: 2 (power; performance has the same runs) to 5.
std::vector<Figure> make_figures(Grid& grid, const std::string& only, const Sleep& paper_sleep) {
  const auto make = [&](const char* name, const char* key, const char* variable, Measure measure,
                        std::span<const double> steps, const std::function<Sleep(double)>& sleep) {
    if (only.empty() || only == name) return figure(grid, key, variable, measure, steps, sleep);
    return Figure{key, variable, measure, {}, {}};
  };
  const double one[] = {paper_sleep.after_us};
  const std::span after(kAfter);
  return {make("figure2", "figure2_power", "T_s us", &Point::power, one, [&](double) { return paper_sleep; }),
          make("figure3", "figure3", "T_s us", &Point::energy, after.subspan(1),
               [&](double us) {
                 return Sleep{us, paper_sleep.wake_us};
               }),
          make("figure4", "figure4", "T_s us", &Point::power, after,
               [](double us) {
                 return Sleep{us, 0};
               }),
          make("figure5", "figure5", "T_w us", &Point::performance, kWake, [](double us) {
            return Sleep{0, us};
          })};
}

void run_tracerp(const ExperimentOptions& options, ResultDocument& result) {
  check_only("tracerp", options.only, {"figure2", "figure3", "figure4", "figure5"});
  Grid grid(options);
  const PaperNumbers paper = paper_numbers(load_published("tracerp"));
  const std::vector<Figure> figures = make_figures(grid, options.only, {paper.sleep_us, paper.wake_us});
  grid.simulate_all(options);
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  Figure performance = figures[0];
  performance.measure = &Point::performance;
  performance.key = "figure2_performance";
  const std::vector<Values> speed = values_of(performance, grid);
  std::vector<std::vector<Values>> of;
  for (const Figure& one : figures) {
    of.push_back(values_of(one, grid));
    if (!one.points.empty()) body[one.key] = json_of(one, of.back());
  }
  if (!figures[0].points.empty()) body[performance.key] = json_of(performance, speed);
  if (!figures[1].points.empty()) body["figure3_change"] = change_of_figure3(figures[1], grid);
  for (const Statement& statement : check({of[0], speed, of[1], of[2], of[3]}, paper))
    body["statements"].push_back({{"text", statement.text}, {"holds", statement.holds}});
  for (std::size_t i = 0; i < grid.runs().size(); ++i)
    result.host()["runs"].push_back(host_json_of(grid.cost(i)));
}

}  // namespace

const Experiment kTracerp{
    .name = "tracerp",
    .summary = "links that sleep on a fat tree, a torus and a dragonfly, five programs (paper 002)",
    .run = run_tracerp,
    .options = " --only --set ",
};

}  // namespace psim::reproduce
