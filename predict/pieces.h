// SPDX-License-Identifier: Apache-2.0
// Fits the cost of a region whose data outgrow a cache between the points: one sum of terms (fit.h) for each
// regime, joined to one sum.
//
// Along the parameter x that grows, a regime is what lies on one side of the rise of the waits for a cache.
// Points on the rise itself belong to no piece. Between the last point a of a piece and the first point b of
// the next one, their weights change linearly, so the value has no step: each term is multiplied by w =
// min(max((x - a) / (b - a), 0), 1), or by 1 - w. The joined expression is therefore again a sum of
// coefficient × term, and its errors are those of the pieces: covariances are kept, the residual variance is
// the largest of them, and growth error and degrees of freedom are those of the last piece, beyond whose end
// models predict.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/fit.h"
#include "predict/regime.h"

namespace psim::predict {

/// The fewest points of a piece: with fewer, its sum has no degree of freedom left.
inline constexpr std::size_t kFewestPiecePoints = 4;

/// Fits one sum of terms for each regime that has kFewestPiecePoints different arguments, and joins them. If
/// fewer than two have, or the last has not, this is fit_cost(). Throws UserError as that does.
CostFit fit_pieces(std::span<const Measurement> measurements, const std::optional<Regimes>& regimes,
                   const std::vector<std::string>& parameters, const std::string& what);

/// Returns the number of pieces that fit_pieces() joins; 1: the points have one sum.
std::size_t count_pieces(std::span<const Measurement> measurements, const std::optional<Regimes>& regimes);

}  // namespace psim::predict
