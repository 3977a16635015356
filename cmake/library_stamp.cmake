# SPDX-License-Identifier: Apache-2.0
# What libraries of target processes and the simulator must have in common: netsim/message/library_stamp.h.
set(seam netsim/message/host.h netsim/message/call_observer.h netsim/message/envelope.h netsim/message/mpi_config.h
  netsim/message/rdma_counts.h netsim/message/rdma_config.h mpi/attach.h base/ids.h base/units.h)
list(TRANSFORM seam PREPEND ${PROJECT_SOURCE_DIR}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${seam})
set(stamp)
foreach(header ${seam})
  file(SHA256 ${header} hash)
  string(APPEND stamp ${hash})
endforeach()
string(SHA256 stamp "${stamp}")
set(PSIM_LIBRARY_STAMP "PSIM_LIBRARY_STAMP=\"${stamp}\"")
