// SPDX-License-Identifier: Apache-2.0
// Paper 004: rooflines with communication. The ridges of its five machines and the worked case of its figure
// 12 in both countings of messages, and its benchmark (workloads/roofline/products.c) on each machine. The
// data of its figures are lost, so that the statements of its text are judged.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/abandoned.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/run_progress.h"
#include "papers/experiment.h"
#include "papers/network_run.h"
#include "papers/open_inputs.h"
#include "papers/psim_process.h"
#include "papers/region_models.h"

namespace psim::reproduce {
namespace {

using nlohmann::ordered_json;

// All set before the first comparison, as the tolerances of papers/data/roofline.toml.
constexpr double kNearLine = 0.7;  ///< share of a line from which a point is near it, as in psim roofline
/// The paper does not give the rate of a matrix product on one node: an assumption for all machines.
constexpr double kEfficiency = 0.9;
constexpr int kProductOrder = 256, kProductRounds = 4;

/// A ridge that the paper prints: a value of papers/data/roofline.toml.
struct PrintedRidge {
  const char *name, *machine, *line;
};

const PrintedRidge kRidges[] = {
    {"sx9", "sx9", "IXS"},
    {"nehalem-ex-table", "nehalem_ex", "InfiniBand QDR"},
    {"nehalem-ex-text", "nehalem_ex", "InfiniBand QDR"},
    {"fx1", "fx1", "InfiniBand DDR"},
    {"fx10-ten-ports", "fx10", "to all neighbours, ten ports"},
    {"fx10-one-port", "fx10", "to one node, one port"},
    {"sr16000-hub", "sr16000", "hub"},
    {"sr16000-drawer", "sr16000", "one node of the drawer"},
    {"sr16000-indirect", "sr16000", "several other drawers, indirectly"},
};

/// A machine of the paper as it was measured: figures 6 to 11. Where the text gives an intensity up to which
/// messages limit, it is `low`, except for SX-9: the text has 18 with its measured bandwidth, which is lost,
/// and at full bandwidth messages limit up to 6.55.
struct MeasuredSystem {
  const char *machine, *figure, *shape;
  int ranks, distance;  ///< of the partner
  double low, high;  ///< intensities, both directions: bound by messages up to `low`, by the node from `high`
  const char *all, *used;  ///< lines of the fastest roof and of the one that the pattern uses
  double sharers = 1;      ///< nodes that share the latter
};

const MeasuredSystem kSystems[] = {
    {"sx9", "figure-6", "", 16, 1, 6, 75, "IXS", "IXS"},
    {"nehalem_ex", "figure-7", "", 4, 1, 18, 140, "InfiniBand QDR", "InfiniBand QDR"},
    {"fx1", "figure-8", "", 128, 8, 5, 140, "InfiniBand DDR", "InfiniBand DDR"},
    {"fx10", "figure-9", "", 12, 1, 3, 140, "to all neighbours, ten ports", "to one node, one port"},
    {"sr16000", "figure-10", "8x1", 8, 1, 9, 140, "hub", "one node of the drawer"},
    {"sr16000", "figure-11", "8x8:2", 64, 8, 2, 140, "hub", "one other drawer", 8},
};

/// The lines and points of psim roofline.
struct RoofDiagram {
  ordered_json lines, points;

  double value(const std::string& line, const char* key) const {
    for (const ordered_json& one : lines)
      if (one["name"] == line) return one[key].get<double>();
    throw std::runtime_error("psim roofline has no line " + line);
  }
};

/// The files of the benchmark: below the folder of --into, or in a temporary folder.
class RooflineFolder {
 public:
  explicit RooflineFolder(const std::string& into) : into_(into) {
    if (into.empty()) {
      folder_ = temporary_folder();
      path_ = folder_->path();
      return;
    }
    path_ = into + "/roofline";
    prepare_to_keep(path_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    OutputFile file(path_ + "/" + name, "roofline");
    file.write(text);
    file.commit();
    return path_ + "/" + name;
  }
  const std::string& into() const { return into_; }

 private:
  std::string into_, path_;
  std::optional<TemporaryFolder> folder_;
};

RoofDiagram diagram_of(const std::string& machine, const char* counting,
                       const std::vector<std::string>& files, const std::string& into,
                       const std::vector<std::string>& settings = {}) {
  std::vector<std::string> words{"roofline", "--machine", machine, "--counting", counting};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), files.begin(), files.end());
  const ordered_json result = ordered_json::parse(run_psim(words, "psim roofline " + machine, into).json);
  return {result["lines"], result["points"]};
}

/// The benchmark on a system at an intensity in flop per byte of both directions.
struct ProductRun {
  const MeasuredSystem* system;
  double peak, intensity;
  std::vector<std::string> settings = {};

