// SPDX-License-Identifier: Apache-2.0
#include "predict/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/config/schema.h"
#include "base/parse_number.h"
#include "base/read_file.h"

namespace psim::predict {
namespace {

constexpr std::string_view kRegionPrefix = "region.";

/// The values of a table as written.
struct RawErrors {
  std::string terms, coefficients, covariance, alternatives, weights;
  double residual_variance = 0, growth_error = 0;
  std::uint32_t degrees_of_freedom = 0, points = 0;
};
struct RawRegion {
  std::string name, key;  ///< "zgemm", "region.zgemm"
  Origin origin;
  std::string parameters, ranges, cycles, seconds, joules, machine, machine_sha256, program, program_sha256,
      data_bytes, of_ranks, at_steps;
  std::uint64_t cache_bytes = 0;
  double memory_wait = 0;
  Hertz clock{0};
  RawErrors time, energy;
};

constexpr const char* kErrorKeys[] = {
    "points",       "terms",   "coefficients", "covariance", "residual_variance", "degrees_of_freedom",
    "alternatives", "weights", "growth_error"};
constexpr const char* kOptionalErrorKeys[] = {"alternatives", "weights", "growth_error"};
constexpr const char* kPlainKeys[] = {"parameters",  "ranges",         "cycles",     "seconds",
                                      "clock",       "joules",         "machine",    "machine_sha256",
                                      "program",     "program_sha256", "data_bytes", "cache_bytes",
                                      "memory_wait", "of_ranks",       "at_steps"};

void describe_errors(Schema& schema, const std::string& prefix, RawErrors& errors) {
  const std::string_view user = "-";
  const std::uint32_t most = 1u << 30;
  schema.add(prefix + "points", errors.points, {1, most}, "measured points", user);
  schema.add(prefix + "terms", errors.terms, "terms of the sum, separated by semicolons", user);
  schema.add(prefix + "coefficients", errors.coefficients, "coefficients of the terms", user);
  schema.add(prefix + "covariance", errors.covariance, "lower triangle, row by row", user);
  schema.add(prefix + "residual_variance", errors.residual_variance, {0.0, 1e6}, "of relative errors", user);
  schema.add(prefix + "growth_error", errors.growth_error, {0.0, 1e3}, "outside of the ranges", user);
  schema.add(prefix + "degrees_of_freedom", errors.degrees_of_freedom, {1, most}, "of the residuals", user);
  schema.add(prefix + "alternatives", errors.alternatives, "expressions that fit about as well", user);
  schema.add(prefix + "weights", errors.weights, "their weights", user);
}

void describe_region(Schema& schema, RawRegion& region) {
  const std::string_view user = "-";
  const std::string prefix = region.key + ".";
  schema.add(prefix + "parameters", region.parameters, "names of the arguments", user);
  schema.add(prefix + "ranges", region.ranges, "fitted ranges, LOW..HIGH for each argument", user);
  schema.add(prefix + "cycles", region.cycles, "cycles of one execution", user);
  schema.add(prefix + "seconds", region.seconds, "seconds of one execution", user);
  schema.add(prefix + "clock", region.clock, {Hertz{1}, Hertz{1'000'000'000'000}}, "of cycles", user);
  schema.add(prefix + "joules", region.joules, "energy of one execution", user);
  schema.add(prefix + "machine", region.machine, "machine of the points", user);
  schema.add(prefix + "machine_sha256", region.machine_sha256, "hash of its configuration", user);
  schema.add(prefix + "program", region.program, "program of the points", user);
  schema.add(prefix + "program_sha256", region.program_sha256, "hash of its file", user);
  schema.add(prefix + "data_bytes", region.data_bytes, "bytes of the program's data", user);
  schema.add(prefix + "cache_bytes", region.cache_bytes, {1, std::uint64_t{1} << 50},
             "of the cache that holds them", user);
  schema.add(prefix + "of_ranks", region.of_ranks, "factors of the time on ranks 0, 1, …", user);
  schema.add(prefix + "at_steps", region.at_steps, "shares of the time that have passed at each step", user);
  schema.add(prefix + "memory_wait", region.memory_wait, {0.0, 1e6}, "most waits beyond the cache, per cycle",
             user);
  describe_errors(schema, prefix, region.time);
  describe_errors(schema, prefix + "joules_", region.energy);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Returns the parts between separators, without blanks around them; none for an empty text.
std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (trimmed(text).empty()) return parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    const std::string_view part = trimmed(text.substr(0, end));
    if (separator != ' ' || !part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Reads the tables of a file. Problems are collected with file and line.
class Reader {
 public:
  Reader(const std::vector<Setting>& settings, const std::string& path, Problems& problems)
      : path_(path), problems_(problems) {
    std::vector<Setting> known;
    for (const Setting& setting : settings)
      if (is_known(setting)) known.push_back(setting);
    schema_.add("format", format_, {1, 1}, "version of the format", "-");
    for (RawRegion& region : regions_) describe_region(schema_, region);
    schema_.apply(known, problems_);
    if (!is_set("format")) problems_.add(path_, "format: missing; expected format = 1");
  }

  std::vector<Model> models() {
    std::vector<Model> all;
    for (const RawRegion& raw : regions_) {
      const std::size_t before = problems_.lines().size();
      region_ = &raw;
      RegionFit fit = fit_of(raw);
      if (problems_.lines().size() != before) continue;
      try {
        all.emplace_back(std::move(fit), raw.origin.text());
      } catch (const ExpressionError& error) {
        problems_.add(raw.origin.text(), fmt::format("{}: {}", raw.key, error.what()));
      }
    }
    return all;
  }

 private:
  /// Notes the region of a setting. Reports unknown keys, with the nearest one.
  bool is_known(const Setting& setting) {
    if (setting.key == "format") return true;
    const std::size_t dot = setting.key.rfind('.');
    if (!setting.key.starts_with(kRegionPrefix) || dot < kRegionPrefix.size()) {
      problems_.add(setting.origin.text(), fmt::format("{} = {}: unknown key; expected format, or a table "
                                                       "[region.NAME] for each region",
                                                       setting.key, setting.value));
      return false;
    }
    std::vector<std::string> keys(std::begin(kPlainKeys), std::end(kPlainKeys));
    for (const char* key : kErrorKeys) keys.insert(keys.end(), {key, std::string("joules_") + key});
    const std::string leaf = setting.key.substr(dot + 1);
    if (std::find(keys.begin(), keys.end(), leaf) == keys.end()) {
      problems_.add(
          setting.origin.text(),
          fmt::format("{} = {}: unknown key{}", setting.key, setting.value,
                      did_you_mean(leaf, keys, fmt::format("expected one of {}", fmt::join(keys, ", ")))));
      return false;
    }
    const std::string table = setting.key.substr(0, dot);
    const auto found = std::find_if(regions_.begin(), regions_.end(),
                                    [&](const RawRegion& region) { return region.key == table; });
    if (found == regions_.end()) {
      regions_.push_back({});
      regions_.back().key = table;
      regions_.back().name = table.substr(kRegionPrefix.size());
      regions_.back().origin = setting.origin;
    }
    return true;
  }

  bool is_set(const std::string& key) const { return !schema_.find(key)->origin.source_name.empty(); }
  bool is_bad(const std::string& key) const { return schema_.find(key)->bad; }
  std::string key_of(const std::string& leaf) const { return region_->key + "." + leaf; }
  bool has(const std::string& leaf) const { return is_set(key_of(leaf)); }

  void refuse(const std::string& leaf, const std::string& text) {
    const Origin& origin = schema_.find(key_of(leaf))->origin;
    problems_.add((origin.line != 0 ? origin : region_->origin).text(), key_of(leaf) + text);
  }

  RegionFit fit_of(const RawRegion& raw) {
    RegionFit fit;
    fit.region = raw.name;
    fit.parameters = parameters_of(raw);
    fit.ranges = ranges_of(raw, fit.parameters.size());
    fit.machine = raw.machine, fit.machine_sha256 = raw.machine_sha256;
    fit.program = raw.program, fit.program_sha256 = raw.program_sha256;
    fit.cycles = raw.cycles, fit.seconds = raw.seconds, fit.joules = raw.joules;
    fit.clock_hz = raw.clock.count;
    if (raw.cycles.empty() == raw.seconds.empty())
      refuse("cycles", raw.cycles.empty() ? ": missing; expected cycles or seconds"
                                          : ": the region has seconds, too; expected one of them");
    if (!raw.cycles.empty() && !has("clock")) refuse("clock", ": missing; cycles need it");
    if (raw.cycles.empty() && has("clock"))
      refuse("clock", ": only cycles have a clock; expected no such key");
    for (const char* leaf : {"cycles", "seconds", "joules"}) {
      const std::string& text = *leaf == 'c' ? raw.cycles : *leaf == 's' ? raw.seconds : raw.joules;
      if (!text.empty()) check_expression(leaf, text, fit.parameters);
    }
    take_data(raw, fit);
    for (const std::string& word : split_at(raw.of_ranks, ' ')) {
      const double factor = finite_number(word).value_or(-1);
      if (factor < 0)
        refuse("of_ranks", fmt::format(" = \"{}\": {}: expected a factor of at least 0", raw.of_ranks, word));
      fit.of_ranks.push_back(factor);
    }
    for (const std::string& rank : split_at(raw.at_steps, ';')) {
      std::vector<double>& shares = fit.at_steps.emplace_back();
      for (const std::string& word : split_at(rank, ' ')) {
        const double share = finite_number(word).value_or(-1), least = shares.empty() ? 0 : shares.back();
        if (share < least || share > 1)
          refuse("at_steps",
                 fmt::format(" = \"{}\": {}: expected a share from {} to 1", raw.at_steps, word, least));
        shares.push_back(share);
      }
    }
    fit.time_errors = errors_of("", raw.time, fit.parameters);
    fit.joules_errors = errors_of("joules_", raw.energy, fit.parameters);
    if (fit.joules_errors && raw.joules.empty()) refuse("joules", ": missing; its errors are stated");
    return fit;
  }

  void take_data(const RawRegion& raw, RegionFit& fit) {
    constexpr const char* kKeys[] = {"data_bytes", "cache_bytes", "memory_wait"};
    if (std::none_of(std::begin(kKeys), std::end(kKeys), [&](const char* key) { return has(key); })) return;
    for (const char* key : kKeys)
      if (!has(key))
        refuse(key, ": missing; expected data_bytes, cache_bytes and memory_wait, or none of them");
    fit.data_bytes = raw.data_bytes, fit.cache_bytes = raw.cache_bytes, fit.memory_wait = raw.memory_wait;
    if (!raw.data_bytes.empty()) check_expression("data_bytes", raw.data_bytes, fit.parameters);
  }

  void check_expression(const std::string& leaf, const std::string& text,
                        const std::vector<std::string>& parameters) {
    try {
      Expression::parse(text, parameters);
    } catch (const ExpressionError& error) {
      refuse(leaf, fmt::format(" = \"{}\": {}", text, error.what()));
    }
  }

  std::vector<std::string> parameters_of(const RawRegion& raw) {
    std::vector<std::string> names = split_at(raw.parameters, ' ');
    if (!has("parameters")) refuse("parameters", ": missing; expected the names of the arguments, or \"\"");
    if (names.size() > kMostModelParameters)
      refuse("parameters",
             fmt::format(" = \"{}\": expected at most {}", raw.parameters, kMostModelParameters));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!Expression::is_parameter_name(names[i]))
        refuse("parameters",
               fmt::format(" = \"{}\": {}: expected a letter, then letters, digits and _, and not "
                           "the name of a function",
                           raw.parameters, names[i]));
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i))
        refuse("parameters", fmt::format(" = \"{}\": {} stands twice", raw.parameters, names[i]));
    }
    return names;
  }

