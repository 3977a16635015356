// SPDX-License-Identifier: Apache-2.0
// Keyvals, attributes and error handlers of communicators and datatypes (MPI-3.1 sections 6.7, 8.3).
#include "mpi/api.h"
#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/errhandler.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

int make_keyval(const char* function, AttributeOwner owner, Keyval::Copy* copy, Keyval::Delete* remove,
                int* result, void* extra) {
  return guarded(function, [&] { out(result) = new_keyval(owner, copy, remove, extra); });
}
int free_keyval(const char* function, AttributeOwner owner, int* handle) {
  return guarded(function, [&] { free_keyval(out(handle), owner); });
}

/// Returns the value of a predefined attribute, which is a pointer to int.
int* predefined(int handle) {
  static int tag_ub = 0x7fffffff, none = MPI_PROC_NULL, any = MPI_ANY_SOURCE, yes = 1, no = 0, size;
  switch (handle) {
    case MPI_TAG_UB:
      return &tag_ub;
    case MPI_HOST:
      return &none;
    case MPI_IO:
      return &any;  // every rank reads and writes files
    case MPI_WTIME_IS_GLOBAL:
      return library->config.clock.wtime == psim::net::WtimeClock::Node ? &no : &yes;
    case MPI_UNIVERSE_SIZE:
      size = self().world.size();
      return &size;
    case MPI_LASTUSEDCODE:
      return last_used_code();
    default:
      return nullptr;
  }
}

int get(const char* function, MPI_Comm comm, int handle, void* value, int* flag) {
  return guarded(function, comm, [&] {
    const Communicator& c = communicator(comm);
    require(value != nullptr && flag != nullptr, MPI_ERR_ARG);
    if (handle == MPI_APPNUM) {
      *flag = 0;
    } else if (int* found = predefined(handle)) {
      *static_cast<int**>(value) = found;
      *flag = 1;
    } else {
      *flag = get_attribute(AttributeOwner::Communicator, c.attributes, handle, value);
    }
  });
}
int set(const char* function, MPI_Comm comm, int handle, void* value) {
  return guarded(function, comm, [&] {
    set_attribute(comm, AttributeOwner::Communicator, communicator(comm).attributes, handle, value);
  });
}
int remove(const char* function, MPI_Comm comm, int handle) {
  return guarded(function, comm, [&] {
    delete_attribute(comm, AttributeOwner::Communicator, communicator(comm).attributes, handle);
  });
}

}  // namespace

PSIM_MPI(int, Comm_create_keyval,
         (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* remove, int* result,
          void* extra)) {
  return make_keyval("MPI_Comm_create_keyval", AttributeOwner::Communicator, copy, remove, result, extra);
}
PSIM_MPI_CALL(Comm_free_keyval, (int* handle), free_keyval, AttributeOwner::Communicator, handle)
PSIM_MPI_CALL(Comm_set_attr, (MPI_Comm comm, int handle, void* value), set, comm, handle, value)
PSIM_MPI_CALL(Comm_get_attr, (MPI_Comm comm, int handle, void* value, int* flag), get, comm, handle, value,
              flag)
PSIM_MPI_CALL(Comm_delete_attr, (MPI_Comm comm, int handle), remove, comm, handle)

PSIM_MPI(int, Keyval_create,
         (MPI_Copy_function * copy, MPI_Delete_function* remove, int* result, void* extra)) {
  return make_keyval("MPI_Keyval_create", AttributeOwner::Communicator, copy, remove, result, extra);
}
PSIM_MPI_CALL(Keyval_free, (int* handle), free_keyval, AttributeOwner::Communicator, handle)
PSIM_MPI_CALL(Attr_put, (MPI_Comm comm, int handle, void* value), set, comm, handle, value)
PSIM_MPI_CALL(Attr_get, (MPI_Comm comm, int handle, void* value, int* flag), get, comm, handle, value, flag)
PSIM_MPI(int, Attr_delete, (MPI_Comm comm, int handle)) { return remove("MPI_Attr_delete", comm, handle); }

PSIM_MPI(int, Type_create_keyval,
         (MPI_Type_copy_attr_function * copy, MPI_Type_delete_attr_function* remove, int* result,
          void* extra)) {
  return make_keyval("MPI_Type_create_keyval", AttributeOwner::Datatype, copy, remove, result, extra);
}
PSIM_MPI_CALL(Type_free_keyval, (int* handle), free_keyval, AttributeOwner::Datatype, handle)
PSIM_MPI_CALL(Type_set_attr, (MPI_Datatype type, int handle, void* value), guarded, [&] {
  set_attribute(type, AttributeOwner::Datatype, datatype(type).attributes, handle, value);
})
PSIM_MPI_CALL(Type_get_attr, (MPI_Datatype type, int handle, void* value, int* flag), guarded, [&] {
  require(value != nullptr, MPI_ERR_ARG);
  out(flag) = get_attribute(AttributeOwner::Datatype, datatype(type).attributes, handle, value);
})
PSIM_MPI_CALL(Type_delete_attr, (MPI_Datatype type, int handle), guarded,
              [&] { delete_attribute(type, AttributeOwner::Datatype, datatype(type).attributes, handle); })

PSIM_MPI_CALL(Comm_create_errhandler, (MPI_Comm_errhandler_function * function, MPI_Errhandler* result),
              unobserved, [&] { out(result) = new_errhandler(&out(function)); })
PSIM_MPI_CALL(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), guarded, comm,
              [&] { set_errhandler(communicator(comm).errhandler, handler); })
PSIM_MPI_CALL(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler* handler), guarded, comm,
              [&] { out(handler) = get_errhandler(communicator(comm).errhandler); })
PSIM_MPI(int, Comm_call_errhandler, (MPI_Comm comm, int code)) {
  if (const int error = attempt("MPI_Comm_call_errhandler", comm, [&] { communicator(comm); })) return error;
  raise("MPI_Comm_call_errhandler", comm, code);
  return MPI_SUCCESS;
}
PSIM_MPI(int, Errhandler_create, (MPI_Handler_function * function, MPI_Errhandler* result)) {
  return PMPI_Comm_create_errhandler(function, result);
}
PSIM_MPI(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler handler)) {
  return PMPI_Comm_set_errhandler(comm, handler);
}
PSIM_MPI(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler* handler)) {
  return PMPI_Comm_get_errhandler(comm, handler);
}
