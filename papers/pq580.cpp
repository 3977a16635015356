// SPDX-License-Identifier: Apache-2.0
// Paper 003, tables 5 to 7: PHASE, HPL and FMO-ERI on PRIMEQUEST 580, predicted by skeletons. A message takes
// 40 us and its bytes at 100 MB/s. The rates of computing follow from the paper's predicted times without
// communication, which the skeletons meet on a network that takes no time. Then the totals are predicted with
// messages, and compared with the paper's predictions and measurements. Decision 51 lists the assumptions,
// and when they were fixed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "papers/experiment.h"
#include "papers/hpl_models.h"
#include "papers/open_inputs.h"
#include "papers/phase_models.h"
#include "papers/published.h"

namespace psim::reproduce {
namespace {

constexpr double kFirstRate = 1e-10;  ///< s per multiply-add, of the runs that find the rate
constexpr const char* kPq580 = "pq580";
const std::vector<std::string> kNoNetwork{"analytic.latency=1 ns", "analytic.bandwidth=10000 GB/s"};
constexpr double kStudent = 2.228;  ///< 97.5 % quantile of Student's t with ten degrees of freedom

/// A row of one of the tables, and its run with each network.
struct Pq580Row {
  std::string key;                     ///< "hpl-160000-120-256" of the data file
  double computing = 0, measured = 0;  ///< s; computing: predicted without communication
  double computed = 0, ours = 0;       ///< s; without and with communication
  NetworkRun run;
  NetworkCost cost;
};

struct HplOfTable {
  HplSystem system;
  const char* key;
};
const std::vector<HplOfTable> kHplRows{
    {{160'000, 120, 16, 16}, "hpl-160000-120-256"},  {{160'000, 120, 16, 32}, "hpl-160000-120-512"},
    {{160'000, 120, 32, 32}, "hpl-160000-120-1024"}, {{240'000, 120, 32, 32}, "hpl-240000-120-1024"},
    {{320'000, 120, 32, 32}, "hpl-320000-120-1024"}, {{320'000, 180, 32, 32}, "hpl-320000-180-1024"}};

// Lysozyme of table 7 as a chain of glycines in the same basis, STO-3G: 6,010 functions, and 6,005 in the
// paper.
const std::vector<std::string> kLysozyme{"glycines=261", "basis=sto3g"};

class Pq580 {
 public:
  explicit Pq580(const ExperimentOptions& options) : options_(options), published_(load_published(kPq580)) {
    std::vector<std::string> parts{"hpl", "phase", "fmo-eri"};
    for (const HplOfTable& row : kHplRows) parts.emplace_back(row.key);
    check_only(kPq580, options.only, parts);
    OpenInputs inputs(options.settings);
    const std::string swap =
        inputs.choice("hpl.swap", "collective", {"collective", "exchange", "long", "mix"});
    const std::string broadcast =
        inputs.choice("hpl.broadcast", "1ring-m", {"1ring", "1ring-m", "2ring", "2ring-m", "long", "long-m"});
    const long ahead = inputs.whole("hpl.look-ahead", 1, 0, 8);
    hpl_forms_ = {"swap=" + swap};
    if (broadcast != "1ring-m") hpl_forms_.push_back("bcast=" + broadcast);
    if (ahead != 1) hpl_forms_.push_back(fmt::format("depth={}", ahead));
    phase_rows_ = inputs.whole("phase.rows", 32, 1, 64);
    if (1024 % phase_rows_ != 0)
      throw UserError(
          fmt::format("reproduce: --set phase.rows = {}: expected a divisor of 1024 processes", phase_rows_));
    computing_ = inputs.number("computing.factor", 1, 0.5, 2);
    settings_ = inputs.of_machine();
  }

