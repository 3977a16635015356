// SPDX-License-Identifier: Apache-2.0
// MPI's point-to-point functions, and the functions that wait and test.
#include "ranks/replay/recorder/in_call.h"

using namespace psim::recorder;

namespace {
Recorder& recorder() { return Recorder::get(); }

/// Returns whether a message was received, even if truncated.
bool arrived(int result) {
  int error = MPI_SUCCESS;
  if (result != MPI_SUCCESS) PMPI_Error_class(result, &error);
  return error == MPI_SUCCESS || error == MPI_ERR_TRUNCATE;
}
}  // namespace

extern "C" {

#define PSIM_SEND(name, function)                                                                       \
  int MPI_##name(const void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) { \
    const InCall in(Function::function);                                                                \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm);                             \
    if (result == MPI_SUCCESS) recorder().sent(message(count, type, peer, tag, comm));                  \
    return result;                                                                                      \
  }
PSIM_COUNTS(PSIM_SEND, Send)
PSIM_COUNTS(PSIM_SEND, Ssend)
PSIM_COUNTS(PSIM_SEND, Bsend)
PSIM_COUNTS(PSIM_SEND, Rsend)

#define PSIM_ISEND(name, function)                                                                       \
  int MPI_##name(const void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,    \
                 MPI_Request* request) {                                                                 \
    const InCall in(Function::function);                                                                 \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm, request);                     \
    if (result == MPI_SUCCESS) recorder().started_send(*request, message(count, type, peer, tag, comm)); \
    return result;                                                                                       \
  }
PSIM_COUNTS(PSIM_ISEND, Isend)
PSIM_COUNTS(PSIM_ISEND, Issend)
PSIM_COUNTS(PSIM_ISEND, Ibsend)
PSIM_COUNTS(PSIM_ISEND, Irsend)

#define PSIM_SEND_INIT(name, function)                                                                     \
  int MPI_##name(const void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,      \
                 MPI_Request* request) {                                                                   \
    const InCall in(Function::function);                                                                   \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm, request);                       \
    if (result == MPI_SUCCESS) recorder().prepared(*request, true, message(count, type, peer, tag, comm)); \
    return result;                                                                                         \
  }
PSIM_COUNTS(PSIM_SEND_INIT, Send_init)
PSIM_COUNTS(PSIM_SEND_INIT, Ssend_init)
PSIM_COUNTS(PSIM_SEND_INIT, Bsend_init)
PSIM_COUNTS(PSIM_SEND_INIT, Rsend_init)

#define PSIM_RECV_INIT(name, function)                                                                      \
  int MPI_##name(void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,             \
                 MPI_Request* request) {                                                                    \
    const InCall in(Function::function);                                                                    \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm, request);                        \
    if (result == MPI_SUCCESS) recorder().prepared(*request, false, message(count, type, peer, tag, comm)); \
    return result;                                                                                          \
  }
PSIM_COUNTS(PSIM_RECV_INIT, Recv_init)

#define PSIM_RECV(name, function)                                                               \
  int MPI_##name(void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
                 MPI_Status* user) {                                                            \
    const InCall in(Function::function);                                                        \
    Status status(user);                                                                        \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm, status.get());       \
    if (arrived(result)) recorder().received(message(status.get(), comm));                      \
    return result;                                                                              \
  }
PSIM_COUNTS(PSIM_RECV, Recv)

#define PSIM_IRECV(name, function)                                                                  \
  int MPI_##name(void* data, Number count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,     \
                 MPI_Request* request) {                                                            \
    const InCall in(Function::function);                                                            \
    const int result = PSIM_REAL(name)(data, count, type, peer, tag, comm, request);                \
    if (result == MPI_SUCCESS && peer != MPI_PROC_NULL) recorder().started_receive(*request, comm); \
    return result;                                                                                  \
  }
PSIM_COUNTS(PSIM_IRECV, Irecv)

int MPI_Probe(int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  const InCall in(Function::Probe);
  return PSIM_REAL(Probe)(peer, tag, comm, status);
}

#define PSIM_SENDRECV(name, function)                                                                       \
  int MPI_##name(const void* out, Number out_count, MPI_Datatype out_type, int to, int out_tag,             \
                 void* in_data, Number in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, \
                 MPI_Status* user) {                                                                        \
    const InCall in(Function::function);                                                                    \
    Status status(user);                                                                                    \
    const int result = PSIM_REAL(name)(out, out_count, out_type, to, out_tag, in_data, in_count, in_type,   \
                                       from, in_tag, comm, status.get());                                   \
    if (!arrived(result)) return result;                                                                    \
    recorder().sent(message(out_count, out_type, to, out_tag, comm));                                       \
    recorder().received(message(status.get(), comm));                                                       \
    return result;                                                                                          \
  }
