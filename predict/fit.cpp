// SPDX-License-Identifier: Apache-2.0
#include "predict/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"
#include "predict/least_squares.h"

namespace psim::predict {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Squared relative errors below this count as equal: cycles are whole numbers, and the simplest sum is meant.
constexpr double kExact = 1e-12;
constexpr std::size_t kBeam = 16;  ///< sums of k terms that are extended to k + 1 terms
constexpr std::size_t kMostAlternatives = 8;

/// A factor or term: its text, its value at each point, and its growth for the order of terms.
struct Term {
  std::string text;
  VectorXd values;
  double growth = 0;   ///< exponent; a logarithm counts 0.01
  int complexity = 2;  ///< 2; 3 with a root, block or logarithm, but n log2(n) is as likely as a power
};

/// A sum of terms during the search.
struct Sum {
  std::vector<std::size_t> terms;  ///< ascending
  MatrixXd basis;                  ///< orthonormal
  VectorXd residuals, leverage;
  double score = 0;           ///< mean squared error of left-out points
  double standard_error = 0;  ///< of the score
};

/// Returns the factors of one parameter, first the constant 1. `values`: the parameter at each point.
std::vector<Term> factors_of(const std::string& name, const VectorXd& values, const FitOptions& options) {
  std::vector<Term> factors{{"1", VectorXd::Ones(values.size()), 0}};
  if (values.minCoeff() == values.maxCoeff()) return factors;
  int complexity = 2;
  const auto add = [&](std::string text, const auto& column, double growth) {
    factors.push_back({std::move(text), column, growth, complexity});
  };
  const auto x = values.array();
  for (int power = 1; power <= 3; ++power)
    add(power == 1 ? name : fmt::format("{}^{}", name, power), x.pow(power).matrix(), power);
  if (values.minCoeff() >= 1) {
    const Eigen::ArrayXd log = x.log() / std::log(2.0);
    add(fmt::format("{0} * log2({0})", name), (x * log).matrix(), 1.01);
    complexity = 3;
    add(fmt::format("log2({})", name), log.matrix(), 0.01);
    add(fmt::format("sqrt({})", name), x.sqrt().matrix(), 0.5);
    add(fmt::format("{}^1.5", name), x.pow(1.5).matrix(), 1.5);
    add(fmt::format("{0} * log2({0})^2", name), (x * log * log).matrix(), 1.02);
    add(fmt::format("{0}^2 * log2({0})", name), (x * x * log).matrix(), 2.01);
  }
  complexity = 3;
  for (const std::uint32_t block : options.blocks) {
    const Eigen::ArrayXd blocks = (x / block).ceil();
    if ((blocks * block - x).matrix().isZero() || blocks.minCoeff() == blocks.maxCoeff()) continue;
    const std::string text = fmt::format("ceil({} / {})", name, block);
    add(text, blocks.matrix(), 1);
    add(text + "^2", blocks.square().matrix(), 2);
    add(text + "^3", blocks.cube().matrix(), 3);
    add(fmt::format("{} * {}", name, text), (x * blocks).matrix(), 2);
    add(fmt::format("{}^2 * {}", name, text), (x * x * blocks).matrix(), 3);
  }
  return factors;
}

/// Returns the products of one factor of each parameter.
std::vector<Term> candidate_terms(std::span<const Measurement> points,
                                  const std::vector<std::string>& parameters, const FitOptions& options) {
  const auto count = static_cast<Eigen::Index>(points.size());
  std::vector<Term> terms{{"1", VectorXd::Ones(count), 0}};
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    VectorXd values(count);
    for (Eigen::Index i = 0; i < count; ++i) values[i] = points[static_cast<std::size_t>(i)].arguments[p];
    std::vector<Term> products;
    for (const Term& factor : factors_of(parameters[p], values, options))
      for (const Term& term : terms) {
        if (term.growth + factor.growth > 4.5) continue;
        products.push_back({term.text == "1"     ? factor.text
                            : factor.text == "1" ? term.text
                                                 : term.text + " * " + factor.text,
                            term.values.cwiseProduct(factor.values), term.growth + factor.growth,
                            term.complexity + factor.complexity - 2});
      }
    terms = std::move(products);
  }
  return terms;
}

