// SPDX-License-Identifier: Apache-2.0
// Making, querying and freeing windows (MPI-3.1 section 11.2), their attributes, names, hints and error
// handlers.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/errhandler.h"
#include "mpi/object/group_handle.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/keyval.h"
#include "mpi/object/run_state.h"
#include "mpi/rdma/rdma.h"
#include "mpi/window/guard.h"
#include "mpi/window/message.h"

namespace psim::net::mpi {
namespace {

using Windows = Pool<Window, 6>;
Windows& windows() {
  static Windows pool;
  return pool;
}

}  // namespace

Window& window(MPI_Win handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Window) && windows().holds(index) &&
              windows()[index].comm != MPI_COMM_NULL,
          MPI_ERR_WIN, handle == MPI_WIN_NULL ? "MPI_WIN_NULL" : "no window has this handle");
  return windows()[index];
}

Window* window_of(std::uint32_t rank, std::uint32_t context) {
  for (std::uint32_t index : library->ranks[rank].windows)
    if (windows()[index].context == context) return &windows()[index];
  return nullptr;
}

}  // namespace psim::net::mpi

using namespace psim::net::mpi;

namespace {

/// One rank's part of the memory of MPI_Win_allocate_shared.
struct SharedPart {
  std::byte* base;
  MPI_Aint size, unit;
};
struct SharedMemory {
  std::byte* block = nullptr;
  std::vector<SharedPart> parts;
  int users = 0;
};
std::map<std::uint32_t, SharedMemory>& shared_memories() {
  static RunState<std::map<std::uint32_t, SharedMemory>> all;
  return all.value;
}

struct Wanted {
  std::byte* base;
  MPI_Aint size, unit;
  int flavor;
};

void check(const Wanted& wanted, MPI_Info hints, MPI_Comm comm, const MPI_Win* result) {
  require(!communicator(comm).shared->inter(), MPI_ERR_COMM);
  require(result != nullptr, MPI_ERR_ARG, "win is a null pointer");
  require(wanted.size >= 0, MPI_ERR_SIZE);
  require(wanted.unit > 0, MPI_ERR_DISP);
  check_info(hints);
}

/// Makes a communicator for the window, then the rank's view. No rank returns before all have theirs. The
/// arguments have been checked.
int make(const Wanted& wanted, MPI_Info hints, MPI_Comm comm, MPI_Win* result) {
  MPI_Comm own;
  if (const int error = PMPI_Comm_dup(comm, &own)) return error;
  Communicator& c = communicator(own);
  c.attributes.reset();
  const std::uint32_t index = windows().take();
  Window& w = windows()[index];
  w.comm = own;
  w.context = c.shared->context;
  w.base = wanted.base;
  w.size = wanted.size;
  w.unit = wanted.unit;
  w.unit_attribute = static_cast<int>(std::min<MPI_Aint>(wanted.unit, INT_MAX));
  w.flavor = wanted.flavor;
  w.own_memory = wanted.flavor == MPI_WIN_FLAVOR_ALLOCATE;
  // The default hints (MPI-3.1 section 11.2.1).
  w.info = std::make_unique<InfoList>(
      InfoList{{"accumulate_ordering", "rar,raw,war,waw"}, {"accumulate_ops", "same_op_no_op"}});
  merge_info(w.info, hints);
  self().windows.push_back(index);
  library->rdma().register_memory(w.base, static_cast<std::uint64_t>(w.size));
  *result = make_handle(HandleKind::Window, index);
  return PMPI_Barrier(own);
}

std::byte* allocate(MPI_Aint size) {
  return static_cast<std::byte*>(std::calloc(size > 0 ? static_cast<std::size_t>(size) : 1, 1));
}

int check_and_make(const char* function, const Wanted& wanted, MPI_Info hints, MPI_Comm comm,
                   MPI_Win* result) {
  if (const int error = guarded(function, comm, [&] { check(wanted, hints, comm, result); })) return error;
  return make(wanted, hints, comm, result);
}

}  // namespace

PSIM_MPI_COUNTS(int, Win_create,
                (void* base, MPI_Aint size, Place unit, MPI_Info hints, MPI_Comm comm, MPI_Win* result), {
                  const CountedCall whole(function);
                  return check_and_make(function,
                                        {static_cast<std::byte*>(base), size, unit, MPI_WIN_FLAVOR_CREATE},
                                        hints, comm, result);
                })
PSIM_MPI_COUNTS(int, Win_allocate,
                (MPI_Aint size, Place unit, MPI_Info hints, MPI_Comm comm, void* base, MPI_Win* result), {
                  const CountedCall whole(function);
                  Wanted wanted{nullptr, size, unit, MPI_WIN_FLAVOR_ALLOCATE};
                  if (const int error = guarded(function, comm, [&] {
                        check(wanted, hints, comm, result);
                        require(base != nullptr, MPI_ERR_ARG, "baseptr is a null pointer");
                      }))
                    return error;
                  wanted.base = allocate(size);
                  *static_cast<void**>(base) = wanted.base;
                  return make(wanted, hints, comm, result);
                })
