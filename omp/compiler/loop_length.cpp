// SPDX-License-Identifier: Apache-2.0
#include "loop_length.h"

#include <algorithm>

#include "alignment.h"

namespace psim_omp {
namespace {

// Iterations of an inner loop whose number is not known before the shared loop. Where data end it, PEs go on
// until the last one is done: if each step is as likely to be the last as any other, 26 on average for 16
// PEs. In an outer loop that data end, too, fewer PEs are active from step to step: 15.
constexpr HOST_WIDE_INT kUnknownLength = 8, kUnknownLengthOfAll = 26, kUnknownLengthOfActive = 15;

/// True for a loop of the PEs that goes on until the last of them is done.
bool waits_for_all(loop_p loop) {
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (const edge e : exits)
    for (gimple_stmt_iterator at = gsi_start_bb(e->src); !gsi_end_p(at); gsi_next(&at))
      if (calls(gsi_stmt(at), Runtime::AnyActive)) return true;
  return false;
}

/// Returns the number of iterations of a loop of unknown length, whose largest number may be known.
tree unknown_length(loop_p loop, loop_p shared) {
  HOST_WIDE_INT length = kUnknownLength;
  if (waits_for_all(loop)) {
    length = kUnknownLengthOfAll;
    for (loop_p outer = loop_outer(loop); outer != shared; outer = loop_outer(outer))
      if (waits_for_all(outer)) length = kUnknownLengthOfActive;
  }
  const HOST_WIDE_INT most = max_stmt_executions_int(loop);
  return ssize_int(most >= 0 ? std::min(length, most) : length);
}

}  // namespace

tree iterations_of(loop_p loop, loop_p shared, const AffineAnalysis& affine, tree count) {
  Affine value;
  if (const AlignedLoop* const aligned = affine.alignment().of(loop)) {
    // From the first step of any PE to the last, in tiles that are some part of all iterations.
    value.start = aligned->count.start;
    for (const auto& [counted, step] : aligned->count.terms)
      value.start = fold_build2(
          PLUS_EXPR, ssizetype, value.start,
          fold_build2(MULT_EXPR, ssizetype, step,
                      fold_build2(RSHIFT_EXPR, ssizetype, iterations_of(counted, shared, affine, count),
                                  build_int_cst(integer_type_node, 1))));
    const tree all = fold_build2(MAX_EXPR, ssizetype, ssize_int(0),
                                 fold_build2(PLUS_EXPR, ssizetype, value.start, ssize_int(1)));
    return fold_build2(RSHIFT_EXPR, ssizetype, fold_build2(MULT_EXPR, ssizetype, all, ssize_int(3)),
                       build_int_cst(integer_type_node, 2));
  }
  const tree latches = number_of_latch_executions(loop);
  if (latches == NULL_TREE || TREE_CODE(latches) == SCEV_NOT_KNOWN) return unknown_length(loop, shared);
  if (affine.invariant(latches)) {
    value.start = fold_convert(ssizetype, latches);
  } else if (affine.analyse(latches, value) && !value.open && value.root == NULL_TREE) {
    for (const auto& [counted, step] : value.terms) {
      const tree all = counted == shared ? count : iterations_of(counted, shared, affine, count);
      const tree middle = fold_build2(RSHIFT_EXPR, ssizetype, fold_convert(ssizetype, all),
                                      build_int_cst(integer_type_node, 1));
      value.start =
          fold_build2(PLUS_EXPR, ssizetype, value.start, fold_build2(MULT_EXPR, ssizetype, step, middle));
    }
  } else {
    return unknown_length(loop, shared);
  }
  return fold_build2(MAX_EXPR, ssizetype, ssize_int(0),
                     fold_build2(PLUS_EXPR, ssizetype, value.start, ssize_int(1)));
}

}  // namespace psim_omp
