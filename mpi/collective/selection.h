// SPDX-License-Identifier: Apache-2.0
// Selection of the algorithm of a collective: a table over (size of the communicator, bytes), with the user's
// rules first. selection.cpp is part of psim and of the library of simulated programs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace psim::net::mpi {

enum class CollectiveKind : std::uint8_t {
  Barrier,
  Bcast,
  Reduce,
  Allreduce,
  Gather,
  Scatter,
  Allgather,
  Alltoall,
  ReduceScatter,
  Scan
};

enum class BarrierAlgorithm : std::uint8_t { Dissemination, Tree, TwoLevel, Hardware, Table };
enum class BcastAlgorithm : std::uint8_t { Binomial, Linear, ScatterRing, Chain, TwoLevel, Hardware, Table };
enum class ReduceAlgorithm : std::uint8_t { Binomial, Linear, Rabenseifner, TwoLevel, Hardware, Table };
enum class AllreduceAlgorithm : std::uint8_t {
  RecursiveDoubling,
  ReduceBcast,
  Ring,
  Rabenseifner,
  TwoLevel,
  Hardware,
  Table
};
enum class GatherAlgorithm : std::uint8_t { Binomial, Linear, Table };
enum class ScatterAlgorithm : std::uint8_t { Binomial, Linear, Table };
enum class AllgatherAlgorithm : std::uint8_t { Bruck, Ring, RecursiveDoubling, GatherBcast, TwoLevel, Table };
enum class AlltoallAlgorithm : std::uint8_t { Pairwise, Bruck, Linear, Table };
enum class ReduceScatterAlgorithm : std::uint8_t { Pairwise, ReduceScatter, Table };
enum class ScanAlgorithm : std::uint8_t { RecursiveDoubling, Linear, Table };

struct SelectionRule {
  CollectiveKind collective;
  std::uint32_t ranks;  ///< at most
  std::uint64_t bytes;  ///< at most
  std::uint8_t algorithm;
};

class Selection {
 public:
  /// Throws std::invalid_argument if `rules` (MpiConfig::algorithms) has an error.
  explicit Selection(std::string_view rules);

  /// Returns the algorithm. `bytes`: of one block for gather, scatter, allgather and alltoall, else of the
  /// vector.
  template <class Algorithm>
  Algorithm choose(CollectiveKind collective, int ranks, std::uint64_t bytes) const {
    return static_cast<Algorithm>(find(collective, static_cast<std::uint32_t>(ranks), bytes, kNone));
  }
  /// The same without the rules that give `other`.
  template <class Algorithm>
  Algorithm choose_other(CollectiveKind collective, int ranks, std::uint64_t bytes, Algorithm other) const {
    return static_cast<Algorithm>(
        find(collective, static_cast<std::uint32_t>(ranks), bytes, static_cast<std::uint8_t>(other)));
  }

 private:
  static constexpr std::uint8_t kNone = 255;
  std::uint8_t find(CollectiveKind collective, std::uint32_t ranks, std::uint64_t bytes,
                    std::uint8_t without) const;
  std::vector<SelectionRule> rules_[10];
};

/// A collective's name ("barrier", …) and those of its algorithms in the order of their enumeration.
struct CollectiveNames {
  std::string_view collective;
  std::vector<std::string_view> algorithms;
};
const std::vector<CollectiveNames>& collective_names();

/// Limits of a SelectionRule without limits.
inline constexpr std::uint32_t kAnyRanks = ~0u;
inline constexpr std::uint64_t kAnyBytes = ~std::uint64_t{0};

/// Returns the user's rules (MpiConfig::algorithms) in their order, then the built-in ones, whose last row
/// for each collective has no limits. Throws std::invalid_argument for an error in `user`.
std::vector<SelectionRule> selection_rules(std::string_view user);

}  // namespace psim::net::mpi
