// SPDX-License-Identifier: Apache-2.0
// Models as source text, for programs that compute predictions themselves.
#pragma once

#include <string>
#include <vector>

#include "predict/model_file.h"

namespace psim::predict {

/// Returns a header in C: `double psim_seconds_zgemm(double n)`, and psim_joules_… where energy is stated.
std::string c_header(const std::vector<Model>& models);
/// Returns a Fortran module with the same functions. The module is named after the file at `path`.
std::string fortran_module(const std::vector<Model>& models, const std::string& path);

}  // namespace psim::predict