PSIM_COUNTS(PSIM_SENDRECV, Sendrecv)

#define PSIM_SENDRECV_REPLACE(name, function)                                                             \
  int MPI_##name(void* data, Number count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,  \
                 MPI_Comm comm, MPI_Status* user) {                                                       \
    const InCall in(Function::function);                                                                  \
    Status status(user);                                                                                  \
    const int result = PSIM_REAL(name)(data, count, type, to, out_tag, from, in_tag, comm, status.get()); \
    if (!arrived(result)) return result;                                                                  \
    recorder().sent(message(count, type, to, out_tag, comm));                                             \
    recorder().received(message(status.get(), comm));                                                     \
    return result;                                                                                        \
  }
PSIM_COUNTS(PSIM_SENDRECV_REPLACE, Sendrecv_replace)

int MPI_Start(MPI_Request* request) {
  const InCall in(Function::Start);
  recorder().started_prepared(*request);
  return PSIM_REAL(Start)(request);
}

int MPI_Startall(int count, MPI_Request* requests) {
  const InCall in(Function::Startall);
  for (int i = 0; i < count; ++i) recorder().started_prepared(requests[i]);
  return PSIM_REAL(Startall)(count, requests);
}

int MPI_Wait(MPI_Request* request, MPI_Status* user) {
  const InCall in(Function::Wait);
  const MPI_Request before = *request;
  Status status(user);
  const int result = PSIM_REAL(Wait)(request, status.get());
  recorder().completed(before, status.get());
  return result;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* user) {
  const InCall in(Function::Test);
  const MPI_Request before = *request;
  Status status(user);
  const int result = PSIM_REAL(Test)(request, flag, status.get());
  if (*flag) recorder().completed(before, status.get());
  return result;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* user) {
  const InCall in(Function::Waitall);
  const std::vector<MPI_Request> before(requests, requests + count);
  Statuses statuses(count, user);
  const int result = PSIM_REAL(Waitall)(count, requests, statuses.get());
  for (int i = 0; i < count; ++i) recorder().completed(before[static_cast<std::size_t>(i)], statuses[i]);
  return result;
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* user) {
  const InCall in(Function::Testall);
  const std::vector<MPI_Request> before(requests, requests + count);
  Statuses statuses(count, user);
  const int result = PSIM_REAL(Testall)(count, requests, flag, statuses.get());
  if (*flag)
    for (int i = 0; i < count; ++i) recorder().completed(before[static_cast<std::size_t>(i)], statuses[i]);
  return result;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* user) {
  const InCall in(Function::Waitany);
  const std::vector<MPI_Request> before(requests, requests + count);
  Status status(user);
  const int result = PSIM_REAL(Waitany)(count, requests, index, status.get());
  if (*index != MPI_UNDEFINED) recorder().completed(before[static_cast<std::size_t>(*index)], status.get());
  return result;
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* user) {
  const InCall in(Function::Testany);
  const std::vector<MPI_Request> before(requests, requests + count);
  Status status(user);
  const int result = PSIM_REAL(Testany)(count, requests, index, flag, status.get());
  if (*flag && *index != MPI_UNDEFINED)
    recorder().completed(before[static_cast<std::size_t>(*index)], status.get());
  return result;
}

#define PSIM_SOME(name)                                                                         \
  int MPI_##name(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* user) { \
    const InCall in(Function::name);                                                            \
    const std::vector<MPI_Request> before(requests, requests + count);                          \
    Statuses statuses(count, user);                                                             \
    const int result = PSIM_REAL(name)(count, requests, done, indices, statuses.get());         \
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i)                                   \
      recorder().completed(before[static_cast<std::size_t>(indices[i])], statuses[i]);          \
    return result;                                                                              \
  }
PSIM_SOME(Waitsome)
PSIM_SOME(Testsome)

int MPI_Cancel(MPI_Request* request) {
  const InCall in(Function::Cancel);
  return PSIM_REAL(Cancel)(request);
}

int MPI_Request_free(MPI_Request* request) {
  const InCall in(Function::Request_free);
  recorder().freed(*request);
  return PSIM_REAL(Request_free)(request);
}

PSIM_ALSO(Probe)
PSIM_ALSO(Start)
PSIM_ALSO(Startall)
PSIM_ALSO(Wait)
PSIM_ALSO(Waitall)
PSIM_ALSO(Waitany)
PSIM_ALSO(Waitsome)
PSIM_ALSO(Test)
PSIM_ALSO(Testall)
PSIM_ALSO(Testany)
PSIM_ALSO(Testsome)
PSIM_ALSO(Cancel)
PSIM_ALSO(Request_free)

}  // extern "C"
