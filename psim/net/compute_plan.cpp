// SPDX-License-Identifier: Apache-2.0
#include "psim/net/compute_plan.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/read_file.h"

namespace psim {
namespace {

constexpr std::string_view kMeasured = "measured", kModel = "model:", kRecorded = "recorded:";
constexpr double kLeastFactor = 1e-6, kMostFactor = 1e6;

/// Returns a factor within the limits; nothing for another text.
std::optional<double> factor_of(std::string_view text) {
  const auto factor = parse_number<double>(text);
  return factor && *factor >= kLeastFactor && *factor <= kMostFactor ? factor : std::nullopt;
}

}  // namespace

std::optional<net::RegionModels::Value> ComputePlan::Models::time(
    std::string_view region, std::span<const std::int64_t> arguments) const {
  if (file.find(region) == nullptr) return {};
  const predict::Estimate estimate = file.find(region, arguments.size()).seconds(arguments);
  double seconds = estimate.value;
  if (estimate.has_interval && bound_ == ModelBound::Low) seconds = estimate.low;
  if (estimate.has_interval && bound_ == ModelBound::High) seconds = estimate.high;
  return Value{seconds, estimate.extrapolated};
}

ComputePlan::ComputePlan(const ProgramOptions& options) : force_(options.force_model) {
  const std::string& how = options.compute;
  if (how.starts_with(kModel)) {
    const std::string path = how.substr(kModel.size());
    models_ = std::make_unique<Models>(predict::ModelFile::parse(read("model", path), path), options.bound);
    computing_.models = models_.get();
  } else if (how.starts_with(kRecorded)) {
    const std::string path = how.substr(kRecorded.size());
    record_ = net::ComputeRecord::parse(path, read("recorded times", path));
    computing_.recorded = &record_;
    computing_.factor = 1;
  } else if (how.starts_with(kMeasured)) {
    const std::string_view rest = std::string_view(how).substr(kMeasured.size());
    const std::optional<double> factor = rest.empty()            ? 1
                                         : rest.starts_with('*') ? factor_of(rest.substr(1))
                                                                 : std::nullopt;
    computing_.factor = factor.value_or(0);
  }
  const bool known = computing_.factor > 0 || models_ || how.empty() || how == "stated";
  if (!known)
    throw UserError(
        fmt::format("--compute {}: expected stated, measured, measured*K with K from {:g} to {:.0f}, "
                    "recorded:FILE or model:FILE",
                    how, kLeastFactor, kMostFactor));
  const bool measures = computing_.factor > 0 && computing_.recorded == nullptr;
  if (!options.record_compute.empty() && !measures)
    throw UserError(fmt::format("--record-compute {}: needs --compute measured", options.record_compute));
  computing_.records = !options.record_compute.empty() || (options.efficiency && measures);
  computing_.halves = options.what_if.halves;
  computing_.halved = options.what_if.region;
  if (!options.what_if.record.empty()) {
    record_ = net::ComputeRecord::parse("the record of the first run", options.what_if.record);
    computing_.recorded = &record_;
  }
  if (force_ && !models_) throw UserError("--force-model: needs --compute model:FILE");
  if (!options.compute_factors.empty() && computing_.factor == 0 && !models_)
    throw UserError("--compute-factor: needs --compute measured, recorded:FILE or model:FILE");
  if (!options.replay.empty() &&
      (models_ || computing_.recorded != nullptr || (options.efficiency && measures)))
    throw UserError(
        fmt::format("--compute {}: not with --replay, whose file has the times of computing", how));
  if (options.skeleton && !models_)
    throw UserError("--skeleton: needs --compute model:FILE, which gives the times of regions");
  computing_.skips = options.skeleton;
  take_factors(options.compute_factors);
}

const std::string& ComputePlan::read(const char* role, const std::string& path) {
  FileBytes file = read_file(path, kMostProgramBytes);
  if (!file.problem.empty()) throw UserError(fmt::format("--compute: {}: {}", path, file.problem));
  return input_.emplace(Input{role, path, std::move(file.bytes)}).bytes;
}

void ComputePlan::take_factors(const std::vector<std::string>& factors) {
  for (const std::string& text : factors) {
    const std::size_t equals = text.rfind('=');
    const std::optional<double> factor =
        equals == std::string::npos ? std::nullopt : factor_of(std::string_view(text).substr(equals + 1));
    if (!factor || equals == 0)
      throw UserError(
          fmt::format("--compute-factor {}: expected REGION=FACTOR with a factor from {:g} to {:.0f}", text,
                      kLeastFactor, kMostFactor));
    if (!computing_.factors.emplace(text.substr(0, equals), *factor).second)
      throw UserError(fmt::format("--compute-factor {}: the region has a factor already", text));
  }
}

bool ComputePlan::has_intervals() const {
  return models_ && std::ranges::any_of(models_->file.models(), [](const auto& model) {
           return model.fit().time_errors.has_value();
         });
}

std::vector<std::string> ComputePlan::without_errors() const {
  std::vector<std::string> regions;
  if (models_)
    for (const predict::Model& model : models_->file.models())
      if (!model.fit().time_errors) regions.push_back(model.fit().region);
  return regions;
}

std::vector<std::string> ComputePlan::check_machines(const NetworkMachine& network) const {
  if (!models_) return {};
  std::vector<std::string> notes;
  const predict::RegionFit* first = nullptr;
  const std::string wanted = core_sha256(network);
  const auto refuse = [&](const predict::RegionFit& fit, const std::string& why) {
    const std::string text = fmt::format("{}: region {}: machine = \"{}\": {}", models_->file.path(),
                                         fit.region, fit.machine, why);
    if (!force_) throw UserError(text + ", or --force-model");
    notes.push_back(text + " (--force-model)");
  };
  for (const predict::Model& model : models_->file.models()) {
    const predict::RegionFit& fit = model.fit();
    if (fit.machine_sha256.empty()) continue;
    if (!wanted.empty() && fit.machine_sha256 != wanted)
      refuse(fit,
             fmt::format("the model was made on {} than node.core = \"{}\" of the network; expected a model "
                         "of that machine",
                         fit.machine == network.core ? "another version of the machine" : "another machine",
                         network.core));
    if (first == nullptr) first = &fit;
    if (wanted.empty() && fit.machine_sha256 != first->machine_sha256)
      refuse(fit,
             fmt::format("the model of region {} was made on another machine, \"{}\"; expected one machine",
                         first->region, first->machine));
  }
  if (first != nullptr && wanted.empty())
    notes.push_back(
        fmt::format("the network names no core (node.core): the machine of the models, {}, was not "
                    "compared",
                    first->machine));
  return notes;
}

ComputeOf ComputePlan::stated(const ProgramOptions& options, std::vector<std::string> machines) const {
  return {.mode = options.compute.empty() ? "stated" : options.compute,
          .counts_code = computing_.counts_code(),
          .models = computing_.models != nullptr,
          .machines = std::move(machines),
          .without_errors = without_errors(),
          .factors = computing_.factors,
          .low = options.low,
          .high = options.high};
}

}  // namespace psim
