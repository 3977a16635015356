// SPDX-License-Identifier: Apache-2.0
// Data representations (MPI-3.1 section 13.5.3).
#include <map>
#include <set>
#include <string>

#include "mpi/file/file.h"

using namespace psim::net::mpi;

namespace {

std::set<std::string, std::less<>>& registered() {
  static std::map<std::uint32_t, std::set<std::string, std::less<>>> all;  // by rank
  return all[self().id];
}

}  // namespace

namespace psim::net::mpi {

bool keeps_memory_layout(std::string_view representation) {
  return representation == "native" || representation == "internal" || registered().contains(representation);
}

}  // namespace psim::net::mpi

/// Registers a representation without conversion functions; its files have memory's layout.
PSIM_MPI(int, Register_datarep,
         (const char* name, MPI_Datarep_conversion_function* read, MPI_Datarep_conversion_function* write,
          MPI_Datarep_extent_function*, void*)) {
  return guarded("MPI_Register_datarep", MPI_COMM_WORLD, [&] {
    const std::string_view text = name;
    require(!text.empty() && text.size() < MPI_MAX_DATAREP_STRING, MPI_ERR_ARG);
    require(!keeps_memory_layout(text) && text != "external32", MPI_ERR_DUP_DATAREP);
    require(read == MPI_CONVERSION_FN_NULL && write == MPI_CONVERSION_FN_NULL, MPI_ERR_CONVERSION,
            "data representations with conversion functions are not supported");
    registered().emplace(text);
  });
}
