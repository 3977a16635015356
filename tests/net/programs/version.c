/* SPDX-License-Identifier: Apache-2.0
   Prints the version of the library, as the check of CMake's FindMPI does. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(text, &length);
  puts(text);
  return 0;
}
