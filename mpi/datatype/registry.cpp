// SPDX-License-Identifier: Apache-2.0
#include "mpi/datatype/registry.h"

#include "mpi/object/failure.h"
#include "mpi/object/handle.h"

namespace psim::net::mpi {
namespace {

/// The pool of datatypes. Types that a program has not freed refer to each other at the end of the library
/// and are freed in any order, so their references are dropped first.
struct AllDatatypes {
  Datatypes pool;
  ~AllDatatypes() {
    const auto each = [this](auto&& act) {
      for (std::uint32_t i = 1; i <= pool.highest(); ++i)
        if (pool[i].type) act(*pool[i].type);
    };
    each([](Datatype& type) { ++type.refs; });
    each([](Datatype& type) { type.parts.clear(); });
  }
};

Datatypes* datatypes = nullptr;  // set by datatype_pool()

}  // namespace

Datatypes& datatype_pool() {
  static AllDatatypes all;
  datatypes = &all.pool;
  return all.pool;
}

Datatype& datatype(MPI_Datatype handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Datatype) && datatypes->holds(index) && (*datatypes)[index].type,
          MPI_ERR_TYPE, handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "no datatype has this handle");
  return *(*datatypes)[index].type;
}

Datatype& committed(MPI_Datatype handle) {
  Datatype& type = datatype(handle);
  require(type.committed, MPI_ERR_TYPE, "the datatype is not committed");
  return type;
}

Datatype& committed(MPI_Datatype handle, std::uint64_t count) {
  return handle == MPI_DATATYPE_NULL && count == 0 ? datatype(MPI_BYTE) : committed(handle);
}

MPI_Datatype publish_datatype(std::unique_ptr<Datatype> type) {
  measure(*type);
  const std::uint32_t index = datatypes->take();
  type->handle = make_handle(HandleKind::Datatype, index);
  type->refs = 1;
  const MPI_Datatype handle = type->handle;
  (*datatypes)[index].type = std::move(type);
  return handle;
}

void dispose(Datatype* type) { datatypes->give(handle_index(type->handle)); }

void release_datatype(Datatype& type) {
  if (--type.refs == 0) dispose(&type);
}

}  // namespace psim::net::mpi