PSIM_MPI(int, Win_create_dynamic, (MPI_Info hints, MPI_Comm comm, MPI_Win* result)) {
  const CountedCall whole("MPI_Win_create_dynamic");
  return check_and_make("MPI_Win_create_dynamic", {nullptr, 0, 1, MPI_WIN_FLAVOR_DYNAMIC}, hints, comm,
                        result);
}
PSIM_MPI_CALL(Win_attach, (MPI_Win handle, void*, MPI_Aint size), window_call, handle, [&](Window& w, Rank&) {
  require(w.flavor == MPI_WIN_FLAVOR_DYNAMIC, MPI_ERR_RMA_FLAVOR);
  require(size >= 0, MPI_ERR_SIZE);
})
PSIM_MPI_CALL(Win_detach, (MPI_Win handle, const void*), window_call, handle,
              [&](Window& w, Rank&) { require(w.flavor == MPI_WIN_FLAVOR_DYNAMIC, MPI_ERR_RMA_FLAVOR); })

/// Allocates one block of the host's memory for all ranks of a node; the parts follow each other by rank.
PSIM_MPI_COUNTS(int, Win_allocate_shared,
                (MPI_Aint size, Place unit, MPI_Info hints, MPI_Comm comm, void* base, MPI_Win* result), {
                  const CountedCall whole(function);
                  const Wanted wanted{nullptr, size, unit, MPI_WIN_FLAVOR_SHARED};
                  if (const int error = guarded(function, comm, [&] {
                        check(wanted, hints, comm, result);
                        require(base != nullptr, MPI_ERR_ARG, "baseptr is a null pointer");
                        const Group& g = communicator(comm).group();
                        const auto node = library->host.node_of(psim::net::RankId{self().id});
                        for (std::uint32_t i = 0; i < g.size(); ++i) {
                          const psim::net::RankId rank{g.world(i)};
                          require(library->host.node_of(rank) == node, MPI_ERR_RMA_SHARED,
                                  "the ranks are on several nodes; expected those of one node, as of "
                                  "MPI_Comm_split_type(MPI_COMM_TYPE_SHARED), or a larger node.ranks");
                          require(library->host.shares_memory(rank), MPI_ERR_RMA_SHARED,
                                  "the ranks of a cycle-level node are processes without common memory; "
                                  "expected a communicator of one rank");
                        }
                      }))
                    return error;
                  long long mine = (size + 63) / 64 * 64, before = 0, all = 0;
                  if (const int error = PMPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, comm))
                    return error;
                  if (communicator(comm).rank == 0) before = 0;
                  if (const int error = PMPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, comm))
                    return error;
                  if (const int error = make(wanted, hints, comm, result)) return error;
                  Window& w = window(*result);
                  const Communicator& c = communicator(w.comm);
                  SharedMemory& memory = shared_memories()[w.context];
                  if (memory.block == nullptr) {
                    memory.block = allocate(all);
                    memory.parts.resize(static_cast<std::size_t>(c.size()));
                  }
                  ++memory.users;
                  w.base = memory.block + before;
                  memory.parts[static_cast<std::size_t>(c.rank)] = {w.base, size, unit};
                  *static_cast<void**>(base) = w.base;
                  return PMPI_Barrier(w.comm);
                })
PSIM_MPI_COUNTED_CALL(Win_shared_query, (MPI_Win handle, int rank, MPI_Aint* size, Place* unit, void* base),
                      window_call, handle, [&](Window& w, Rank&) {
                        const int size_of_group = communicator(w.comm).size();
                        require(rank == MPI_PROC_NULL || (rank >= 0 && rank < size_of_group), MPI_ERR_RANK);
                        if (w.flavor != MPI_WIN_FLAVOR_SHARED) {  // each rank reaches its own memory only
                          const bool own = rank == MPI_PROC_NULL || rank == communicator(w.comm).rank;
                          const bool reached = own && w.flavor != MPI_WIN_FLAVOR_DYNAMIC;
                          out(size) = reached ? w.size : 0;
                          out(unit) = reached ? w.unit : 1;
                          out(static_cast<void**>(base)) = reached ? w.base : nullptr;
                          return;
                        }
                        const auto& parts = shared_memories()[w.context].parts;
                        auto at = parts.begin();
                        if (rank == MPI_PROC_NULL) {
                          at = std::ranges::find_if(parts, [](const SharedPart& p) { return p.size > 0; });
                          if (at == parts.end()) at = parts.begin();
                        } else {
                          at += rank;
                        }
                        out(size) = at->size;
                        out(unit) = at->unit;
                        out(static_cast<void**>(base)) = at->base;
                      })

