// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/otf2_definitions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>

#include "base/error.h"

namespace psim {

namespace {

/// Returns whether a function does not communicate: its time is computation.
bool is_local(std::string_view function) {
  for (const std::string_view start : {"MPI_Wti", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Type_", "MPI_Group_",
                                       "MPI_Get_", "MPI_Pack", "MPI_Unpack", "MPI_Info_"})
    if (function.starts_with(start)) return true;
  return false;
}

}  // namespace

/// The definitions as read, before they are joined.
struct Otf2Definitions::Collector {
  struct Region {
    OTF2_StringRef name;
    bool mpi;
  };
  struct Comm {
    OTF2_StringRef name;
    OTF2_GroupRef first, second;
    bool inter;
  };
  std::uint64_t ticks_a_second = 0;
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::map<OTF2_RegionRef, Region> regions;
  std::map<OTF2_GroupRef, Group> groups;
  std::map<OTF2_CommRef, Comm> comms;
  const std::vector<std::uint64_t>* mpi_locations = nullptr;

  std::string text(OTF2_StringRef reference) const {
    const auto found = strings.find(reference);
    return found == strings.end() ? std::string() : found->second;
  }
  static Collector& of(void* self) { return *static_cast<Collector*>(self); }

  void read(OTF2_Reader* reader, const std::string& name);
};

void check_otf2(OTF2_ErrorCode code, const std::string& name) {
  if (code != OTF2_SUCCESS)
    throw UserError(fmt::format("{}: OTF2 reports: {}", name, OTF2_Error_GetDescription(code)));
}

void Otf2Definitions::Collector::read(OTF2_Reader* reader, const std::string& name) {
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, void (*)(OTF2_GlobalDefReaderCallbacks*)> calls(
      OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  const auto set = [&](OTF2_ErrorCode code) { check_otf2(code, name); };
  set(OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      calls.get(), [](void* self, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
        of(self).ticks_a_second = resolution;
        return OTF2_CALLBACK_SUCCESS;
      }));
  set(OTF2_GlobalDefReaderCallbacks_SetStringCallback(
      calls.get(), [](void* self, OTF2_StringRef reference, const char* text) {
        of(self).strings[reference] = text;
        return OTF2_CALLBACK_SUCCESS;
      }));
  set(OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      calls.get(), [](void* self, OTF2_RegionRef reference, OTF2_StringRef region, OTF2_StringRef,
                      OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag,
                      OTF2_StringRef, std::uint32_t, std::uint32_t) {
        of(self).regions[reference] = {region, paradigm == OTF2_PARADIGM_MPI};
        return OTF2_CALLBACK_SUCCESS;
      }));
  set(OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
      calls.get(),
      [](void* self, OTF2_GroupRef reference, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
         OTF2_GroupFlag, std::uint32_t count, const std::uint64_t* members) {
        if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
        Group& group = of(self).groups[reference] = {type, {members, members + count}};
        if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) of(self).mpi_locations = &group.members;
        return OTF2_CALLBACK_SUCCESS;
      }));
  set(OTF2_GlobalDefReaderCallbacks_SetCommCallback(
      calls.get(), [](void* self, OTF2_CommRef reference, OTF2_StringRef text, OTF2_GroupRef group,
                      OTF2_CommRef, OTF2_CommFlag) {
        of(self).comms[reference] = {text, group, 0, false};
        return OTF2_CALLBACK_SUCCESS;
      }));
  set(OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(
      calls.get(), [](void* self, OTF2_CommRef reference, OTF2_StringRef text, OTF2_GroupRef first,
                      OTF2_GroupRef second, OTF2_CommRef, OTF2_CommFlag) {
        of(self).comms[reference] = {text, first, second, true};
        return OTF2_CALLBACK_SUCCESS;
      }));
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) throw UserError(name + ": the global definitions cannot be read");
  set(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, calls.get(), this));
  std::uint64_t count = 0;
  set(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
}