/// Returns a smooth first guess of the costs, a quadratic polynomial in the logarithms, which weighs points
/// alike for all sums. With few points it is the cost itself.
VectorXd first_guess(std::span<const Measurement> points, const VectorXd& costs) {
  const auto count = static_cast<Eigen::Index>(points.size());
  std::vector<VectorXd> columns{VectorXd::Ones(count)};
  for (std::size_t p = 0; p < points.front().arguments.size(); ++p) {
    VectorXd log(count);
    for (Eigen::Index i = 0; i < count; ++i)
      log[i] = std::log1p(std::abs(points[static_cast<std::size_t>(i)].arguments[p]));
    if (log.maxCoeff() - log.minCoeff() < 1e-9) continue;
    columns.push_back(log);
    columns.push_back(log.cwiseProduct(log));
  }
  if (count < static_cast<Eigen::Index>(columns.size()) + 3) return costs;
  MatrixXd matrix(count, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) matrix.col(static_cast<Eigen::Index>(c)) = columns[c];
  const VectorXd logs = costs.array().log().matrix();
  return product(matrix, least_squares(matrix, logs)).array().exp().matrix();
}

/// Adds a term to a sum. Returns false if the term depends on those that the sum has, or a point decides a
/// coefficient alone.
bool extend(Sum& sum, std::size_t index, const VectorXd& column) {
  VectorXd direction = column / column.norm();
  for (int pass = 0; pass < 2 && sum.basis.cols() != 0; ++pass)  // twice is enough (Kahan, Parlett)
    direction -= product(sum.basis, sum.basis.transpose() * direction);
  const double norm = direction.norm();
  if (!(norm > 1e-5)) return false;
  direction /= norm;
  sum.residuals -= direction * direction.dot(sum.residuals);
  sum.leverage += direction.cwiseAbs2();
  if (sum.leverage.maxCoeff() > 1 - 1e-9) return false;
  sum.basis.conservativeResize(column.size(), sum.basis.cols() + 1);
  sum.basis.col(sum.basis.cols() - 1) = direction;
  sum.terms.push_back(index);
  const Eigen::ArrayXd squares = (sum.residuals.array() / (1 - sum.leverage.array())).square();
  const auto count = static_cast<double>(column.size());
  sum.score = std::max(squares.mean(), kExact);
  sum.standard_error = std::sqrt((squares - squares.mean()).square().sum() / (count - 1) / count);
  return true;
}

/// The coefficients of a sum, and what they say about the points.
struct Solution {
  VectorXd coefficients, fitted;
  MatrixXd covariance;
  double residual_variance = 0;
};

/// Returns the degrees of freedom of the residuals. The choice among the candidates costs one, as if it were
/// a further coefficient (cf. Ye, JASA 93, 1998); without it, intervals hold 93 to 94 instead of 95 %.
std::uint32_t degrees_left(Eigen::Index points, Eigen::Index terms) {
  return static_cast<std::uint32_t>(std::max<Eigen::Index>(points - terms - 1, 1));
}

