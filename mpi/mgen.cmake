# SPDX-License-Identifier: Apache-2.0
# Writes mgen.h from mpi.h: each constant and type MPI_X is also MGEN_X. The functions come from mpi_functions.h.
function(write_mgen_header from to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
  file(STRINGS ${from} lines)
  set(body "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^#define MPI_([A-Za-z0-9_]+)[ (]")
      string(APPEND body "#define MGEN_${CMAKE_MATCH_1} MPI_${CMAKE_MATCH_1}\n")
    elseif(line MATCHES "^typedef [a-zA-Z_ ]*[ (]MPI_([A-Za-z0-9_]+)")
      string(APPEND body "typedef MPI_${CMAKE_MATCH_1} MGEN_${CMAKE_MATCH_1};\n")
    elseif(line MATCHES "^} MPI_([A-Za-z]+);?$")
      string(APPEND body "typedef MPI_${CMAKE_MATCH_1} MGEN_${CMAKE_MATCH_1};\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${to} @ONLY CONTENT "/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PSIM_MGEN_H
#define PSIM_MGEN_H
#include \"mpi.h\"
${body}
#ifdef __cplusplus
extern \"C\" {
#endif
/** The program's entry, defined by the user instead of main(). */
int MGEN_Main(int argc, char **argv);
/** Computes for `seconds` of simulated time. */
void MGEN_Comp(double seconds);
#define PSIM_MPI_FUNCTION(result, name, arguments) result MGEN_##name arguments;
#include \"mpi_functions.h\"
#undef PSIM_MPI_FUNCTION
#ifdef __cplusplus
}
#endif
#include \"mgen_rdma.h\"
#endif
")
endfunction()
