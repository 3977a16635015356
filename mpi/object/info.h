// SPDX-License-Identifier: Apache-2.0
// Lists of (key, value) hints (MPI-3.1 chapter 9).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace psim::net::mpi {

using InfoList = std::vector<std::pair<std::string, std::string>>;

}  // namespace psim::net::mpi
