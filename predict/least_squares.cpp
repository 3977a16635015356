// SPDX-License-Identifier: Apache-2.0
#include "predict/least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace psim::predict {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd least_squares(const MatrixXd& a, const VectorXd& b, Eigen::Index* rank) {
  const auto factors = a.colPivHouseholderQr();
  if (rank != nullptr) *rank = factors.rank();
  return factors.solve(b);
}

VectorXd product(const MatrixXd& a, const VectorXd& x) { return a * x; }

MatrixXd inverse_of_squares(const MatrixXd& a) {
  return (a.transpose() * a).ldlt().solve(MatrixXd::Identity(a.cols(), a.cols()));
}

MatrixXd pseudo_inverse_of_squares(const MatrixXd& a) {
  return (a.transpose() * a).completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace psim::predict
