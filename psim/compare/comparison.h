// SPDX-License-Identifier: Apache-2.0
// Lays results of one program side by side: the seconds of each region on a rank, with the parts of this
// time. Results are those of `psim net` (ranks that compute by models, as measured or as recorded, or in no
// time), of `psim cosim` (ranks on cycle-level nodes) and of `psim run` (one rank on a core).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace psim::compare {

inline constexpr std::array<std::string_view, 5> kParts{"compute", "overhead", "transfer", "wait", "jitter"};
inline constexpr const char* kOutside = "(outside)";  ///< the time between regions

/// Simulated seconds, and their parts in the order of kParts.
struct Times {
  double seconds = 0;
  std::array<double, kParts.size()> parts{};
  double count = 0;  ///< executions

  void add(const Times& other);
  Times divided_by(double ranks) const;
};

struct RegionSide {
  Times sum;                   ///< of all ranks
  double least = 0, most = 0;  ///< seconds of a rank; equal if the result has only sums
  double extrapolated = 0;     ///< executions outside of the range of the model
};

/// Regions of each rank, from the folder of `psim net --csv`.
using RankTimes = std::vector<std::map<std::string, Times>>;

/// A result.
struct Side {
  std::string label;   ///< file
  std::string source;  ///< of the computing time: "model:fits.toml", "cycle-level core sparc64v"
  double ranks = 1;
  double seconds = 0;                             ///< of the whole run
  std::optional<std::array<double, 2>> interval;  ///< of `seconds`
  std::map<std::string, RegionSide> regions;      ///< kOutside among them
  std::vector<std::string> assumptions;
  RankTimes by_rank;  ///< empty: unknown
  /// Waiting includes transfers: a core does not see which of the two delays it.
  bool waits_for_transfers = false;
};

/// Reads a result, a JSON object. Throws UserError, beginning with `label`, for a command without regions and
/// time.
Side side_of(const nlohmann::json& result, const std::string& label);

/// Reads the text of regions.csv. Throws UserError "FILE:LINE: …".
RankTimes read_rank_times(std::string_view text, const std::string& file);

/// A region in two results. Times are of the mean rank.
struct Difference {
  std::string region;
  Times first, second;
  double share = 0;         ///< of the sum of all regions' differences without sign
  std::string_view part{};  ///< whose difference is the largest
  double part_seconds = 0;
  double seconds() const { return second.seconds - first.seconds; }
};

/// Returns the regions of both results, the largest difference first.
std::vector<Difference> differences(const Side& first, const Side& second);

/// A rank in two results.
struct RankDifference {
  std::uint32_t rank;
  double seconds;      ///< second less first, over all regions
  std::string region;  ///< with the largest difference
  double region_seconds;
  std::string_view part;
};

/// Returns the ranks, the largest difference first; none unless both results have times by rank.
std::vector<RankDifference> rank_differences(const Side& first, const Side& second);

}  // namespace psim::compare
