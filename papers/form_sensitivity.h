// SPDX-License-Identifier: Apache-2.0
// The cost of other forms of the paper kernels: another block, tile, order of loops, no unrolling. The forms
// are the fixed list workloads/kernels/paper/variants; the kept forms do not change with it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "machines/machine.h"
#include "papers/kernel_files.h"
#include "papers/measurements.h"

namespace psim::reproduce {

class FormSensitivity {
 public:
  explicit FormSensitivity(Measurements& measured) : measured_(measured) {}

  /// Requests the measurement of every form and of the kept ones, of order 128 (fft: 1024).
  void request();
  /// Returns, after the measurement, a line for each form with its share of peak or its time, and the change
  /// of time from the kept form.
  std::string table(const Machine& scalar, const Machine& simd) const;
  /// Returns [{"kernel", "flags", "mode", "order", "seconds", "change"}]; change is a fraction of the kept
  /// form's time.
  nlohmann::ordered_json json() const;

 private:
  Measurements& measured_;
  std::vector<Variant> variants_;
};

}  // namespace psim::reproduce
