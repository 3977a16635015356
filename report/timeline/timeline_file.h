// SPDX-License-Identifier: Apache-2.0
// `psim net --timeline`: the activity of ranks, for other programs to show. NAME.json is a trace of events
// for Perfetto, NAME.otf2 the folder of an OTF2 archive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ranks/timeline/timeline.h"

namespace psim {

/// The description of a timeline in addition to its events. Ranks are counted over all jobs.
struct TimelineOf {
  struct Job {
    std::string name;  ///< empty for a single job
    std::uint32_t first = 0, ranks = 0;
  };
  std::string program;               ///< as named by the user
  std::vector<std::uint32_t> nodes;  ///< of each rank, observed or not
  std::vector<Job> jobs;             ///< in the order of their ranks

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(nodes.size()); }
  /// Returns the job of a rank, as an index into `jobs`.
  std::size_t job_of(std::uint32_t rank) const;
  /// Returns "rank 3", or "solver: rank 3", counted in its job.
  std::string called(std::uint32_t rank) const;
};

class TimelineFile {
 public:
  /// Chooses the format by the end of the name and checks that the file can be written. Throws UserError.
  static std::unique_ptr<TimelineFile> make(const std::string& path);
  virtual ~TimelineFile() = default;
  /// Writes all data and puts the file in place. Throws UserError.
  virtual void write(const net::Timeline& timeline, const TimelineOf& of) = 0;
};

std::unique_ptr<TimelineFile> make_perfetto_timeline(const std::string& path);
std::unique_ptr<TimelineFile> make_otf2_timeline(const std::string& path);

/// Parses "0:63,128": numbers and ranges of them, below `count`. `option` names the option and `thing` the
/// counted objects, for errors. Throws UserError.
std::vector<std::pair<std::uint32_t, std::uint32_t>> parse_numbers(const std::string& option,
                                                                   const std::string& text,
                                                                   const std::string& thing,
                                                                   std::uint32_t count);

}  // namespace psim
