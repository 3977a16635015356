/* SPDX-License-Identifier: Apache-2.0
   The main of programs without one: programs written for NSIM begin at MGEN_Main. If that lacks, too, the linker prints the name of this file. */
extern int MGEN_Main(int argc, char** argv);
extern void psim_begin_mgen_main(void) __attribute__((weak)); /* mpi/warnings.cpp */

int main(int argc, char** argv) {
  if (psim_begin_mgen_main) psim_begin_mgen_main();
  return MGEN_Main(argc, argv);
}
