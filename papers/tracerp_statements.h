// SPDX-License-Identifier: Apache-2.0
// The statements of paper 002, section 4, about its figures, and whether they hold for ours.
#pragma once

#include <array>
#include <string>
#include <vector>

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
  std::array<double, 5> saved;  ///< share of power saved in the paper, by program; 0: not stated
  double slow_down;             ///< the largest in the paper
};
constexpr std::array<Network, 3> kNetworks{{{"fat tree", "fat_tree", {0, 0, 0.27, 0, 0.16}, 0.012},
                                            {"torus", "tracerp_torus", {0, 0, 0, 0.33, 0.25}, 0.04},
                                            {"dragonfly", "dragonfly", {0, 0, 0.26, 0, 0}, 0.006}}};
enum NetworkNumber : std::size_t { kFatTree, kTorus, kDragonfly };

/// The values of a program on a network, by step of a figure.
using Values = std::vector<double>;

/// [network * programs + program] of each figure, as shares of the always-on run.
struct Figures {
  const std::vector<Values>&power, &performance;   ///< figure 2: one step
  const std::vector<Values>& energy_by_after;      ///< figure 3: T_s = 10, 50, 250, 1250 us
  const std::vector<Values>& power_by_after;       ///< figure 4: T_s = 0, 10, 50, 250, 1250 us
  const std::vector<Values>& performance_by_wake;  ///< figure 5: T_w = 0, 5, 10, 15, 20 us
};

struct Statement {
  std::string text;
  bool holds = false;
  bool judged = false;  ///< follows from the way in which links sleep, for any program
};

std::vector<Statement> check(const Figures& figures);

}  // namespace psim::reproduce::tracerp