PSIM_MPI(int, Win_free, (MPI_Win * handle)) {
  const CountedCall whole("MPI_Win_free");
  MPI_Comm comm = MPI_COMM_NULL;
  const int error =
      window_call("MPI_Win_free", handle != nullptr ? *handle : MPI_WIN_NULL, [&](Window& w, Rank& me) {
        require(!w.passive() && !w.starting && !w.exposed, MPI_ERR_RMA_SYNC);
        wait_until(me, [&] { return w.outstanding == 0; });
        comm = w.comm;
        if (w.attributes) delete_attributes(*handle, *w.attributes);
      });
  if (error != MPI_SUCCESS) return error;
  if (const int failed = PMPI_Barrier(comm)) return failed;
  Window& w = window(*handle);
  if (w.own_memory) std::free(w.base);
  if (w.flavor == MPI_WIN_FLAVOR_SHARED) {
    SharedMemory& memory = shared_memories()[w.context];
    if (--memory.users == 0) {
      std::free(memory.block);
      shared_memories().erase(w.context);
    }
  }
  drop_errhandler(w.errhandler);
  std::erase(self().windows, handle_index(*handle));
  windows().give(handle_index(*handle));
  *handle = MPI_WIN_NULL;
  return PMPI_Comm_free(&comm);
}
PSIM_MPI_CALL(Win_get_group, (MPI_Win handle, MPI_Group* result), window_call, handle,
              [&](Window& w, Rank&) { out(result) = publish_group(communicator(w.comm).shared->local[0]); })
PSIM_MPI_CALL(Win_set_info, (MPI_Win handle, MPI_Info hints), window_call, handle,
              [&](Window& w, Rank&) { merge_info(w.info, hints); })
PSIM_MPI_CALL(Win_get_info, (MPI_Win handle, MPI_Info* result), window_call, handle,
              [&](Window& w, Rank&) { out(result) = publish_info(w.info ? *w.info : InfoList{}); })
PSIM_MPI_CALL(Win_set_name, (MPI_Win handle, const char* name), window_call, handle, [&](Window& w, Rank&) {
  w.name = std::make_unique<std::string>(std::string(&out(name)).substr(0, MPI_MAX_OBJECT_NAME - 1));
})
PSIM_MPI(int, Win_get_name, (MPI_Win handle, char* name, int* length)) {
  if (handle == MPI_WIN_NULL)
    return unobserved("MPI_Win_get_name", [&] {
      std::strcpy(&out(name), "MPI_WIN_NULL");
      out(length) = static_cast<int>(std::strlen(name));
    });
  return window_call("MPI_Win_get_name", handle, [&](Window& w, Rank&) {
    std::strcpy(&out(name), w.name ? w.name->c_str() : "");
    out(length) = static_cast<int>(std::strlen(name));
  });
}

PSIM_MPI(int, Win_create_keyval,
         (MPI_Win_copy_attr_function * copy, MPI_Win_delete_attr_function* remove, int* result,
          void* extra)) {
  return unobserved("MPI_Win_create_keyval", [&] {
    out(result) = MPI_KEYVAL_INVALID;
    *result = new_keyval(AttributeOwner::Window, copy, remove, extra);
  });
}
PSIM_MPI_CALL(Win_free_keyval, (int* handle), guarded,
              [&] { free_keyval(out(handle), AttributeOwner::Window); })
PSIM_MPI(int, Win_set_attr, (MPI_Win handle, int key, void* value)) {
  return window_call("MPI_Win_set_attr", handle, [&](Window& w, Rank&) {
    set_attribute(handle, AttributeOwner::Window, w.attributes, key, value);
  });
}
PSIM_MPI(int, Win_get_attr, (MPI_Win handle, int key, void* value, int* flag)) {
  return window_call("MPI_Win_get_attr", handle, [&](Window& w, Rank&) {
    out(flag) = 1;
    void** to = &out(static_cast<void**>(value));
    switch (key) {
      case MPI_WIN_BASE:
        *to = w.base;
        break;
      case MPI_WIN_SIZE:
        *to = &w.size;
        break;
      case MPI_WIN_DISP_UNIT:
        *to = &w.unit_attribute;
        break;
      case MPI_WIN_CREATE_FLAVOR:
        *to = &w.flavor;
        break;
      case MPI_WIN_MODEL:
        *to = &w.model;
        break;
      default:
        out(flag) = get_attribute(AttributeOwner::Window, w.attributes, key, value);
    }
  });
}
PSIM_MPI_CALL(Win_delete_attr, (MPI_Win handle, int key), window_call, handle,
              [&](Window& w, Rank&) { delete_attribute(handle, AttributeOwner::Window, w.attributes, key); })
PSIM_MPI_CALL(Win_create_errhandler, (MPI_Win_errhandler_function * function, MPI_Errhandler* result),
              unobserved, [&] { out(result) = new_errhandler(&out(function)); })
PSIM_MPI_CALL(Win_set_errhandler, (MPI_Win handle, MPI_Errhandler handler), window_call, handle,
              [&](Window& w, Rank&) { set_errhandler(w.errhandler, handler); })
PSIM_MPI_CALL(Win_get_errhandler, (MPI_Win handle, MPI_Errhandler* handler), window_call, handle,
              [&](Window& w, Rank&) { out(handler) = get_errhandler(w.errhandler); })
PSIM_MPI(int, Win_call_errhandler, (MPI_Win handle, int code)) {
  if (const int error = attempt("MPI_Win_call_errhandler", MPI_COMM_NULL, [&] { window(handle); }))
    return error;
  raise_window("MPI_Win_call_errhandler", handle, code);
  return MPI_SUCCESS;
}
