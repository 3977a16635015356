// SPDX-License-Identifier: Apache-2.0
// The definitions of an OTF2 archive: its clock, the locations of ranks, MPI's functions, and the
// communicators.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ranks/replay/operation.h"

namespace psim {

/// A silent callback for OTF2_Error_RegisterCallback(): OTF2 prints a line for each function that an error
/// leaves, and one line of ours is enough.
OTF2_ErrorCode silent_otf2(void* data, const char* file, std::uint64_t line, const char* function,
                           OTF2_ErrorCode code, const char* format, va_list arguments);

class Otf2Definitions {
 public:
  struct Communicator {
    OTF2_CommRef reference = 0;
    std::string name;
    /// Ranks of the world. Of an intercommunicator its first group, then its second.
    std::vector<std::uint32_t> members;
    std::uint32_t first_group = 0;  ///< size of the first group; 0: not an intercommunicator
    bool alone = false;             ///< an MPI_COMM_SELF, of every rank
  };

  /// Reads the global definitions. `name`: of the archive, in errors. Throws UserError.
  Otf2Definitions(OTF2_Reader* reader, const std::string& name);

  /// Returns the location with the events of each rank.
  const std::vector<OTF2_LocationRef>& locations() const { return locations_; }
  /// Returns whether this is a function of MPI that may communicate.
  bool is_mpi(OTF2_RegionRef region) const { return mpi_.contains(region); }
  /// Returns whether this is MPI_Init or MPI_Init_thread.
  bool is_init(OTF2_RegionRef region) const { return init_.contains(region); }
  bool has_init() const { return !init_.empty(); }
  const std::vector<Communicator>& communicators() const { return communicators_; }
  /// Returns whether Score-P wrote the archive, which gives sizes of collectives in its own way.
  bool is_score_p() const { return score_p_; }
  /// Converts ticks of the archive's clock to ps.
  std::uint64_t picoseconds(std::uint64_t ticks) const;

 private:
  struct Group {
    OTF2_GroupType type;
    std::vector<std::uint64_t> members;
  };
  struct Collector;
  void take_communicators(const Collector& found, const std::string& name);
  std::vector<std::uint32_t> members_of(const Group& group, const std::string& name) const;

  std::uint64_t ticks_a_second_ = 0;
  bool score_p_ = false;
  std::vector<OTF2_LocationRef> locations_;
  std::unordered_set<OTF2_RegionRef> mpi_, init_;
  std::vector<Communicator> communicators_;
};

/// Returns the collective that replays `op`, if there is one.
std::optional<net::replay::Collective> collective_of(OTF2_CollectiveOp op);

/// Throws UserError "NAME: OTF2 reports: …" unless `code` is OTF2_SUCCESS.
void check_otf2(OTF2_ErrorCode code, const std::string& name);

}  // namespace psim