  std::string label() const { return fmt::format("{}-{}-{:g}", system->machine, system->ranks, intensity); }
};

/// Returns the words of the benchmark after psim. Writes its model of the products.
std::vector<std::string> words_of(const ProductRun& run, const RooflineFolder& folder) {
  const MeasuredSystem& system = *run.system;
  const double flops = 2.0 * kProductOrder * kProductOrder * kProductOrder;
  const auto bytes = static_cast<long>(std::lround(flops / run.intensity / 2));
  const std::string model =
      folder.write("model-" + std::string(system.machine) + ".toml",
                   fmt::format("format = 1\n[region.product]\nparameters = \"n\"\nseconds = \"{} * n^3\"\n",
                               2 / (kEfficiency * run.peak)));
  std::vector<std::string> words{"net", "-n", std::to_string(system.ranks), "--machine", system.machine};
  if (*system.shape != '\0')
    words.insert(words.end(), {"--set", fmt::format("topology.shape={}", system.shape)});
  for (const std::string& setting : run.settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), {"--skeleton", "--compute", "model:" + model, program_directory() + "/products",
                             std::to_string(kProductOrder), "1", std::to_string(bytes),
                             std::to_string(kProductRounds), std::to_string(system.distance)});
  return words;
}

/// Runs the benchmark, options.jobs simulations at a time; returns the files of the results.
std::vector<std::string> product_runs(const RooflineFolder& folder, const std::vector<ProductRun>& runs,
                                      const ExperimentOptions& options) {
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const ProductRun& run : runs) {
    labels.push_back(run.label());
    tasks.push_back({[words = words_of(run, folder), label = run.label(), &folder]() {
      return run_psim(words, "psim net " + label, folder.into()).json;
    }});
  }
  const std::vector<std::string> results = do_all_shown(tasks, labels, options.jobs, options.quiet);
  std::vector<std::string> files;
  // The same text from a new and from a kept result: the file is an input of psim roofline.
  for (std::size_t i = 0; i < runs.size(); ++i)
    files.push_back(folder.write(labels[i] + ".json", ordered_json::parse(results[i]).dump(1)));
  return files;
}

/// Returns the point of the benchmark's slowest class of nodes.
const ordered_json& round_of(const RoofDiagram& diagram, const std::string& file) {
  const ordered_json* slowest = nullptr;
  for (const ordered_json& point : diagram.points)
    if (point["region"] == "round" && point["source"] == file &&
        (slowest == nullptr || point["flops_per_second"] < (*slowest)["flops_per_second"]))
      slowest = &point;
  if (slowest == nullptr) throw std::runtime_error(file + " has no point of the region round");
  return *slowest;
}

struct RoofStatement {
  std::string name;  ///< of a value of papers/data/roofline.toml
  bool holds;
};

/// Adds the ridges; `inputs` may have keys of the machine of one, NAME.KEY.
void add_ridges(const std::string& into, OpenInputs& inputs, ordered_json& body) {
  for (const PrintedRidge& ridge : kRidges) {
    const std::vector<std::string> settings = inputs.below(std::string(ridge.name) + ".");
    const RoofDiagram both = diagram_of(ridge.machine, "both", {}, into, settings),
                      one = diagram_of(ridge.machine, "one-way", {}, into, settings);
    body["ridges"].push_back({{"name", ridge.name},
                              {"machine", ridge.machine},
                              {"line", ridge.line},
                              {"both", both.value(ridge.line, "ridge_flops_per_byte")},
                              {"one_way", one.value(ridge.line, "ridge_flops_per_byte")}});
  }
}

/// The case of figure 12: messages of a quarter bring an SX-9 point to 4.59 flop/B and to 1175 GFlop/s.
void add_worked_case(const ExperimentOptions& options, ordered_json& body,
                     std::vector<RoofStatement>& statements) {
  const std::string& into = options.into;
  constexpr double kIntensity = 4.59;
  const RoofDiagram both = diagram_of("sx9", "both", {}, into), one = diagram_of("sx9", "one-way", {}, into);
  const double rate = kIntensity * both.value("IXS", "bytes_per_second") * 1e-9;
  const double rate_one = kIntensity * one.value("IXS", "bytes_per_second") * 1e-9;
  body["worked_case"] = {{"intensity", kIntensity}, {"both", 1e9 * rate}, {"one_way", 1e9 * rate_one}};
  const RooflineFolder folder(into);
  const double peak = both.value("peak", "flops_per_second");
  const std::vector<std::string> files =
      product_runs(folder, {{&kSystems[0], peak, kIntensity / 4}, {&kSystems[0], peak, kIntensity}}, options);
  const RoofDiagram runs = diagram_of("sx9", "both", files, into);
  const double before = round_of(runs, files[0])["flops_per_second"].get<double>() * 1e-9,
               after = round_of(runs, files[1])["flops_per_second"].get<double>() * 1e-9;
  body["worked_case"]["simulated"] = {1e9 * before, 1e9 * after};
  statements.push_back({"figure-12", after / before > 3 && after < rate * 1.001});
}