/// Solves for the coefficients. The divisors of the errors are the fitted costs, found by iteration from
/// `guess`, times `noise`.
Solution solve(const Sum& sum, const std::vector<Term>& terms, const VectorXd& costs, const VectorXd& guess,
               const VectorXd& noise) {
  const auto count = costs.size();
  const auto width = static_cast<Eigen::Index>(sum.terms.size());
  MatrixXd columns(count, width);
  VectorXd scales(width);
  for (Eigen::Index c = 0; c < width; ++c) {
    const VectorXd& values = terms[sum.terms[static_cast<std::size_t>(c)]].values;
    scales[c] = values.cwiseAbs().maxCoeff();
    columns.col(c) = values / scales[c];
  }
  Solution solution;
  solution.fitted = guess;
  MatrixXd weighted;
  for (int round = 0; round < 8; ++round) {
    const VectorXd divisors = solution.fitted.cwiseAbs().cwiseMax(1e-3 * guess).cwiseProduct(noise);
    weighted = divisors.cwiseInverse().asDiagonal() * columns;
    solution.coefficients = least_squares(weighted, costs.cwiseQuotient(divisors));
    solution.fitted = product(columns, solution.coefficients);
  }
  const VectorXd divisors = solution.fitted.cwiseAbs().cwiseMax(1e-3 * guess).cwiseProduct(noise);
  const double degrees = degrees_left(count, width);
  solution.residual_variance = (costs - solution.fitted).cwiseQuotient(divisors).squaredNorm() / degrees;
  solution.covariance = inverse_of_squares(weighted) * solution.residual_variance;
  const VectorXd unscale = scales.cwiseInverse();
  solution.coefficients = solution.coefficients.cwiseProduct(unscale);
  solution.covariance = unscale.asDiagonal() * solution.covariance * unscale.asDiagonal();
  return solution;
}

std::string text_of(const Sum& sum, const std::vector<Term>& terms, const VectorXd& coefficients) {
  std::string text;
  for (std::size_t i = 0; i < sum.terms.size(); ++i) {
    const double c = coefficients[static_cast<Eigen::Index>(i)];
    const std::string& term = terms[sum.terms[i]].text;
    text += fmt::format("{}{}", i == 0 ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "), std::abs(c));
    if (term != "1") text += " * " + term;
  }
  return text;
}

/// Returns points between the measured ones, and one at twice the largest arguments.
std::vector<std::vector<double>> probes_of(std::span<const Measurement> points) {
  std::set<std::vector<double>> sorted;
  for (const Measurement& point : points) sorted.insert(point.arguments);
  std::vector<std::vector<double>> probes;
  const auto add = [&](const std::vector<double>& a, const std::vector<double>& b, double weight) {
    std::vector<double> probe;
    for (std::size_t p = 0; p < a.size(); ++p) probe.push_back(weight * (a[p] + b[p]));
    probes.push_back(std::move(probe));
  };
  for (auto next = std::next(sorted.begin()); next != sorted.end(); ++next) add(*std::prev(next), *next, 0.5);
  add(*sorted.rbegin(), *sorted.rbegin(), 1);
  return probes;
}

/// Returns true if a cost may be like this: positive at all points and probes, and growing at last.
bool is_plausible(const Sum& sum, const Solution& solution, const std::vector<Term>& terms,
                  const std::vector<std::string>& parameters,
                  const std::vector<std::vector<double>>& probes) {
  if (!(solution.fitted.minCoeff() > 0) || !solution.coefficients.allFinite() ||
      !(solution.coefficients[static_cast<Eigen::Index>(sum.terms.size()) - 1] > 0))
    return false;
  try {
    const Expression expression = Expression::parse(text_of(sum, terms, solution.coefficients), parameters);
    return std::ranges::all_of(probes, [&](const auto& probe) { return expression.evaluate(probe) > 0; });
  } catch (const EvaluationError&) {
    return false;
  }
}

void check_points(std::span<const Measurement> points, const std::vector<std::string>& parameters,
                  const std::string& what) {
  std::set<std::vector<double>> different;
  for (const Measurement& point : points) {
    different.insert(point.arguments);
    if (!(point.cost > 0) || !std::isfinite(point.cost))
      throw UserError(fmt::format("{}({}): cost = {}: expected a positive number", what,
                                  fmt::join(point.arguments, ", "), point.cost));
  }
  std::size_t varying = 0;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    std::set<double> values;
    for (const Measurement& point : points) values.insert(point.arguments[p]);
    if (values.size() > 1) ++varying;
    if (values.size() > 1 && values.size() < kFewestValues)
      throw UserError(
          fmt::format("{}: too few points: {} has {} different values; expected at least {}, or one", what,
                      parameters[p], values.size(), kFewestValues));
  }
  const std::size_t fewest = varying == 0 ? 2 : kFewestPoints + 2 * (varying - 1);
  if (std::max(different.size(), varying == 0 ? points.size() : 0) < fewest)
    throw UserError(
        fmt::format("{}: too few points: {} different {}; expected at least {} for {} parameters that vary",
                    what, different.size(), different.size() == 1 ? "point" : "points", fewest, varying));
}

