/* SPDX-License-Identifier: Apache-2.0
 * What compiled loops of target regions call (omp/compiler/distribution_pass.cpp inserts the calls).
 *
 * The runtime calls the outlined function several times:
 *  - Once to describe the loop: its number of iterations and its accesses in the first one. __psim_omp_ready
 * does not return.
 *  - Then once for each tile in SIMD state, with the number of iterations that each PE has in it; or once in
 * scalar state with all iterations. */
#ifndef PSIM_OMP_LOOP_H
#define PSIM_OMP_LOOP_H

/* A function that gcc outlined. */
typedef void outlined(void* data);

/* A function outlined from a target region begins, which has no loop for the PEs because of `reason`. */
void __psim_omp_scalar(outlined* function, const char* region, const char* reason);

/* A function with a loop begins; it returns without a loop if there are no iterations. */
void __psim_omp_region(void);

/* The loop has `count` iterations. `reason`: why PEs cannot do it, or null. */
void __psim_omp_iterations(long count, const char* loop, const char* reason);
/* Iterations of the loop that follows may need earlier ones. */
void __psim_omp_ordered(void);
/* The first iteration that is to be done, and the one behind the last. */
long __psim_omp_begin(void);
long __psim_omp_end(void);

enum {
  PSIM_OMP_READS = 1,
  PSIM_OMP_WRITES = 2,
  PSIM_OMP_DENSE = 4 /* writes every byte */,
  PSIM_OMP_OPEN = 8,
  PSIM_OMP_NEAR = 16 /* may be near another array of the loop */
};
/* Iteration i accesses [low, high) + i * stride of the array with this number; writes come first. With
 * PSIM_OMP_OPEN the range is not known: `low` is an address in the array. */
void __psim_omp_access(long array, char* low, char* high, long stride, long flags, const char* name);
/* The next access of this array is repeated `count` times, `stride` bytes apart. It describes the first row,
 * which is `above` rows above the lowest of the array. */
void __psim_omp_rows(long array, long stride, long count, long above);
/* A value of iteration i is first + i * step. The iterations that the PEs do are reduced to the longest part
 * in which
 * - the value's remainder by `modulus` grows linearly; returns the number that, added to the value, gives the
 * remainder there. `negative`: the remainder of a negative value is negative, as C's of signed numbers;
 * - it is below `low`, or below `high`, or not, in all iterations;
 * - it is not below `low` and below `high`. */
long __psim_omp_wrap(long first, long step, long modulus, long negative);
void __psim_omp_split(long first, long step, long low, long high);
void __psim_omp_keep(long first, long step, long low, long high);
/* Code behind the loop writes this. With a negative number of bytes it is an integer. */
void __psim_omp_result(void* at, long bytes);
/* In one iteration, code that takes `scalar` sixteenths of a cycle on the scalar core, and `pes` on a PE,
 * runs `times` times. `instructions`: its instructions, also in sixteenths. */
void __psim_omp_work(long times, long scalar, long pes, long instructions);
/* Where a loop runs that can run on the PEs. */
enum { PSIM_OMP_LOOPS_AUTO, PSIM_OMP_LOOPS_PES, PSIM_OMP_LOOPS_SCALAR };
/* All is described. `last`: the scalar core must do the last iteration, whose values outlive the loop.
 * `place`: a constant from above. `reorders`: the compiler may have changed the order of operations. */
void __psim_omp_ready(long last, long place, long reorders);

enum { PSIM_OMP_ARRAYS = 32 };
/* The number that the loop adds to its addresses of each array. */
extern unsigned long __psim_omp_displacements[PSIM_OMP_ARRAYS];
/* The number by which that grows from row to row. */
extern unsigned long __psim_omp_row_displacements[PSIM_OMP_ARRAYS];

/* In SIMD state the number of each PE's first iteration; else 0. */
double __psim_omp_first_index(void);
/* The largest product of that number and `slope`, over the enabled PEs. */
long __psim_omp_farthest(long slope);
/* True if the number of any enabled PE is not 0. */
long __psim_omp_any_active(double active);
/* False if the scalar core does the iterations of a loop that has code of its own for it. */
long __psim_omp_on_pes(void);

#endif
