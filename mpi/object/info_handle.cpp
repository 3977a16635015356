// SPDX-License-Identifier: Apache-2.0
#include "mpi/object/info_handle.h"

#include <algorithm>

#include "mpi/object/failure.h"
#include "mpi/object/handle.h"
#include "mpi/object/pool.h"

namespace psim::net::mpi {
namespace {

struct InfoSlot {
  std::unique_ptr<InfoList> list;
};
using Infos = Pool<InfoSlot, 6>;
Infos& infos() {
  static Infos pool = [] {
    Infos p;
    p[p.take()].list = std::make_unique<InfoList>();  // MPI_INFO_ENV: empty, as nothing is known about the
                                                      // start
    return p;
  }();
  return pool;
}

}  // namespace

InfoList& info(MPI_Info handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Info) && infos().holds(index) && infos()[index].list, MPI_ERR_INFO,
          handle == MPI_INFO_NULL ? "MPI_INFO_NULL" : "no info has this handle");
  return *infos()[index].list;
}

void merge_info(std::unique_ptr<InfoList>& into, MPI_Info handle) {
  if (handle == MPI_INFO_NULL) return;
  const InfoList& hints = info(handle);
  if (!into) into = std::make_unique<InfoList>();
  for (const auto& [key, value] : hints) {
    const auto at = std::ranges::find(*into, key, [](const auto& entry) { return entry.first; });
    if (at != into->end())
      at->second = value;
    else
      into->emplace_back(key, value);
  }
}

MPI_Info publish_info(InfoList list) {
  const std::uint32_t index = infos().take();
  infos()[index].list = std::make_unique<InfoList>(std::move(list));
  return make_handle(HandleKind::Info, index);
}

void free_info(MPI_Info handle) {
  info(handle);
  require(handle != MPI_INFO_ENV, MPI_ERR_INFO);
  infos().give(handle_index(handle));
}

}  // namespace psim::net::mpi