Otf2Definitions::Otf2Definitions(OTF2_Reader* reader, const std::string& name) {
  Collector found;
  found.read(reader, name);
  ticks_a_second_ = found.ticks_a_second;
  if (ticks_a_second_ == 0) throw UserError(name + ": the resolution of its clock is missing");
  if (found.mpi_locations == nullptr || found.mpi_locations->empty())
    throw UserError(name + ": no MPI ranks (the group of communicators' locations is missing)");
  locations_ = *found.mpi_locations;
  char* creator = nullptr;
  if (OTF2_Reader_GetCreator(reader, &creator) == OTF2_SUCCESS && creator != nullptr)
    score_p_ = std::string_view(creator).find("Score-P") != std::string_view::npos;
  std::free(creator);
  for (const auto& [reference, region] : found.regions) {
    const std::string function = found.text(region.name);
    if ((!region.mpi && !function.starts_with("MPI_")) || is_local(function)) continue;
    mpi_.insert(reference);
    if (function == "MPI_Init" || function == "MPI_Init_thread") init_.insert(reference);
  }
  take_communicators(found, name);
}

std::vector<std::uint32_t> Otf2Definitions::members_of(const Group& group, const std::string& name) const {
  std::vector<std::uint32_t> ranks;
  for (const std::uint64_t member : group.members) {
    if (member >= locations_.size())
      throw UserError(fmt::format("{}: member {} of a communicator; expected less than {}", name, member,
                                  locations_.size()));
    ranks.push_back(static_cast<std::uint32_t>(member));
  }
  return ranks;
}

void Otf2Definitions::take_communicators(const Collector& found, const std::string& name) {
  const auto group = [&](OTF2_GroupRef reference) -> const Group& {
    const auto at = found.groups.find(reference);
    if (at == found.groups.end())
      throw UserError(fmt::format("{}: group {} of a communicator is not defined", name, reference));
    return at->second;
  };
  for (const auto& [reference, comm] : found.comms) {
    if (!found.groups.contains(comm.first)) continue;  // of another paradigm
    Communicator one{.reference = reference, .name = found.text(comm.name), .members = {}};
    const Group& first = group(comm.first);
    if (first.type == OTF2_GROUP_TYPE_COMM_SELF) {
      one.alone = true;
    } else if (first.type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
      one.members.resize(locations_.size());
      std::iota(one.members.begin(), one.members.end(), 0u);
    } else {
      one.members = members_of(first, name);
    }
    if (comm.inter) {
      one.first_group = static_cast<std::uint32_t>(one.members.size());
      const std::vector<std::uint32_t> others = members_of(group(comm.second), name);
      one.members.insert(one.members.end(), others.begin(), others.end());
    }
    communicators_.push_back(std::move(one));
  }
}

std::uint64_t Otf2Definitions::picoseconds(std::uint64_t ticks) const {
  constexpr unsigned __int128 kPsASecond = 1'000'000'000'000;
  return static_cast<std::uint64_t>(ticks * kPsASecond / ticks_a_second_);
}

OTF2_ErrorCode silent_otf2(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*,
                           va_list) {
  return code;
}

std::optional<net::replay::Collective> collective_of(OTF2_CollectiveOp op) {
  using net::replay::Collective;
  static constexpr std::pair<OTF2_CollectiveOp, Collective> kReplayed[] = {
      {OTF2_COLLECTIVE_OP_BARRIER, Collective::Barrier},
      {OTF2_COLLECTIVE_OP_BCAST, Collective::Bcast},
      {OTF2_COLLECTIVE_OP_GATHER, Collective::Gather},
      {OTF2_COLLECTIVE_OP_GATHERV, Collective::Gatherv},
      {OTF2_COLLECTIVE_OP_SCATTER, Collective::Scatter},
      {OTF2_COLLECTIVE_OP_SCATTERV, Collective::Scatterv},
      {OTF2_COLLECTIVE_OP_ALLGATHER, Collective::Allgather},
      {OTF2_COLLECTIVE_OP_ALLGATHERV, Collective::Allgatherv},
      {OTF2_COLLECTIVE_OP_ALLTOALL, Collective::Alltoall},
      {OTF2_COLLECTIVE_OP_ALLTOALLV, Collective::Alltoallv},
      {OTF2_COLLECTIVE_OP_ALLTOALLW, Collective::Alltoallv},
      {OTF2_COLLECTIVE_OP_ALLREDUCE, Collective::Allreduce},
      {OTF2_COLLECTIVE_OP_REDUCE, Collective::Reduce},
      {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, Collective::ReduceScatterv},
      {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, Collective::ReduceScatter},
      {OTF2_COLLECTIVE_OP_SCAN, Collective::Scan},
      {OTF2_COLLECTIVE_OP_EXSCAN, Collective::Exscan}};
  for (const auto& [recorded, replayed] : kReplayed)
    if (recorded == op) return replayed;
  return {};
}

}  // namespace psim
