// SPDX-License-Identifier: Apache-2.0
// Linear least squares. The factorisations of Eigen are instantiated in least_squares.cpp only, because they
// take the compiler most of the time of a source.
#pragma once

#include <Eigen/Core>

namespace psim::predict {

/// The x with the least |a x - b|, by a QR factorisation with pivots. `rank`, if given, is set to that of
/// `a`.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                              Eigen::Index* rank = nullptr);
/// a x
Eigen::VectorXd product(const Eigen::MatrixXd& a, const Eigen::VectorXd& x);
/// The inverse of aᵀ a, which must have full rank.
Eigen::MatrixXd inverse_of_squares(const Eigen::MatrixXd& a);
/// The pseudo-inverse of aᵀ a.
Eigen::MatrixXd pseudo_inverse_of_squares(const Eigen::MatrixXd& a);

}  // namespace psim::predict
