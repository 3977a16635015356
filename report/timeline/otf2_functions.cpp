// SPDX-License-Identifier: Apache-2.0
#include "report/timeline/otf2_functions.h"

#include <cctype>
#include <map>
#include <string>

namespace psim {

std::optional<OTF2_CollectiveOp> otf2_operation(std::string_view function) {
  static const std::map<std::string_view, OTF2_CollectiveOp> ops{
      {"barrier", OTF2_COLLECTIVE_OP_BARRIER},
      {"bcast", OTF2_COLLECTIVE_OP_BCAST},
      {"gather", OTF2_COLLECTIVE_OP_GATHER},
      {"gatherv", OTF2_COLLECTIVE_OP_GATHERV},
      {"scatter", OTF2_COLLECTIVE_OP_SCATTER},
      {"scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
      {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
      {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
      {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
      {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
      {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
      {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
      {"reduce", OTF2_COLLECTIVE_OP_REDUCE},
      {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
      {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
      {"scan", OTF2_COLLECTIVE_OP_SCAN},
      {"exscan", OTF2_COLLECTIVE_OP_EXSCAN}};
  if (!function.starts_with("MPI_")) return std::nullopt;
  std::string name(function.substr(4, function.size() - (function.ends_with("_c") ? 6 : 4)));
  name[0] = static_cast<char>(std::tolower(name[0]));
  if (const auto found = ops.find(name); found != ops.end()) return found->second;
  if (name[0] != 'i') return std::nullopt;
  const auto found = ops.find(std::string_view(name).substr(1));
  return found == ops.end() ? std::nullopt : std::optional(found->second);
}

OTF2_RegionRole otf2_role(std::string_view function) {
  if (const auto op = otf2_operation(function))
    return *op == OTF2_COLLECTIVE_OP_BARRIER ? OTF2_REGION_ROLE_BARRIER : OTF2_REGION_ROLE_COLL_OTHER;
  for (const char* word : {"send", "Send", "recv", "Recv", "Wait", "Test", "Probe", "probe", "Start"})
    if (function.find(word) != std::string_view::npos) return OTF2_REGION_ROLE_POINT2POINT;
  for (const char* word : {"Win_", "Put", "Get", "Accumulate", "accumulate", "Fetch", "Compare_and_swap"})
    if (function.starts_with("MPI_") && function.find(word) == 4) return OTF2_REGION_ROLE_RMA;
  return OTF2_REGION_ROLE_FUNCTION;
}

}  // namespace psim