/// Returns the sums that the search visits, the best of each length first.
std::vector<Sum> search_sums(const std::vector<Term>& terms, const VectorXd& costs, const VectorXd& guess,
                             std::size_t most_terms) {
  std::vector<VectorXd> columns;
  for (const Term& term : terms) columns.push_back(term.values.cwiseQuotient(guess));
  std::vector<Sum> all, beam(1);
  beam[0].residuals = costs.cwiseQuotient(guess);
  beam[0].leverage = VectorXd::Zero(costs.size());
  for (std::size_t length = 1; length <= most_terms; ++length) {
    std::vector<Sum> longer;
    std::set<std::vector<std::size_t>> seen;
    for (const Sum& sum : beam)
      for (std::size_t t = 0; t < terms.size(); ++t) {
        std::vector<std::size_t> key = sum.terms;
        key.insert(std::upper_bound(key.begin(), key.end(), t), t);
        if (!seen.insert(std::move(key)).second) continue;
        Sum extended = sum;
        if (extend(extended, t, columns[t])) longer.push_back(std::move(extended));
      }
    std::ranges::stable_sort(longer, {}, &Sum::score);
    if (longer.size() > kBeam) longer.resize(kBeam);
    all.insert(all.end(), longer.begin(), longer.end());
    beam = std::move(longer);
  }
  for (Sum& sum : all)
    std::ranges::stable_sort(sum.terms, {}, [&](std::size_t term) { return terms[term].growth; });
  return all;
}

/// Returns the relative error, for each factor e of cost, with which the terms predict the dearer half of the
/// points from the others.
double growth_error(const Sum& sum, const std::vector<Term>& terms, const VectorXd& costs,
                    const VectorXd& fitted) {
  const auto width = static_cast<Eigen::Index>(sum.terms.size());
  Eigen::VectorX<Eigen::Index> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return fitted[a] < fitted[b]; });
  const auto half = std::min(std::max(width + 1, (costs.size() + 1) / 2), costs.size() - 1);
  const auto value = [&](Eigen::Index row, Eigen::Index column) {
    return terms[sum.terms[static_cast<std::size_t>(column)]].values[row];
  };
  MatrixXd matrix(half, width);
  for (Eigen::Index i = 0; i < half; ++i)
    for (Eigen::Index c = 0; c < width; ++c) matrix(i, c) = value(order[i], c) / costs[order[i]];
  const VectorXd coefficients = least_squares(matrix, VectorXd::Ones(half));
  const double last = fitted[order[half - 1]];
  double errors = 0, distances = 0;
  for (Eigen::Index i = half; i < order.size(); ++i) {
    double predicted = 0;
    for (Eigen::Index c = 0; c < width; ++c) predicted += coefficients[c] * value(order[i], c);
    const double error = predicted / costs[order[i]] - 1, distance = std::log(fitted[order[i]] / last);
    errors += error * error, distances += distance * distance;
  }
  if (!(distances > 0) || !std::isfinite(errors)) return kLeastGrowthError;
  return std::clamp(std::sqrt(errors / distances), kLeastGrowthError, 1e3);
}

}  // namespace

std::vector<Range> ranges_of(std::span<const Measurement> measurements) {
  std::vector<Range> ranges;
  for (std::size_t p = 0; !measurements.empty() && p < measurements.front().arguments.size(); ++p) {
    const auto value = [p](const Measurement& point) { return point.arguments[p]; };
    const auto [low, high] = std::ranges::minmax_element(measurements, {}, value);
    ranges.push_back({value(*low), value(*high)});
  }
  return ranges;
}

