// SPDX-License-Identifier: Apache-2.0
// Declarations that the passes share: which functions hold the loops of target regions, and the runtime's
// functions that they call.
#ifndef PSIM_OMP_COMPILER_TARGET_LOOP_H
#define PSIM_OMP_COMPILER_TARGET_LOOP_H

#include "gcc_headers.h"

namespace psim_omp {

/// True in a function that gcc outlined from a `parallel` construct of a target region.
bool in_target_parallel(function* fun);

/// True in a function that gcc outlined from a target region.
bool is_target_region(function* fun);

/// Visits each target region of a function, before gcc outlines it.
void walk_targets(function* fun, void (*visit)(gomp_target*));

/// Visits the statements of each target region of a function, before gcc outlines it; `visit` may replace
/// them.
void walk_target_bodies(function* fun, walk_stmt_fn visit);

/// True if the function calls one whose name contains `part`.
bool calls_any(function* fun, const char* part);

/// True if the statement calls a function of OpenMP's library that returns a number which does not change in
/// a parallel region, and whose name contains `part`.
bool is_query(gimple* statement, const char* part = "");

/// True if the function starts parallel regions.
bool starts_parallel(function* fun);

/// True for a function that shared loops call and that calls itself, maybe by way of others.
bool is_recursive(tree function);

/// Functions of the runtime (omp/runtime/loop.h) that compiled loops call.
enum class Runtime {
  Iterations,  // void (long count, const char* loop, const char* reason)
  Ordered,     // void (void): iterations of the loop that follows may need earlier ones
  Begin,       // long (void)
  End,         // long (void)
  Access,      // void (long index, void* low, void* high, long stride, long flags, const char* name)
  Rows,    // void (long index, long stride, long count, long above): of the next access, which is that of one
           // row
  Wrap,    // long (long first, long step, long modulus, long negative): what makes a remainder of the operand
  Split,   // void (long first, long step, long low, long high): a comparison with low and high
  Keep,    // void (long first, long step, long low, long high): only iterations with low <= value < high
  Result,  // void (void* address, long bytes): code behind the loop writes it
  Work,    // void (long times, long scalar, long pes, long instructions): how long an iteration takes
  Ready,  // void (long last, long place): the descriptions end; last: the last iteration is the scalar core's
  FirstIndex,  // double (void): the number of this PE's first iteration
  OnPes,       // long (void): whether the PEs do the loop, or it describes itself
  Farthest,    // long (long slope): the largest product of a PE's first index and the slope
  AnyActive,   // long (double active): not 0 if a PE has another number than 0
  SumD,
  SumS,
  ProductD,
  ProductS,
  MinimumD,
  MinimumS,
  MaximumD,
  MaximumS,  // T (T), over the PEs
  OrD,
  AndD,
  XorD,  // double (double): of integers, over the PEs
  DivideD,
  DivideS,  // T (T, T)
  RootD,
  RootS,  // T (T)
  FloorD,
  FloorS,
  CeilD,
  CeilS,
  TruncD,
  TruncS,
  RoundD,
  RoundS,
  RintD,
  RintS,
  ExpD,
  ExpS,
  LogD,
  LogS,
  SinD,
  SinS,
  CosD,
  CosS,
  Exp2D,
  Exp2S,
  Log2D,
  Log2S,
  Log10D,
  Log10S,
  Expm1D,
  Expm1S,
  Log1pD,
  Log1pS,
  SinhD,
  SinhS,
  CoshD,
  CoshS,
  TanhD,
  TanhS,
  CbrtD,
  CbrtS,
  TanD,
  TanS,
  AsinD,
  AsinS,
  AcosD,
  AcosS,
  AtanD,
  AtanS,
  ErfD,
  ErfS,
  ErfcD,
  ErfcS,  // T (T)
  PowD,
  PowS,
  HypotD,
  HypotS,
  Atan2D,
  Atan2S,
  FmodD,
  FmodS,  // T (T, T)
  PowiD,
  PowiS,  // T (T, int)
  StoreD,
  StoreS,  // void (T*, T): one value for all PEs, to memory
  Region,  // void (void): a function with a loop begins
  Scalar,  // void (void (*)(), const char* region, const char* reason): this function has no loop for PEs
  kCount
};
constexpr Runtime kFirstFunction = Runtime::DivideD, kLastFunction = Runtime::PowiS;  // of numbers
tree declaration(Runtime which);
/// Returns `which` if the statement calls it.
bool calls(gimple* statement, Runtime which);
gcall* build_call(Runtime which, std::initializer_list<tree> arguments);
/// The plug-in's arguments: where loops run that can run on either (PSIM_OMP_LOOPS_… of omp/runtime/loop.h),
/// and whether the compiler prints its estimates.
struct Options {
  long place = 0;
  bool report = false;
};
extern Options options;

/// Returns a pointer to the characters, as an operand of a statement.
tree literal(const char* text);

/// Returns "FUNCTION at FILE:LINE" of the construct, as an operand of a statement.
tree name_of_loop(function* fun, location_t where);

/// Returns the name of the location's file, without its folder.
std::string file_of(location_t where);

/// Keeps the declarations from gcc's garbage collector.
void register_roots(const char* plugin);

/// Marks what a pass that inserted calls and memory accesses has made stale.
void renew_function();

/// Until the distribution pass ends: no value that an iteration has loaded is kept for the next one, which
/// may be another PE's.
void keep_loads_in_place();
void free_loads();

/// The passes, in the order in which they run.
gimple_opt_pass* make_teams_pass(gcc::context*);
gimple_opt_pass* make_relax_pass(gcc::context*);
gimple_opt_pass* make_collapse_pass(gcc::context*);
gimple_opt_pass* make_separate_pass(gcc::context*);
simple_ipa_opt_pass* make_inline_pass(gcc::context*);
gimple_opt_pass* make_share_pass(gcc::context*);
gimple_opt_pass* make_integer_pass(gcc::context*);
gimple_opt_pass* make_conversion_pass(gcc::context*);
gimple_opt_pass* make_distribution_pass(gcc::context*);

/// An integer or an address.
inline bool is_index(tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); }

/// True if the set contains a name that the statement, or phi, uses.
bool any_operand(gimple* statement, hash_set<tree>& set);

}  // namespace psim_omp

#endif
