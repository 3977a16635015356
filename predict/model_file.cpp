// SPDX-License-Identifier: Apache-2.0
#include "predict/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <charconv>
#include <cmath>
#include <deque>

#include "base/config/schema.h"
#include "base/read_file.h"

namespace psim::predict {
namespace {

constexpr std::string_view kRegionPrefix = "region.";
constexpr std::size_t kMostTerms = 16;

/// The values of a table as written.
struct RawErrors {
  std::string terms, coefficients, covariance, alternatives, weights;
  double residual_variance = 0, growth_error = 0;
  std::uint32_t degrees_of_freedom = 0, points = 0;
};
struct RawRegion {
  std::string name, key;  ///< "zgemm", "region.zgemm"
  Origin origin;
  std::string parameters, ranges, cycles, seconds, joules, machine, machine_sha256, program, program_sha256;
  Hertz clock{0};
  RawErrors time, energy;
};

constexpr const char* kErrorKeys[] = {
    "points",       "terms",   "coefficients", "covariance", "residual_variance", "degrees_of_freedom",
    "alternatives", "weights", "growth_error"};
constexpr const char* kOptionalErrorKeys[] = {"alternatives", "weights", "growth_error"};
constexpr const char* kPlainKeys[] = {"parameters", "ranges",  "cycles",         "seconds", "clock",
                                      "joules",     "machine", "machine_sha256", "program", "program_sha256"};

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
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
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
      const std::string near = nearest(leaf.substr(0, 100), keys);
      problems_.add(setting.origin.text(),
                    fmt::format("{} = {}: unknown key; {}", setting.key, setting.value,
                                near.empty() ? fmt::format("expected one of {}", fmt::join(keys, ", "))
                                             : "did you mean " + near + "?"));
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
    fit.time_errors = errors_of("", raw.time, fit.parameters);
    fit.joules_errors = errors_of("joules_", raw.energy, fit.parameters);
    if (fit.joules_errors && raw.joules.empty()) refuse("joules", ": missing; its errors are stated");
    return fit;
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

/// Returns the point in the middle of the fitted ranges.
std::vector<double> middle_of(const std::vector<Range>& ranges) {
  std::vector<double> point;
  for (const Range& range : ranges) point.push_back(std::floor((range.low + range.high) / 2));
  return point;
}

std::string quoted_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string errors_text(const std::string& prefix, const FitErrors& errors) {
  std::string out = fmt::format("{}points = {}\n", prefix, errors.points);
  out += fmt::format("{}terms = {}\n", prefix, quoted_toml(fmt::format("{}", fmt::join(errors.terms, "; "))));
  out += fmt::format("{}coefficients = \"{}\"\n", prefix, fmt::join(errors.coefficients, " "));
  out += fmt::format("{}covariance = \"{}\"\n", prefix, fmt::join(errors.covariance, " "));
  out += fmt::format("{}residual_variance = {}\n", prefix, errors.residual_variance);
  out += fmt::format("{}degrees_of_freedom = {}\n", prefix, errors.degrees_of_freedom);
  if (errors.growth_error != 0) out += fmt::format("{}growth_error = {}\n", prefix, errors.growth_error);
  if (!errors.alternatives.empty()) {
    out += fmt::format("{}alternatives = {}\n", prefix,
                       quoted_toml(fmt::format("{}", fmt::join(errors.alternatives, "; "))));
    out += fmt::format("{}weights = \"{}\"\n", prefix, fmt::join(errors.weights, " "));
  }
  return out;
}

}  // namespace

CompiledFit::CompiledFit(const std::string& expression, const std::vector<std::string>& parameters,
                         const std::optional<FitErrors>& errors, std::span<const double> at)
    : expression_(Expression::parse(expression, parameters)), errors_(errors) {
  if (!errors_) return;
  for (const std::string& term : errors_->terms) terms_.push_back(Expression::parse(term, parameters));
  for (const std::string& other : errors_->alternatives)
    alternatives_.push_back(Expression::parse(other, parameters));
  const auto quantile = [](std::uint32_t degrees) {
    const boost::math::students_t student(std::max(degrees, 1u));
    return boost::math::quantile(student, 0.5 + kConfidence / 2);
  };
  student_t_ = quantile(errors_->degrees_of_freedom);
  choice_t_ = quantile(errors_->points - 1);
  if (at.size() != parameters.size()) return;
  try {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const double part = errors_->coefficients[i] * terms_[i].evaluate(at);
      sum += part, size += std::abs(part);
    }
    const double value = expression_.evaluate(at);
    if (!(std::abs(value - sum) <= 1e-6 * size))
      throw ExpressionError(fmt::format("\"{}\" is not the sum of coefficients × terms: {} and {} at ({})",
                                        expression, value, sum, fmt::join(at, ", ")));
  } catch (const EvaluationError& error) {
    throw ExpressionError(
        fmt::format("\"{}\" or its terms at ({}): {}", expression, fmt::join(at, ", "), error.what()));
  }
}

