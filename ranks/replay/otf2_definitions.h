// SPDX-License-Identifier: Apache-2.0
// What an OTF2 archive defines: its clock, who was rank r, which functions are MPI's, and the communicators.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace psim {

/// For OTF2_Error_RegisterCallback(): OTF2 prints a line for each of its functions on the way out; one line
/// of ours is enough.
OTF2_ErrorCode silent_otf2(void* data, const char* file, std::uint64_t line, const char* function,
                           OTF2_ErrorCode code, const char* format, va_list arguments);

class Otf2Definitions {
 public:
  struct Communicator {
    OTF2_CommRef reference = 0;
    std::string name;
    /// Ranks of the world. Of an intercommunicator its first group, then its second.
    std::vector<std::uint32_t> members;
    std::uint32_t first_group = 0;  ///< size of it; 0: no intercommunicator
    bool alone = false;             ///< an MPI_COMM_SELF, of every rank
  };

  /// Reads the global definitions. `name` is what errors call the archive. Throws UserError.
  Otf2Definitions(OTF2_Reader* reader, const std::string& name);

  /// Of rank r, the location that has its events.
  const std::vector<OTF2_LocationRef>& locations() const { return locations_; }
  /// Whether it is a function of MPI that may speak to other ranks.
  bool is_mpi(OTF2_RegionRef region) const { return mpi_.contains(region); }
  /// MPI_Init or MPI_Init_thread.
  bool is_init(OTF2_RegionRef region) const { return init_.contains(region); }
  bool has_init() const { return !init_.empty(); }
  const std::vector<Communicator>& communicators() const { return communicators_; }
  /// Whether collectives' sizes are written as Score-P does.
  bool is_score_p() const { return score_p_; }
  /// ps of so many ticks of the archive's clock.
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

/// Throws UserError "NAME: OTF2 says: …" unless it is OTF2_SUCCESS.
void check_otf2(OTF2_ErrorCode code, const std::string& name);

}  // namespace psim