  std::vector<Pq580Row> rows() {
    const auto runs_part = [&](const char* part) { return options_.only.empty() || options_.only == part; };
    if (runs_part("hpl") || options_.only.starts_with("hpl-")) hpl();
    if (runs_part("phase")) phase();
    if (runs_part("fmo-eri") && (!options_.quick || !options_.only.empty())) integrals();
    std::vector<NetworkRun> runs;
    for (const Pq580Row& row : rows_) runs.push_back(row.run);
    const std::vector<NetworkCost> costs = simulate(runs, options_);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].cost = costs[i];
    for (Pq580Row& row : rows_)
      row.ours = row.run.program == "hpl"     ? hpl_seconds(row.cost)
                 : row.run.program == "phase" ? phase_seconds(row.cost)
                                              : row.cost.printed(" s, of which");
    return std::move(rows_);
  }

  /// Returns half the width of the 95 % interval of computing, as a share: from the paper's predictions and
  /// measurements without communication in all ten rows of its tables.
  double spread_of_computing() const {
    double squares = 0;
    int count = 0;
    for (const PublishedValue& value : published_.values)
      if (value.name.ends_with("-computing")) {
        const double error = *value.paper / published_.number(value.name + "-measured") - 1;
        squares += error * error, ++count;
      }
    return kStudent * std::sqrt(squares / count);
  }

 private:
  Pq580Row row_of(const std::string& key) const {
    const double computing = published_.number(key + "-computing");
    return {key, computing, published_.number(key + "-measured"), computing_ * computing, 0, {}, {}};
  }

  const RegionModels& models(const std::string& tables) {
    models_.push_back(std::make_unique<RegionModels>(tables, options_.into));
    return *models_.back();
  }

  HplSystem hpl_system(std::size_t row) const {
    HplSystem system = kHplRows[row].system;
    system.forms = hpl_forms_;
    return system;
  }
  /// Returns the settings of runs without communication.
  std::vector<std::string> silent() const {
    std::vector<std::string> all = settings_;
    // Another network changes nothing here: with --into, the same runs serve.
    std::erase_if(all, [](const std::string& one) { return one.starts_with("analytic."); });
    all.insert(all.end(), kNoNetwork.begin(), kNoNetwork.end());
    return all;
  }

  /// The rate of multiply-adds is scaled to the time without communication in each row.
  void hpl() {
    std::vector<std::size_t> of_table;
    for (std::size_t i = 0; i < kHplRows.size(); ++i)
      if (options_.only == kHplRows[i].key ||
          (!options_.only.starts_with("hpl-") && (i == 0 || !options_.quick)))
        of_table.push_back(i);
    const RegionModels& first = models(hpl_models(kFirstRate, 1));
    std::vector<NetworkRun> runs;
    for (const std::size_t i : of_table) runs.push_back(hpl_run(hpl_system(i), first, kPq580, silent()));
    const std::vector<NetworkCost> alone = simulate(runs, options_);
    for (std::size_t k = 0; k < of_table.size(); ++k) {
      const HplSystem system = hpl_system(of_table[k]);
      Pq580Row row = row_of(kHplRows[of_table[k]].key);
      const double rate = kFirstRate * row.computed / hpl_seconds(alone[k]);
      row.run = hpl_run(system, models(hpl_models(rate, 1)), kPq580, settings_);
      rows_.push_back(std::move(row));
    }
  }