double CompiledFit::value(std::span<const double> arguments) const {
  const double value = expression_.evaluate(arguments);
  if (value < 0) throw EvaluationError(fmt::format("negative: {}", value));
  return value;
}

Estimate CompiledFit::estimate(std::span<const double> arguments, std::span<const double> inside) const {
  constexpr double kNormal = 1.959963984540054;  // quantile of 0.975
  Estimate estimate;
  estimate.value = value(arguments);
  estimate.extrapolated = !std::equal(arguments.begin(), arguments.end(), inside.begin(), inside.end());
  if (!errors_) return estimate;
  std::array<double, kMostTerms> terms{};
  for (std::size_t i = 0; i < terms_.size(); ++i) terms[i] = terms_[i].evaluate(arguments);
  double variance = 0;
  const double* covariance = errors_->covariance.data();
  for (std::size_t row = 0; row < terms_.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column)
      variance += 2 * *covariance++ * terms[row] * terms[column];
    variance += *covariance++ * terms[row] * terms[row];
  }
  variance = std::max(variance, 0.0);
  double spread = 0;
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const double distance = alternatives_[i].evaluate(arguments) - estimate.value;
    spread += errors_->weights[i] * distance * distance;
  }
  double growth = 0;
  if (estimate.extrapolated && errors_->growth_error != 0 && estimate.value > 0)
    if (const double nearest = value(inside); nearest > 0)
      growth = errors_->growth_error * estimate.value * std::log(estimate.value / nearest);
  const auto square = [](double x) { return x * x; };
  estimate.standard_error = std::sqrt(variance + spread + square(growth));
  const double residual = errors_->residual_variance * square(estimate.value);
  const double half = std::sqrt(square(student_t_) * (variance + residual) + square(choice_t_) * spread +
                                square(kNormal * growth));
  if (!std::isfinite(half)) throw EvaluationError("overflow");
  estimate.low = std::max(estimate.value - half, 0.0);
  estimate.high = estimate.value + half;
  estimate.has_interval = true;
  return estimate;
}

Model::Model(RegionFit fit, std::string where)
    : fit_(std::move(fit)),
      where_(std::move(where)),
      time_(fit_.cycles.empty() ? fit_.seconds : fit_.cycles, fit_.parameters, fit_.time_errors,
            middle_of(fit_.ranges)) {
  if (!fit_.joules.empty())
    energy_.emplace(fit_.joules, fit_.parameters, fit_.joules_errors, middle_of(fit_.ranges));
}

std::vector<double> Model::checked(std::span<const std::int64_t> arguments) const {
  if (arguments.size() != fit_.parameters.size())
    throw UserError(fmt::format("{}: region {}: {} arguments; expected {}", where_, fit_.region,
                                arguments.size(), fit_.parameters.size()));
  return {arguments.begin(), arguments.end()};
}

void Model::fail(std::span<const std::int64_t> arguments, const std::string& expression,
                 const EvaluationError& error) const {
  throw UserError(fmt::format("{}: region {}({}): {} in \"{}\"", where_, fit_.region,
                              fmt::join(arguments, ", "), error.what(), expression));
}