  std::vector<Range> ranges_of(const RawRegion& raw, std::size_t parameters) {
    std::vector<Range> ranges;
    if (!has("ranges")) return ranges;
    for (const std::string& text : split_at(raw.ranges, ' ')) {
      const std::size_t dots = text.find("..");
      const auto low = finite_number(text.substr(0, dots));
      const auto high = dots == std::string::npos
                            ? std::nullopt
                            : finite_number(text.substr(std::min(dots + 2, text.size())));
      if (low && high && *low <= *high)
        ranges.push_back({*low, *high});
      else
        refuse("ranges", fmt::format(" = \"{}\": {}: expected LOW..HIGH", raw.ranges, text));
    }
    if (ranges.size() != parameters)
      refuse("ranges",
             fmt::format(" = \"{}\": expected {} ranges, one for each parameter", raw.ranges, parameters));
    return ranges;
  }

  std::vector<double> numbers_of(const std::string& leaf, const std::string& text, std::size_t count) {
    std::vector<double> numbers;
    for (const std::string& word : split_at(text, ' ')) {
      const auto value = finite_number(word);
      if (!value) refuse(leaf, fmt::format(" = \"{}\": {}: expected a number", text, word));
      numbers.push_back(value.value_or(0));
    }
    if (numbers.size() != count)
      refuse(leaf, fmt::format(" = \"{}\": {} numbers; expected {}", text, numbers.size(), count));
    return numbers;
  }

