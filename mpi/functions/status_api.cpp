// SPDX-License-Identifier: Apache-2.0
// Queries of a status (MPI-3.1 sections 3.2.5, 4.1.11, 12.3).
#include <climits>

#include "mpi/api.h"
#include "mpi/datatype/registry.h"

using namespace psim::net::mpi;

namespace {

/// Returns the number of basic elements in a type; a pair (MPI_2INT, MPI_DOUBLE_INT, …) counts as two.
long long elements_of(const Datatype& type) {
  long long total = 0;
  for (const Segment& s : type.segments) total += static_cast<long long>(s.repeats * s.count);
  return total * static_cast<long long>(type.copies);
}

/// Returns the basic elements in the first `bytes` of copies of the type, or -1 if an element is cut.
long long elements_in(const Datatype& type, std::uint64_t bytes) {
  if (cuts_element(type, bytes)) return -1;
  if (type.size == 0) return 0;
  long long total = static_cast<long long>(bytes / type.size) * elements_of(type);
  std::uint64_t rest = bytes % type.size;
  for (const Segment s : type.all_segments()) {
    const std::uint64_t all = s.run_bytes() * s.repeats, size = size_of(s.basic);
    const std::uint64_t taken = rest < all ? rest : all;
    total += static_cast<long long>(taken / size);
    rest -= taken;
    if (rest == 0) break;
  }
  return total;
}

template <class Number>
int get_elements(const char* function, const MPI_Status* status, MPI_Datatype type, Number* count) {
  return guarded(function, [&] {
    const long long elements =
        elements_in(datatype(type), static_cast<std::uint64_t>(out(status).psim_bytes));
    out(count) = elements < 0 || (sizeof(Number) == 4 && elements > INT_MAX) ? MPI_UNDEFINED
                                                                             : static_cast<Number>(elements);
  });
}

int set_elements(const char* function, MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  return guarded(function, [&] {
    const Datatype& t = datatype(type);
    const MPI_Count per = elements_of(t);
    std::uint64_t bytes = per > 0 ? static_cast<std::uint64_t>(count / per) * t.size : 0;
    MPI_Count rest = per > 0 ? count % per : 0;
    for (const Segment s : t.all_segments()) {
      const auto n = std::min<MPI_Count>(rest, static_cast<MPI_Count>(s.repeats * s.count));
      bytes += static_cast<std::uint64_t>(n) * size_of(s.basic);
      rest -= n;
    }
    out(status).psim_bytes = static_cast<long long>(bytes);
  });
}

}  // namespace

PSIM_MPI_COUNTED_CALL(Get_count, (const MPI_Status* status, MPI_Datatype type, Number* count), guarded, [&] {
  const auto size = static_cast<long long>(datatype(type).size);
  if (size == 0)
    out(count) = out(status).psim_bytes == 0 ? 0 : MPI_UNDEFINED;
  else if (out(status).psim_bytes % size != 0 || (!kLarge && status->psim_bytes / size > INT_MAX))
    out(count) = MPI_UNDEFINED;
  else
    out(count) = static_cast<Number>(status->psim_bytes / size);
})
PSIM_MPI_COUNTS(int, Get_elements, (const MPI_Status* status, MPI_Datatype type, Number* count),
                { return get_elements(function, status, type, count); })
PSIM_MPI_CALL(Get_elements_x, (const MPI_Status* status, MPI_Datatype type, MPI_Count* count), get_elements,
              status, type, count)
PSIM_MPI_COUNTS(int, Status_set_elements, (MPI_Status * status, MPI_Datatype type, Number count),
                { return set_elements(function, status, type, count); })
PSIM_MPI_CALL(Status_set_elements_x, (MPI_Status * status, MPI_Datatype type, MPI_Count count), set_elements,
              status, type, count)
PSIM_MPI_CALL(Status_set_cancelled, (MPI_Status * status, int flag), unobserved,
              [&] { out(status).psim_cancelled = flag != 0; })
PSIM_MPI_CALL(Test_cancelled, (const MPI_Status* status, int* flag), unobserved,
              [&] { out(flag) = out(status).psim_cancelled; })

PSIM_MPI_CALL(Status_get_source, (const MPI_Status* status, int* source), unobserved,
              [&] { out(source) = out(status).MPI_SOURCE; })
PSIM_MPI_CALL(Status_get_tag, (const MPI_Status* status, int* tag), unobserved,
              [&] { out(tag) = out(status).MPI_TAG; })
PSIM_MPI_CALL(Status_get_error, (const MPI_Status* status, int* error), unobserved,
              [&] { out(error) = out(status).MPI_ERROR; })
PSIM_MPI_CALL(Status_set_source, (MPI_Status * status, int source), unobserved,
              [&] { out(status).MPI_SOURCE = source; })
PSIM_MPI_CALL(Status_set_tag, (MPI_Status * status, int tag), unobserved, [&] { out(status).MPI_TAG = tag; })
PSIM_MPI_CALL(Status_set_error, (MPI_Status * status, int error), unobserved,
              [&] { out(status).MPI_ERROR = error; })