double Model::mean_seconds(std::span<const std::int64_t> arguments) const {
  if (arguments.size() != fit_.parameters.size()) checked(arguments);  // throws
  std::array<double, kMostModelParameters> values{};
  std::copy(arguments.begin(), arguments.end(), values.begin());
  try {
    const double value = time_.value({values.data(), arguments.size()});
    return fit_.cycles.empty() ? value : value / static_cast<double>(fit_.clock_hz);
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.cycles.empty() ? fit_.seconds : fit_.cycles, error);
  }
}

namespace {

/// Returns the nearest arguments inside of the ranges.
std::vector<double> nearest_inside(const std::vector<Range>& ranges, std::vector<double> values) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    values[i] = std::clamp(values[i], ranges[i].low, ranges[i].high);
  return values;
}

}  // namespace

Estimate Model::seconds(std::span<const std::int64_t> arguments) const {
  const std::vector<double> values = checked(arguments);
  try {
    Estimate estimate = time_.estimate(values, nearest_inside(fit_.ranges, values));
    const double unit = fit_.cycles.empty() ? 1 : static_cast<double>(fit_.clock_hz);
    for (double* part : {&estimate.value, &estimate.standard_error, &estimate.low, &estimate.high})
      *part /= unit;
    return estimate;
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.cycles.empty() ? fit_.seconds : fit_.cycles, error);
  }
}

std::optional<Estimate> Model::joules(std::span<const std::int64_t> arguments) const {
  if (!energy_) return std::nullopt;
  const std::vector<double> values = checked(arguments);
  try {
    return energy_->estimate(values, nearest_inside(fit_.ranges, values));
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.joules, error);
  }
}

ModelFile ModelFile::read(const std::string& path) {
  const FileBytes file = read_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  return parse(file.bytes, path);
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
    const std::string near = nearest(region.substr(0, 255), names);
    throw UserError(fmt::format("{}: region {}: no model; {}", path_, region,
                                near.empty() ? fmt::format("expected one of {}", fmt::join(names, ", "))
                                             : "did you mean " + near + "?"));
  }
  if (model->arguments() != arguments)
    throw UserError(fmt::format("{}: region {}: {} arguments; the model has {} ({})", path_, region,
                                arguments, model->arguments(), fmt::join(model->fit().parameters, ", ")));
  return *model;
}

std::string model_file_text(const std::vector<RegionFit>& fits) {
  std::string out = "format = 1\n";
  for (const RegionFit& fit : fits) {
    out += fmt::format("\n[region.{}]\n", is_bare_key(fit.region) ? fit.region : quoted_toml(fit.region));
    out += fmt::format("parameters = \"{}\"\n", fmt::join(fit.parameters, " "));
    if (!fit.cycles.empty())
      out += fmt::format("cycles = {}\nclock = \"{} Hz\"\n", quoted_toml(fit.cycles), fit.clock_hz);
    if (!fit.seconds.empty()) out += fmt::format("seconds = {}\n", quoted_toml(fit.seconds));
    if (!fit.joules.empty()) out += fmt::format("joules = {}\n", quoted_toml(fit.joules));
    if (!fit.ranges.empty()) {
      std::vector<std::string> ranges;
      for (const Range& range : fit.ranges) ranges.push_back(fmt::format("{}..{}", range.low, range.high));
      out += fmt::format("ranges = \"{}\"\n", fmt::join(ranges, " "));
    }
    const std::pair<const char*, const std::string&> texts[] = {{"machine", fit.machine},
                                                                {"machine_sha256", fit.machine_sha256},
                                                                {"program", fit.program},
                                                                {"program_sha256", fit.program_sha256}};
    for (const auto& [key, text] : texts)
      if (!text.empty()) out += fmt::format("{} = {}\n", key, quoted_toml(text));
    if (fit.time_errors) out += errors_text("", *fit.time_errors);
    if (fit.joules_errors) out += errors_text("joules_", *fit.joules_errors);
  }
  return out;
}

}  // namespace psim::predict