  std::optional<FitErrors> errors_of(const std::string& prefix, const RawErrors& raw,
                                     const std::vector<std::string>& parameters) {
    if (std::none_of(std::begin(kErrorKeys), std::end(kErrorKeys),
                     [&](const char* key) { return has(prefix + key); }))
      return std::nullopt;
    bool complete = true;
    for (const char* key : kErrorKeys) {
      if (has(prefix + key) ||
          std::ranges::find(kOptionalErrorKeys, std::string_view(key)) != std::end(kOptionalErrorKeys))
        continue;
      refuse(prefix + key, ": missing; other keys of the errors are stated");
      complete = false;
    }
    if (!complete) return std::nullopt;
    FitErrors errors;
    errors.points = raw.points;
    errors.degrees_of_freedom = raw.degrees_of_freedom;
    errors.residual_variance = raw.residual_variance;
    errors.growth_error = raw.growth_error;
    errors.terms = split_at(raw.terms, ';');
    const std::size_t terms = errors.terms.size();
    if (terms == 0 || terms > kMostTerms)
      refuse(prefix + "terms", fmt::format(" = \"{}\": expected 1 … {} terms", raw.terms, kMostTerms));
    for (const std::string& term : errors.terms) check_expression(prefix + "terms", term, parameters);
    errors.coefficients = numbers_of(prefix + "coefficients", raw.coefficients, terms);
    errors.covariance = numbers_of(prefix + "covariance", raw.covariance, terms * (terms + 1) / 2);
    for (std::size_t row = 0, i = 0; row < terms && i + row < errors.covariance.size(); i += ++row)
      if (errors.covariance[i + row] < 0)
        refuse(prefix + "covariance",
               fmt::format(" = \"{}\": the variance of coefficient {} is negative", raw.covariance, row + 1));
    errors.alternatives = split_at(raw.alternatives, ';');
    for (const std::string& other : errors.alternatives)
      check_expression(prefix + "alternatives", other, parameters);
    errors.weights = numbers_of(prefix + "weights", raw.weights, errors.alternatives.size());
    double sum = 0;
    for (const double weight : errors.weights) sum += weight < 0 ? 2 : weight;
    if (sum > 1 + 1e-9)
      refuse(prefix + "weights",
             fmt::format(" = \"{}\": expected weights >= 0 with a sum up to 1", raw.weights));
    return errors;
  }

