// SPDX-License-Identifier: Apache-2.0
// Paper 003 table 2: dgemm and zgemm of order 1024 and eight FFTs of 1024 points, on the scalar core and with
// 16 SIMD-PEs. As in the paper, every scalar access is assumed to hit the first-level cache. The kernels and
// the reasons for their choice: docs/decisions/0018.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "base/config/print.h"
#include "base/console.h"
#include "base/error.h"
#include "machines/machine.h"
#include "papers/experiment.h"
#include "papers/expert_kernels.h"
#include "papers/form_sensitivity.h"
#include "papers/kernel_files.h"
#include "papers/measurements.h"
#include "papers/open_inputs.h"
#include "papers/other_assumptions.h"
#include "papers/peak.h"
#include "predict/order_fit.h"

namespace psim::reproduce {
namespace {

struct PaperKernel {
  const char* name;
  bool fitted;  ///< too long for a quick answer at order 1024
};
constexpr PaperKernel kTable2Paper[] = {{"dgemm", true}, {"zgemm", true}, {"fft", false}};
constexpr unsigned kOrder = 1024;
constexpr unsigned kStep = 64;                            ///< the kernels accept multiples of it
constexpr const char* kPerfect = "l1d.prefetch=perfect";  ///< the paper's assumption
constexpr const char *kScalarMachine = "sparc64v", *kSimdMachine = "simd16";

/// Returns the kernel `only`, or all.
std::vector<PaperKernel> kernels_of(const std::string& only) {
  check_only("table2", only, {"dgemm", "zgemm", "fft"});
  std::vector<PaperKernel> kernels;
  for (const PaperKernel& kernel : kTable2Paper)
    if (only.empty() || only == kernel.name) kernels.push_back(kernel);
  return kernels;
}

/// A kernel's programs for the scalar core and for the one with PEs.
struct KernelPrograms {
  std::string scalar, simd;
  const std::string& of(bool on_pes) const { return on_pes ? simd : scalar; }
};

/// Returns the programs of the kernels by name: other forms, "zgemm.form", or "zgemm.scalar-form" of the
/// scalar program alone, are those of variants/ and expert/.
std::map<std::string, KernelPrograms> programs_of(OpenInputs& inputs) {
  std::map<std::string, KernelPrograms> programs;
  for (const PaperKernel& kernel : kTable2Paper) {
    const std::string name = kernel.name;
    std::vector<std::string> forms{"paper/" + name};
    if (has_kernel("expert/" + name)) forms.push_back("expert/" + name);
    for (const Variant& variant : variants())
      if (variant.kernel == name) forms.push_back("variants/" + variant.name);
    const std::string form = inputs.choice(name + ".form", forms[0], forms);
    programs[name] = {inputs.choice(name + ".scalar-form", form, forms), form};
  }
  return programs;
}

/// Time in milliseconds and energy in millijoules of one kernel in one mode, by running it and by fit.
struct Cost {
  std::optional<double> run_ms, run_mj, fit_ms, fit_mj;
  std::optional<OrderFit> time, energy;
};

std::optional<double> quotient(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

class Table2 {
 public:
  explicit Table2(const ExperimentOptions& options)
      : options_(options),
        experts_(measured_),
        forms_(measured_),
        others_(measured_, settings_, options.only, !options.quick) {
    for (unsigned order = kStep; order <= options.fit_to; order += kStep) orders_.push_back(order);
    // The longest simulations come first.
    if (!options.quick) request_fitted(kOrder);
    for (auto order = orders_.rbegin(); order != orders_.rend(); ++order) request_fitted(*order);
    for (const PaperKernel& kernel : kernels_)
      if (!kernel.fitted) request(kernel, kOrder);
    others_.request();
    if (expert()) experts_.request();
    if (options.sensitivity) forms_.request();
  }

  void simulate() {
    measured_.simulate(options_);
    others_.simulate(options_);
    for (const PaperKernel& kernel : kernels_)
      for (const bool simd : {false, true}) costs_[{kernel.name, simd}] = cost_of(kernel, simd);
  }

  void print_others() const {
    if (expert()) console::print("{}\n", experts_.table(machine(false), machine(true)));
    if (options_.sensitivity) console::print("{}\n", forms_.table(machine(false), machine(true)));
  }

  void fill_in(ResultDocument& result) const {
    nlohmann::ordered_json& body = result.body();
    for (const bool simd : {false, true}) {
      const Machine& used = machine(simd);
      nlohmann::ordered_json& to = body["machine"][simd ? "simd" : "scalar"];
      to = {{"name", used.name}};
      to.update(config_json(used.schema));
    }
    for (const PaperKernel& kernel : kernels_)
      for (const std::string& program : std::set{program(kernel, true), program(kernel, false)})
        result.input(program, fmt::format("{}/{}", kernel_directory(), program), read_kernel_file(program));
    result.seed(1);
    body["quick"] = options_.quick;
    if (options_.sample) body["sample"] = true;
    if (!options_.settings.empty()) body["settings"] = options_.settings;
    add_rows(body);
    body["fits"] = nlohmann::ordered_json::array();
    for (const auto& [which, cost] : costs_)
      if (cost.time)
        body["fits"].push_back(
            {{"kernel", which.first},
             {"mode", which.second ? "simd" : "scalar"},
             {"orders", orders_},
             {"milliseconds", cost.time->coefficients},
             {"millijoules", cost.energy->coefficients},
             {"largest_error", std::max(cost.time->largest_error, cost.energy->largest_error)}});
    body["measurements"] = measured_.json();
    body["other_assumptions"] = others_.json();
    if (expert()) body["expert"] = experts_.json(machine(false), machine(true));
    if (options_.sensitivity) body["sensitivity"] = forms_.json();
  }

 private:
  /// Returns true if the kernels of an expert are measured, too: not with a part.
  bool expert() const { return options_.expert && options_.only.empty(); }
  static nlohmann::ordered_json row(const std::string& quantity, const std::optional<double>& run,
                                    const std::optional<double>& fit) {
    nlohmann::ordered_json made{{"quantity", quantity}, {"run", nullptr}, {"fit", nullptr}};
    if (run) made["run"] = *run;
    if (fit) made["fit"] = *fit;
    return made;
  }
  /// Adds the numbers that stand in the table: ms, and ratios.
  void add_rows(nlohmann::ordered_json& body) const {
    for (const PaperKernel& kernel : kernels_) {
      const std::string name = kernel.name;
      const Cost &scalar = costs_.at({name, false}), &simd = costs_.at({name, true});
      body["times"].push_back(row(name + " scalar", scalar.run_ms, scalar.fit_ms));
      body["times"].push_back(row(name + " SIMD", simd.run_ms, simd.fit_ms));
      body["times"].push_back(
          row(name + " ratio", quotient(scalar.run_ms, simd.run_ms), quotient(scalar.fit_ms, simd.fit_ms)));
      body["energy"].push_back(row(name + " energy ratio", quotient(simd.run_mj, scalar.run_mj),
                                   quotient(simd.fit_mj, scalar.fit_mj)));
    }
  }
  void request(const PaperKernel& kernel, unsigned order) {
    for (const bool simd : {false, true}) measured_.request({program(kernel, simd), simd, order});
  }
  void request_fitted(unsigned order) {
    for (const PaperKernel& kernel : std::views::reverse(kernels_))
      if (kernel.fitted) request(kernel, order);
  }

  Cost cost_of(const PaperKernel& kernel, bool simd) const {
    Cost cost;
    if (const Case whole{program(kernel, simd), simd, kOrder}; measured_.has(whole)) {
      cost.run_ms = 1e3 * measured_.of(whole).seconds;
      cost.run_mj = 1e3 * measured_.of(whole).joules;
    }
    if (!kernel.fitted) return cost;
    std::vector<OrderSample> times, energies;
    for (const unsigned order : orders_) {
      const KernelCost& measured = measured_.of({program(kernel, simd), simd, order});
      times.push_back({static_cast<double>(order), 1e3 * measured.seconds});
      energies.push_back({static_cast<double>(order), 1e3 * measured.joules});
    }
    cost.time = fit_order(times), cost.energy = fit_order(energies);
    cost.fit_ms = cost.time->at(kOrder), cost.fit_mj = cost.energy->at(kOrder);
    return cost;
  }

  std::vector<std::string> settings_of_machine() const {
    std::vector<std::string> settings{kPerfect};
    for (std::string& setting : inputs_.of_machine()) settings.push_back(std::move(setting));
    return settings;
  }
  const std::string& program(const PaperKernel& kernel, bool simd) const {
    return programs_.at(kernel.name).of(simd);
  }
  std::unique_ptr<Machine> machine_of(const char* name) const {
    MachineChoice common;
    common.machine = name;
    common.sets = settings_;
    return load_machine(common);
  }
  const Machine& machine(bool simd) const { return simd ? *simd_machine_ : *scalar_machine_; }

  const ExperimentOptions& options_;
  std::vector<PaperKernel> kernels_ = kernels_of(options_.only);
  OpenInputs inputs_{options_.settings};
  std::map<std::string, KernelPrograms> programs_ = programs_of(inputs_);
  std::vector<std::string> settings_ = settings_of_machine();
  std::unique_ptr<Machine> scalar_machine_ = machine_of(kScalarMachine);
  std::unique_ptr<Machine> simd_machine_ = machine_of(kSimdMachine);
  std::vector<unsigned> orders_;
  Measurements measured_{kScalarMachine, kSimdMachine, settings_};
  ExpertKernels experts_;
  FormSensitivity forms_;
  OtherAssumptions others_;
  std::map<std::pair<std::string, bool>, Cost> costs_;
};

void run_table2(const ExperimentOptions& options, ResultDocument& result) {
  Table2 table(options);
  table.simulate();
  table.print_others();
  table.fill_in(result);
}

}  // namespace

const Experiment kTable2{
    .name = "table2",
    .summary = "times and energies of dgemm, zgemm and fft, scalar and on 16 SIMD-PEs (paper 003)",
    .run = run_table2,
    .options = " --fit-to --expert --only --sensitivity --sample --set ",
};

}  // namespace psim::reproduce