CostFit fit_cost(std::span<const Measurement> measurements, const std::vector<std::string>& parameters,
                 const std::string& what, const FitOptions& options) {
  check_points(measurements, parameters, what);
  const auto count = static_cast<Eigen::Index>(measurements.size());
  VectorXd costs(count), noise(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Measurement& point = measurements[static_cast<std::size_t>(i)];
    costs[i] = point.cost, noise[i] = std::hypot(1.0, point.error / kOwnError);
  }
  const VectorXd guess = first_guess(measurements, costs);
  const std::vector<Term> terms = candidate_terms(measurements, parameters, options);
  // Three points for each term: with fewer, sums that oscillate between noisy points pass cross-validation.
  const std::size_t most = std::min(options.most_terms, std::max<std::size_t>(measurements.size() / 3, 2));
  const std::vector<std::vector<double>> probes = probes_of(measurements);

  struct Candidate {
    Sum sum;
    Solution solution;
  };
  std::vector<Candidate> plausible;
  for (Sum& sum : search_sums(terms, costs, guess.cwiseProduct(noise), most)) {
    Solution solution = solve(sum, terms, costs, guess, noise);
    if (is_plausible(sum, solution, terms, parameters, probes))
      plausible.push_back({std::move(sum), std::move(solution)});
  }
  if (plausible.empty()) throw UserError(fmt::format("{}: no sum of terms fits the points", what));
  const auto best = std::ranges::min_element(plausible, {}, [](const auto& each) { return each.sum.score; });
  const double limit = best->sum.score + best->sum.standard_error;
  const Candidate* chosen = &*best;
  const auto rank = [&](const Candidate& candidate) {
    int complexity = 0;
    for (const std::size_t term : candidate.sum.terms) complexity += terms[term].complexity;
    return std::pair(complexity, candidate.sum.score);
  };
  for (const Candidate& candidate : plausible)
    if (candidate.sum.score <= limit && rank(candidate) < rank(*chosen)) chosen = &candidate;

  CostFit fit;
  fit.expression = text_of(chosen->sum, terms, chosen->solution.coefficients);
  fit.cross_validation_error = std::sqrt(chosen->sum.score);
  FitErrors& errors = fit.errors;
  const auto width = static_cast<Eigen::Index>(chosen->sum.terms.size());
  for (Eigen::Index row = 0; row < width; ++row) {
    errors.terms.push_back(terms[chosen->sum.terms[static_cast<std::size_t>(row)]].text);
    errors.coefficients.push_back(chosen->solution.coefficients[row]);
    for (Eigen::Index column = 0; column <= row; ++column)
      errors.covariance.push_back(chosen->solution.covariance(row, column));
  }
  errors.residual_variance = chosen->solution.residual_variance;
  errors.growth_error = growth_error(chosen->sum, terms, costs, chosen->solution.fitted);
  errors.degrees_of_freedom = degrees_left(count, width);
  errors.points = static_cast<std::uint32_t>(count);

  std::vector<const Candidate*> others;
  for (const Candidate& candidate : plausible)
    if (&candidate != chosen) others.push_back(&candidate);
  std::ranges::stable_sort(others, {}, [](const Candidate* each) { return each->sum.score; });
  if (others.size() > kMostAlternatives) others.resize(kMostAlternatives);
  // Akaike's weights would raise the ratio to half the number of points. The residuals of a deterministic
  // simulator are not independent, so points that agree with a sum say less than that about other arguments.
  const auto likelihood = [&](const Candidate& candidate) { return best->sum.score / candidate.sum.score; };
  double total = likelihood(*chosen);
  for (const Candidate* other : others) total += likelihood(*other);
  for (const Candidate* other : others) {
    const double weight = likelihood(*other) / total;
    if (weight < 1e-2) continue;
    errors.alternatives.push_back(text_of(other->sum, terms, other->solution.coefficients));
    errors.weights.push_back(weight);
  }
  const VectorXd& fitted = chosen->solution.fitted;
  fit.fitted.assign(fitted.begin(), fitted.end());
  fit.largest_error = (fitted.array() / costs.array() - 1).abs().maxCoeff();
  return fit;
}

}  // namespace psim::predict