  std::string path_;
  Problems& problems_;
  std::deque<RawRegion> regions_;  // the schema refers to them
  std::uint32_t format_ = 1;
  Schema schema_;
  const RawRegion* region_ = nullptr;  ///< the one whose keys are checked
};

}  // namespace

ModelFile ModelFile::read(const std::string& path) {
  const FileBytes file = read_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  return parse(file.bytes, path);
}

FileKeys model_file_keys() {
  auto region = std::make_shared<RawRegion>();
  region->key = "region.NAME";
  FileKeys keys{.values = region};
  describe_region(*keys.schema, *region);
  return keys;
}

ModelFile ModelFile::parse(std::string_view text, const std::string& path) {
  Problems problems;
  const std::vector<Setting> settings = read_toml(text, path, problems);
  problems.throw_if_any();
  ModelFile file;
  file.path_ = path;
  file.models_ = Reader(settings, path, problems).models();
  if (problems.empty() && file.models_.empty())
    problems.add(path, "no models; expected a table [region.NAME] for each region");
  problems.throw_if_any();
  return file;
}

const Model* ModelFile::find(std::string_view region) const {
  for (const Model& model : models_)
    if (model.fit().region == region) return &model;
  return nullptr;
}

const Model& ModelFile::find(std::string_view region, std::size_t arguments) const {
  const Model* model = find(region);
  if (model == nullptr) {
    std::vector<std::string> names;
    for (const Model& each : models_) names.push_back(each.fit().region);
    throw UserError(
        fmt::format("{}: region {}: no model{}", path_, region,
                    did_you_mean(region, names, fmt::format("expected one of {}", fmt::join(names, ", ")))));
  }
  if (model->arguments() != arguments)
    throw UserError(fmt::format("{}: region {}: {} arguments; the model has {} ({})", path_, region,
                                arguments, model->arguments(), fmt::join(model->fit().parameters, ", ")));
  return *model;
}

}  // namespace psim::predict