/// The intensities at which the benchmark runs on one machine.
std::vector<double> intensities_of(const MeasuredSystem& system, bool quick) {
  if (quick) return {system.low, system.high};
  return {system.low / 4, system.low, system.high, system.high * 4};
}

/// Judges the runs of the benchmark on one machine, whose results are in `files`.
void judge_products(const MeasuredSystem& system, double peak, const std::vector<double>& intensities,
                    const std::vector<std::string>& files, const std::string& into, ordered_json& body,
                    std::vector<RoofStatement>& statements) {
  const RoofDiagram diagram = diagram_of(system.machine, "both", files, into);
  const double roof = diagram.value(system.all, "bytes_per_second"),
               used = diagram.value(system.used, "bytes_per_second");
  bool inside = true, messages = true, node = true, tenth = true;
  for (std::size_t i = 0; i < intensities.size(); ++i) {
    const ordered_json& point = round_of(diagram, files[i]);
    const double rate = point["flops_per_second"].get<double>(),
                 at = point["flops_per_message_byte"].get<double>();
    const double attainable = point["attainable_flops_per_second"].get<double>();
    const double line = std::min(at * used / system.sharers, kEfficiency * peak);
    inside = inside && rate <= attainable * 1.001;
    if (intensities[i] <= system.low) messages = messages && rate >= kNearLine * line && rate <= line * 1.001;
    if (intensities[i] <= system.low && roof != used)
      tenth = tenth && rate <= 1.5 * at * used / system.sharers;
    if (intensities[i] >= system.high) node = node && rate >= kNearLine * kEfficiency * peak;
    ordered_json entry = point;
    entry.erase("source");
    entry["machine"] = system.machine;
    entry["figure"] = system.figure;
    body["points"].push_back(std::move(entry));
  }
  const std::string figure = system.figure;
  statements.push_back({figure + "-inside", inside});
  statements.push_back({figure + "-messages", messages});
  statements.push_back({figure + "-node", node});
  if (roof != used) statements.push_back({figure + "-far-below", tenth});
}

/// Runs the benchmark over intensities on all machines; `routing` is that of figure 11.
void measure_products(const ExperimentOptions& options, const std::string& routing, ordered_json& body,
                      std::vector<RoofStatement>& statements) {
  const RooflineFolder folder(options.into);
  std::vector<ProductRun> runs;
  for (const MeasuredSystem& system : kSystems) {
    const double peak =
        diagram_of(system.machine, "both", {}, options.into).value("peak", "flops_per_second");
    for (const double intensity : intensities_of(system, options.quick))
      runs.push_back({&system, peak, intensity});
    if (routing != "minimal" && std::string_view(system.figure) == "figure-11")
      for (ProductRun& run : runs)
        if (run.system == &system)
          run.settings = {"topology.routing=" + routing, "router.virtual_channels=4"};
  }
  const std::vector<std::string> files = product_runs(folder, runs, options);
  std::size_t begin = 0;
  for (const MeasuredSystem& system : kSystems) {
    const std::vector<double> intensities = intensities_of(system, options.quick);
    const auto first = files.begin() + static_cast<std::ptrdiff_t>(begin);
    judge_products(system, runs[begin].peak, intensities,
                   {first, first + static_cast<std::ptrdiff_t>(intensities.size())}, options.into, body,
                   statements);
    begin += intensities.size();
  }
}

void run_roofline(const ExperimentOptions& options, ResultDocument& result) {
  OpenInputs inputs(options.settings);
  const std::string routing = inputs.choice("figure-11.routing", "minimal", {"minimal", "ugal", "valiant"});
  ordered_json& body = result.body();
  body["quick"] = options.quick;
  if (!options.settings.empty()) body["settings"] = options.settings;
  std::vector<RoofStatement> statements;
  add_ridges(options.into, inputs, body);
  if (!inputs.of_machine().empty())
    throw UserError(
        fmt::format("reproduce: --set {}: expected figure-11.routing, or a key of a ridge's machine, such as "
                    "nehalem-ex-text.roofline.peak",
                    inputs.of_machine()[0].substr(0, 100)));
  add_worked_case(options, body, statements);
  measure_products(options, routing, body, statements);
  for (const RoofStatement& statement : statements)
    body["statements"].push_back({{"name", statement.name}, {"holds", statement.holds}});
}

}  // namespace

const Experiment kRoofline{
    .name = "roofline",
    .summary =
        "ridges of five machines, a worked case and a benchmark under roofs of communication (paper 004)",
    .run = run_roofline,
    .options = " --set ",
};

}  // namespace psim::reproduce
