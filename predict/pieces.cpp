// SPDX-License-Identifier: Apache-2.0
#include "predict/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace psim::predict {
namespace {

/// A regime's points, and their sum.
struct Piece {
  std::vector<Measurement> points;
  double low = 0, high = 0;  ///< the range of the parameter
  CostFit fit;
};

std::vector<Piece> pieces_of(std::span<const Measurement> measurements, const Regimes& regimes) {
  std::vector<Piece> pieces;
  for (std::size_t regime = 0; regime <= regimes.caches; ++regime) {
    Piece piece;
    std::set<double> values;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      if (regimes.of[i] != regime) continue;
      piece.points.push_back(measurements[i]);
      values.insert(measurements[i].arguments[regimes.parameter]);
    }
    if (values.size() >= kFewestPiecePoints) {
      piece.low = *values.begin(), piece.high = *values.rbegin();
      pieces.push_back(std::move(piece));
    } else if (regime == regimes.caches) {
      return {};  // no piece shows the growth of the cost beyond the last cache
    }
  }
  return pieces.size() < 2 ? std::vector<Piece>() : pieces;
}

std::string gate_of(const std::vector<Piece>& pieces, std::size_t number, const std::string& name) {
  const auto weight = [&](std::size_t before) {
    const double a = pieces[before].high, b = pieces[before + 1].low;
    return fmt::format("min(max(({} - {}) / {}, 0), 1)", name, a, b - a);
  };
  std::string gate;
  if (number != 0) gate = weight(number - 1);
  if (number + 1 != pieces.size())
    gate += (gate.empty() ? "" : " * ") + fmt::format("(1 - {})", weight(number));
  return gate;
}

/// Returns the sum of a text for each piece, each within its gate.
template <class TextOf>
std::string gated_sum(const std::vector<Piece>& pieces, const std::vector<std::string>& gates,
                      TextOf text_of) {
  std::string sum;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    sum += fmt::format("{}({}) * {}", p == 0 ? "" : " + ", text_of(pieces[p].fit), gates[p]);
  return sum;
}

/// Joins the errors of the pieces' terms.
FitErrors join_errors(const std::vector<Piece>& pieces, const std::vector<std::string>& gates) {
  FitErrors all = pieces.back().fit.errors;  // growth and degrees of freedom
  all.terms.clear(), all.coefficients.clear(), all.covariance.clear();
  all.alternatives.clear(), all.weights.clear();
  all.points = 0;
  std::size_t most = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const FitErrors& own = pieces[p].fit.errors;
    const std::size_t before = all.terms.size();
    const double* covariance = own.covariance.data();
    for (std::size_t row = 0; row < own.terms.size(); ++row) {
      all.terms.push_back(own.terms[row] == "1" ? gates[p] : own.terms[row] + " * " + gates[p]);
      all.coefficients.push_back(own.coefficients[row]);
      all.covariance.insert(all.covariance.end(), before, 0.0);
      all.covariance.insert(all.covariance.end(), covariance, covariance + row + 1);
      covariance += row + 1;
    }
    all.points += own.points;
    all.residual_variance = std::max(all.residual_variance, own.residual_variance);
    most = std::max(most, own.alternatives.size());
  }
  // Where one piece counts alone, the others' alternatives do not differ from the sum.
  double total = 0;
  for (std::size_t a = 0; a < most; ++a) {
    all.alternatives.push_back(gated_sum(pieces, gates, [&](const CostFit& fit) {
      return a < fit.errors.alternatives.size() ? fit.errors.alternatives[a] : fit.expression;
    }));
    double weight = 0;
    for (const Piece& piece : pieces)
      if (a < piece.fit.errors.weights.size()) weight = std::max(weight, piece.fit.errors.weights[a]);
    all.weights.push_back(weight);
    total += weight;
  }
  if (total > 1)
    for (double& weight : all.weights) weight /= total;
  return all;
}

}  // namespace

std::size_t count_pieces(std::span<const Measurement> measurements, const std::optional<Regimes>& regimes) {
  return regimes ? std::max<std::size_t>(pieces_of(measurements, *regimes).size(), 1) : 1;
}

CostFit fit_pieces(std::span<const Measurement> measurements, const std::optional<Regimes>& regimes,
                   const std::vector<std::string>& parameters, const std::string& what) {
  std::vector<Piece> pieces = regimes ? pieces_of(measurements, *regimes) : std::vector<Piece>();
  if (pieces.empty()) return fit_cost(measurements, parameters, what);
  const std::string& name = parameters[regimes->parameter];
  std::vector<std::string> gates;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    pieces[p].fit = fit_cost(pieces[p].points, parameters, what);
    gates.push_back(gate_of(pieces, p, name));
  }
  CostFit joined;
  joined.expression = gated_sum(pieces, gates, [](const CostFit& fit) { return fit.expression; });
  joined.errors = join_errors(pieces, gates);
  double squares = 0, count = 0;
  for (const Piece& piece : pieces) {
    const auto points = static_cast<double>(piece.points.size());
    squares += points * piece.fit.cross_validation_error * piece.fit.cross_validation_error, count += points;
  }
  joined.cross_validation_error = std::sqrt(squares / count);
  const Expression expression = Expression::parse(joined.expression, parameters);
  for (const Measurement& point : measurements) {
    joined.fitted.push_back(expression.evaluate(point.arguments));
    joined.largest_error = std::max(joined.largest_error, std::abs(joined.fitted.back() / point.cost - 1));
  }
  return joined;
}

}  // namespace psim::predict
