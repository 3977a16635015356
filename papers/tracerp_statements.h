// SPDX-License-Identifier: Apache-2.0
// The statements of paper 002, section 4, about its figures, and whether they hold for ours. The paper's
// numbers are in papers/data/tracerp.toml.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/published.h"

namespace psim::reproduce::tracerp {

struct Program {
  const char* name;   ///< of the file
  const char* title;  ///< as in the paper
};
constexpr std::array<Program, 5> kPrograms{{{"near_neighbor", "near-neighbor"},
                                            {"permutation", "permutation"},
                                            {"qbox", "qbox"},
                                            {"stencil4d", "stencil4d"},
                                            {"a2a", "a2a"}}};
enum ProgramNumber : std::size_t { kNearNeighbor, kPermutation, kQbox, kStencil, kAllToAll };

struct Network {
  const char* name;
  const char* machine;
  const char* key;  ///< in the names of values in the data file
};
constexpr std::array<Network, 3> kNetworks{{{"fat tree", "fat_tree", "fat-tree"},
                                            {"torus", "tracerp_torus", "torus"},
                                            {"dragonfly", "dragonfly", "dragonfly"}}};
enum NetworkNumber : std::size_t { kFatTree, kTorus, kDragonfly };

/// The values of a program on a network, by step of a figure.
using Values = std::vector<double>;

/// [network * programs + program] of each figure, as shares of the always-on run; empty: it was not run.
struct Figures {
  const std::vector<Values>&power, &performance;   ///< figure 2: one step
  const std::vector<Values>& energy_by_after;      ///< figure 3: T_s = 10, 50, 250, 1250 us
  const std::vector<Values>& power_by_after;       ///< figure 4: T_s = 0, 10, 50, 250, 1250 us
  const std::vector<Values>& performance_by_wake;  ///< figure 5: T_w = 0, 5, 10, 15, 20 us
};

struct Statement {
  std::string text;
  bool holds = false;
};

/// The paper's numbers that the runs and its statements need.
struct PaperNumbers {
  double base_watts = 0, dynamic_watts = 0;          ///< of a port: P_base, P_dynamic
  double sleep_us = 0, wake_us = 0;                  ///< T_s, T_w
  std::array<double, kNetworks.size()> slow_down{};  ///< the largest on a network
};

/// Returns the numbers of papers/data/tracerp.toml. Throws std::out_of_range if one is missing there.
PaperNumbers paper_numbers(const Published& published);

/// Returns the statements on the figures that were run.
std::vector<Statement> check(const Figures& figures, const PaperNumbers& paper);

}  // namespace psim::reproduce::tracerp
