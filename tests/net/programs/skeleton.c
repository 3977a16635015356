/* SPDX-License-Identifier: Apache-2.0
   skeleton CASE: regions whose bodies psim net --skeleton leaves out, and times without regions. */
#include "lmpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size, executed = 0;
  LMPI_Init(&argc, &argv);
  LMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  LMPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *what = argc > 1 ? argv[1] : "plain";
  const long n = 64 + rank;
  if (strcmp(what, "plain") == 0) {
    PSIM_REGION_SKIP("product", n, 2) ++executed;
    PSIM_REGION_SKIP("product", n, 3) {
      PSIM_REGION_BEGIN("inner");
      ++executed;
      PSIM_REGION_END("inner");
    }
    BSIM_Add_model("product", n, 1);
    BSIM_Add_time(1e-6);
    BSIM_Add_time(0);
    /* The buffer is smaller than the message. */
    double small = rank;
    LMPI_Allreduce(MPI_IN_PLACE, &small, 100000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d executed %d, buffer %g\n", rank, executed, small);
  }
  if (strcmp(what, "unknown") == 0 && rank == size - 1) BSIM_Add_model("prodcut", n, 1);
  if (strcmp(what, "arguments") == 0 && rank == size - 1) BSIM_Add_model("product", n);
  if (strcmp(what, "skipped") == 0 && rank == size - 1) PSIM_REGION_SKIP("other") ++executed;
  if (strcmp(what, "leaves") == 0) PSIM_REGION_SKIP("product", n, 2) {
      if (rank == size - 1) break;
    }
  if (strcmp(what, "negative") == 0 && rank == size - 1) BSIM_Add_time(-1e-6);
  if (strcmp(what, "nan") == 0 && rank == size - 1) BSIM_Add_time(strtod("nan", NULL));
  LMPI_Finalize();
  return 0;
}
