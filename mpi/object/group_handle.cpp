// SPDX-License-Identifier: Apache-2.0
#include "mpi/object/group_handle.h"

#include "mpi/object/failure.h"
#include "mpi/object/handle.h"
#include "mpi/object/pool.h"

namespace psim::net::mpi {
namespace {

struct GroupSlot {
  Ref<Group> group;
};
using Groups = Pool<GroupSlot, 8>;
Groups& groups() {
  static Groups pool = [] {
    Groups p;
    p[p.take()].group = new Group(0, 1, 0);  // MPI_GROUP_EMPTY
    return p;
  }();
  return pool;
}

}  // namespace

Ref<Group> group(MPI_Group handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Group) && groups().holds(index) && groups()[index].group,
          MPI_ERR_GROUP, handle == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "no group has this handle");
  return groups()[index].group;
}

MPI_Group publish_group(Ref<Group> group) {
  if (group->size() == 0) return MPI_GROUP_EMPTY;
  const std::uint32_t index = groups().take();
  groups()[index].group = std::move(group);
  return make_handle(HandleKind::Group, index);
}

void free_group(MPI_Group handle) {
  group(handle);
  if (handle != MPI_GROUP_EMPTY) groups().give(handle_index(handle));
}

}  // namespace psim::net::mpi
