// SPDX-License-Identifier: Apache-2.0
// Paper 003, section 4: HPL of N = 1.31 million and PHASE of 65,536 bands on a virtual machine of 4,096 nodes
// with 8 cores of 16 SIMD-PEs, in a torus of 16x16x16. The times of matrix products and transforms are those
// of our kernels on simd16. The paper derived its own from orders of a few hundred, and took communication
// from a formula as the analytic network does.

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "papers/experiment.h"
#include "papers/hpl_models.h"
#include "papers/kernel_files.h"
#include "papers/kernel_run.h"
#include "papers/open_inputs.h"
#include "papers/phase_models.h"
#include "papers/psim_process.h"
#include "papers/published.h"

namespace psim::reproduce {
namespace {

constexpr const char* kPetascaleName = "petascale";
constexpr double kCores = 8;  ///< of a node; they share each product and each transform evenly
constexpr double kPanel =
    10;  ///< multiply-adds of unblocked panels take this many times as long: an assumption
constexpr long kBlock = 256;  ///< NB: the largest order of the fit, so that its products are not extrapolated
// Table 9: PHASE does 0.65 PFlop/s in 165 s. Its products take 16 operations for each pair of bands and wave.
constexpr double kPhaseOperations = 0.65e15 * 165, kPhasePerPair = 16;
// Plane waves fill a sphere of a quarter of the grid's length: 4/3 pi / 4^3 of its points.
constexpr double kWavesOfPoints = 0.06545;

const std::vector<std::string> kSilent{"analytic.latency=1 ns", "analytic.bandwidth=10000 GB/s"};

/// The time of a kernel on one core, s, with its 95 % interval.
struct KernelTime {
  double value, low, high;
  double width_below() const { return 1 - low / value; }
  double width_above() const { return high / value - 1; }
};

/// Fits the kernel of paper/ at orders up to kBlock.
KernelTime kernel_time(const std::string& kernel, const std::string& into) {
  std::optional<TemporaryFolder> folder;
  if (into.empty()) folder = temporary_folder();
  const PsimOutcome fit =
      run_psim({"fit", "--into", into.empty() ? folder->path() : into + "/fits", "--machine", "simd16",
                "--set", "l1d.prefetch=perfect", "--args", "64 128 192 256", "--predict",
                std::to_string(kBlock), kernel_directory() + "/paper/" + kernel, "simd", "{}"},
               "psim fit " + kernel, into);
  const auto found = nlohmann::ordered_json::parse(fit.json)["regions"][0]["predictions"][0]["seconds"];
  return {found["value"].get<double>(), found["interval"][0].get<double>(),
          found["interval"][1].get<double>()};
}

/// A run with what is known of it. Its time without communication is that of the run number `alone`.
struct PetascaleRun {
  std::string key;
  NetworkRun run;
  const KernelTime* kernel;
  double operations;
  std::size_t alone;
  std::string published;  ///< the value of the data file; empty: not in the paper
};

class Petascale {
 public:
  explicit Petascale(const ExperimentOptions& options)
      : options_(options),
        published_(load_published(kPetascaleName)),
        dgemm_(kernel_time("dgemm", options.into)),
        zgemm_(kernel_time("zgemm", options.into)),
        fft_(simulate_kernel({"paper/fft", {"simd", "1024"}, "simd16", {"l1d.prefetch=perfect"}},
                             options.into)) {
    check_only(kPetascaleName, options.only, {"hpl", "phase", "phase-alone"});
    OpenInputs inputs(options.settings);
    block_ = inputs.whole("phase.block", 64, 32, 1024);
    columns_ = inputs.whole("phase.columns", 1, 1, 4096);
    settings_ = inputs.of_machine();
    const bool all = options.only.empty();
    if (all || options.only == "hpl")
      hpl(options.quick ? HplSystem{163'840, kBlock, 8, 8} : HplSystem{1'310'720, kBlock, 64, 64});
    if (all || options.only.starts_with("phase"))
      phase(options.quick ? PhaseSystem{16'384, 0, 8, 8, block_} : PhaseSystem{65'536, 0, 64, 64, block_});
    if (!all) return;
    hpl_packets(options.quick ? "smaller-" : "small-", {options.quick ? 10'240 : 40'960, kBlock, 8, 8});
    phase_packets({1'024, 32'768, 8, 8, std::min(block_, 128L)});
  }

  void report(ResultDocument& result);

 private:
  const RegionModels& models(const std::string& tables) {
    models_.push_back(std::make_unique<RegionModels>(tables, options_.into));
    return *models_.back();
  }
  static std::string shape_of(long processes) {
    return processes == 64 ? "topology.shape=4x4x4" : "topology.shape=16x16x16";
  }
  std::vector<std::string> settings_of(long processes, bool silent) const {
    std::vector<std::string> settings{shape_of(processes), "mpi.algorithms=allgather=recursive-doubling"};
    settings.insert(settings.end(), settings_.begin(), settings_.end());
    if (silent) settings.insert(settings.end(), kSilent.begin(), kSilent.end());
    return settings;
  }
  static constexpr double cube(long order) { return double(order) * double(order) * double(order); }

  void add(const std::string& key, NetworkRun run, const KernelTime& kernel, double operations,
           std::size_t alone, const std::string& published) {
    if (run.options.size() == 2) run.options.insert(run.options.end(), {"--network", "analytic"});
    runs_.push_back({key, std::move(run), &kernel, operations, alone, published});
  }

  void hpl(const HplSystem& system) {
    const RegionModels& times = models(hpl_models(dgemm_.value / cube(kBlock) / kCores, kPanel));
    const std::size_t first = runs_.size();
    for (const bool silent : {true, false})
      add(silent ? "without" : "analytic",
          hpl_run(system, times, "petascale", settings_of(system.p * system.q, silent)), dgemm_,
          system.operations(), first,
          options_.quick ? ""
          : silent       ? "without"
                         : "analytic");
  }

  /// Returns the seconds of a three-dimensional transform on a node, and its operations.
  std::pair<double, double> transform_of(const PhaseSystem& system) const {
    const double points = double(system.waves) / kWavesOfPoints, operations = 5 * points * std::log2(points);
    return {operations / (double(fft_.flops) / fft_.seconds) / kCores, operations};
  }
  static double operations_of(const PhaseSystem& system, double of_transform) {
    return kPhasePerPair * double(system.bands) * double(system.bands) * double(system.waves) +
           double(system.p * system.q) * system.transforms() * of_transform;
  }
  const RegionModels& models_of(const PhaseSystem& system) {
    const double multiply_add = zgemm_.value / cube(kBlock) / kCores * shared_columns(system.block, columns_);
    return models(phase_models(multiply_add, transform_of(system).first));
  }

  /// The number of waves follows from the paper's operations.
  void phase(PhaseSystem system) {
    const double pairs = double(65'536) * 65'536;
    system.waves = std::lround(kPhaseOperations / kPhasePerPair / pairs / double(system.q)) * system.q;
    const RegionModels& times = models_of(system);
    const double operations = operations_of(system, transform_of(system).second);
    const std::size_t first = runs_.size();
    for (const bool silent : {true, false}) {
      if (!silent && options_.only == "phase-alone") break;
      add(silent ? "phase" : "phase-analytic",
          phase_run(system, times, "petascale", settings_of(system.p * system.q, silent)), zgemm_, operations,
          first, options_.quick || !silent ? "" : "phase");
    }
  }

  /// Collectives of all rows and columns of the process grid at once, each on its own communicator, on
  /// packets too.
  void phase_packets(const PhaseSystem& system) {
    const RegionModels& times = models_of(system);
    const double operations = operations_of(system, transform_of(system).second);
    const std::size_t first = runs_.size();
    for (const char* network : {"without", "analytic", "packets"}) {
      const std::string name = network;
      NetworkRun run =
          phase_run(system, times, "petascale", settings_of(system.p * system.q, name == "without"));
      if (name == "packets") run.options.insert(run.options.end(), {"--network", "packets"});
      add("phase-small-" + name, std::move(run), zgemm_, operations, first, "");
    }
  }

  /// A small system, on packets too: whole sizes have too many of them.
  void hpl_packets(const std::string& prefix, const HplSystem& system) {
    const RegionModels& times = models(hpl_models(dgemm_.value / cube(kBlock) / kCores, kPanel));
    const std::size_t first = runs_.size();
    for (const char* network : {"without", "analytic", "packets"}) {
      const std::string name = network;
      NetworkRun run =
          hpl_run(system, times, "petascale", settings_of(system.p * system.q, name == "without"));
      if (name == "packets") run.options.insert(run.options.end(), {"--network", "packets"});
      add(prefix + name, std::move(run), dgemm_, system.operations(), first, "");
    }
  }

  const ExperimentOptions& options_;
  Published published_;
  long block_ = 64;   ///< bands of a block of PHASE
  long columns_ = 1;  ///< of a product's results, of which the cores of a node share whole groups
  std::vector<std::string> settings_;
  KernelTime dgemm_, zgemm_;
  KernelCost fft_;
  std::vector<std::unique_ptr<RegionModels>> models_;
  std::vector<PetascaleRun> runs_;
};

double seconds_of(const PetascaleRun& run, const NetworkCost& cost) {
  return run.run.program == "phase" ? phase_seconds(cost) : hpl_seconds(cost);
}

void Petascale::report(ResultDocument& result) {
  std::vector<NetworkRun> runs;
  for (const PetascaleRun& run : runs_) runs.push_back(run.run);
  const std::vector<NetworkCost> costs = simulate(runs, options_);
  nlohmann::ordered_json& body = result.body();
  body["quick"] = options_.quick;
  if (!options_.settings.empty()) body["settings"] = options_.settings;
  for (const auto& [name, kernel] : {std::pair("dgemm", &dgemm_), std::pair("zgemm", &zgemm_)})
    body["kernels"].push_back({{"name", name},
                               {"order", kBlock},
                               {"seconds", kernel->value},
                               {"seconds_interval", {kernel->low, kernel->high}}});
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const PetascaleRun& run = runs_[i];
    const double ours = seconds_of(run, costs[i]), computing = seconds_of(run, costs[run.alone]);
    // Computing scales with the kernel; to first order the rest of the time does not.
    const double low = ours - computing * run.kernel->width_below(),
                 high = ours + computing * run.kernel->width_above();
    nlohmann::ordered_json entry = json_of(run.run, costs[i]);
    entry["name"] = run.key;
    entry["predicted_seconds"] = ours;
    entry["predicted_interval"] = {low, high};
    entry["petaflops"] = run.operations / ours * 1e-15;
    entry["extrapolated"] = true;
    if (!run.published.empty()) entry["paper_seconds"] = published_.number(run.published);
    body["runs"].push_back(entry);
    nlohmann::ordered_json host = host_json_of(costs[i]);
    host["name"] = run.key, host["quick"] = options_.quick;
    result.host()["runs"].push_back(host);
  }
}

void run_petascale(const ExperimentOptions& options, ResultDocument& result) {
  Petascale experiment(options);
  experiment.report(result);
}

}  // namespace

const Experiment kPetascale{
    .name = kPetascaleName,
    .summary =
        "HPL and PHASE on a virtual petascale machine, by skeletons and our kernels on simd16 (paper 003)",
    .run = run_petascale,
    .options = " --only --set ",
};

}  // namespace psim::reproduce