  /// Products take time with the square of the bands, transforms with the bands: both times follow from the
  /// first two rows without communication. The third row was not used for them. The number of waves follows
  /// from the rate of a core in HPL, with eight operations for a complex multiply-add.
  void phase() {
    const long p = phase_rows_, q = 1024 / p;
    std::vector<PhaseSystem> systems{{4096, 0, p, q}, {8192, 0, p, q}, {16'384, 0, p, q}};
    std::vector<Pq580Row> rows;
    for (const PhaseSystem& system : systems) rows.push_back(row_of(fmt::format("phase-{}", system.bands)));
    const double products = rows[1].computed / 2 - rows[0].computed;  // of the first row
    const double transforms = rows[0].computed - products;
    const double transform = transforms / systems[0].transforms();
    const double multiply_add = 8 / core();
    const long few = 32L * 1024;
    systems[0].waves = few;
    const NetworkRun probe =
        phase_run(systems[0], models(phase_models(multiply_add, transform)), kPq580, silent());
    const double of_few = phase_seconds(simulate({probe}, options_)[0]) - transforms;
    waves_ = std::lround(double(few) * products / of_few / double(systems[0].q)) * systems[0].q;
    if (options_.quick) systems.resize(1), rows.resize(1);
    std::vector<NetworkRun> alone;
    for (PhaseSystem& system : systems) {
      system.waves = waves_;
      alone.push_back(phase_run(system, models(phase_models(multiply_add, transform)), kPq580, silent()));
    }
    const std::vector<NetworkCost> costs = simulate(alone, options_);
    // As for HPL, the rate of products meets the time without communication in each row.
    for (std::size_t i = 0; i < systems.size(); ++i) {
      const double moved = transform * systems[i].transforms();
      const double scale = (rows[i].computed - moved) / (phase_seconds(costs[i]) - moved);
      rows[i].run =
          phase_run(systems[i], models(phase_models(multiply_add * scale, transform)), kPq580, settings_);
      rows_.push_back(std::move(rows[i]));
    }
  }

  /// All computing is in one region, whose time is scaled to that without communication.
  void integrals() {
    constexpr double kFirst = 1e-8;  // s per integral of primitives
    const auto tables = [](double seconds) {
      return fmt::format(
          "[region.eri]\nparameters = \"primitives quartets\"\nseconds = \"{:.17g} * (primitives + "
          "2 / 3 * quartets)\"\n",
          seconds);
    };
    const auto run_of = [&](double seconds, std::vector<std::string> settings) {
      NetworkRun run{"eri", kLysozyme, 1024, kPq580, std::move(settings)};
      run.options = {"--skeleton", "--compute", "model:" + models(tables(seconds)).path()};
      return run;
    };
    Pq580Row row = row_of("fmo-eri");
    const double alone = simulate({run_of(kFirst, silent())}, options_)[0].printed(" s, of which");
    row.run = run_of(kFirst * row.computed / alone, settings_);
    rows_.push_back(std::move(row));
  }

 public:
  /// Returns the operations per second of a core in HPL, in the first row.
  double core() const {
    const HplSystem& system = kHplRows[0].system;
    return system.operations() / double(system.p * system.q) /
           published_.number(std::string(kHplRows[0].key) + "-computing");
  }
  /// Returns the number of waves of PHASE; 0: it was not run.
  long waves() const { return waves_; }

 private:
  const ExperimentOptions& options_;
  Published published_;
  std::vector<std::string> hpl_forms_, settings_;
  double computing_ = 1;  ///< factor of the times without communication
  long phase_rows_ = 0;   ///< of the grid of processes, which share the bands
  std::vector<std::unique_ptr<RegionModels>> models_;
  std::vector<Pq580Row> rows_;
  long waves_ = 0;
};

void run_pq580(const ExperimentOptions& options, ResultDocument& result) {
  Pq580 experiment(options);
  const std::vector<Pq580Row> rows = experiment.rows();
  const double spread = experiment.spread_of_computing();
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  body["core_flops"] = experiment.core();
  if (experiment.waves() != 0) body["phase_waves"] = experiment.waves();
  body["spread_of_computing"] = spread;
  for (const Pq580Row& row : rows) {
    const double low = row.ours - spread * row.computed, high = row.ours + spread * row.computed;
    nlohmann::ordered_json entry{{"key", row.key}};
    entry.update(json_of(row.run, row.cost));
    entry["paper_computing_seconds"] = row.computing;
    entry["paper_measured_seconds"] = row.measured;
    entry["computing_seconds"] = row.computed;
    entry["predicted_seconds"] = row.ours;
    entry["predicted_interval"] = {low, high};
    entry["measured_inside"] = low <= row.measured && row.measured <= high;
    body["runs"].push_back(entry);
    result.host()["runs"].push_back(host_json_of(row.cost));
  }
}

}  // namespace

const Experiment kPq580Tables{
    .name = kPq580,
    .summary = "HPL, PHASE and FMO-ERI on PRIMEQUEST 580 predicted by skeletons (paper 003, tables 5 to 7)",
    .run = run_pq580,
    .options = " --only --set ",
};

}  // namespace psim::reproduce
