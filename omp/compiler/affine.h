// SPDX-License-Identifier: Apache-2.0
// Integers and addresses as sums of what is known before the shared loop and of multiples of loop counters.
#ifndef PSIM_OMP_COMPILER_AFFINE_H
#define PSIM_OMP_COMPILER_AFFINE_H

#include <vector>

#include "target_loop.h"

namespace psim_omp {

inline tree wide(tree value) { return fold_convert(ssizetype, value); }
inline tree sum(tree a, tree b) { return fold_build2(PLUS_EXPR, ssizetype, a, b); }
inline tree product(tree a, tree b) { return fold_build2(MULT_EXPR, ssizetype, a, b); }

/// start + Σ step · (iterations of the loop so far). All trees are of type ssizetype and known before the
/// shared loop. Additions and products are taken not to wrap: in signed types they must not; index types of
/// 64 bits do not in practice.
struct Affine {
  struct Term {
    loop_p loop;
    tree step;
  };
  tree start;
  tree root;  // the pointer, or the variable, that is part of start; null: none
  std::vector<Term> terms;
  tree spread = NULL_TREE;  // a number between 0 and this is added, the same for all PEs; null: none
  bool wraps = false;       // it was computed in an unsigned type, where it may wrap around
  bool index_only =
      false;  // it holds for addresses, which do not reach far enough for an unsigned int to wrap around
  bool open = false;  // something is added that is the same for all PEs, but not known before the loop

  /// Returns what one iteration of the loop adds.
  tree step_of(loop_p loop) const;
  /// Likewise, and removes the loop's term.
  tree take(loop_p loop);
  /// False if both are addresses.
  bool add(const Affine& other);
  /// False if it is an address. `other_open`: that of the factor.
  bool multiply(tree factor, bool other_open = false);
};

/// Calls of the runtime that find the iterations in which remainders, comparisons, minima and maxima of the
/// shared counter do not change from linear to linear, or from true to false. PEs do these iterations.
struct Pieces {
  struct Call {
    Runtime which;
    std::vector<tree> arguments;  // known before the loop, of type ssizetype
    tree result;                  // a name, or null
  };
  std::vector<Call> calls;
  hash_map<tree, tree> shifts;  // the addend of the operand of each such remainder, minimum or maximum
};

/// False if the value is small and, in an unsigned type, not negative in all iterations: it does not wrap
/// around.
bool may_wrap(const Affine& value, tree type);

struct Alignment;

class AffineAnalysis {
 public:
  /// `moving`: the integers and addresses that depend on the shared loop's counter.
  AffineAnalysis(loop_p shared, hash_set<tree>& moving, Pieces& pieces, const Alignment& alignment)
      : shared_(shared), moving_(moving), pieces_(pieces), alignment_(alignment) {}
  /// Returns false if the expression is not of that form.
  bool analyse(tree expression, Affine& result, unsigned depth = 0) const;
  /// True if the expression has one value in all of the shared loop, and is known before it.
  bool invariant(tree expression) const;
  const Alignment& alignment() const { return alignment_; }

 private:
  bool analyse_name(tree name, Affine& result, unsigned depth) const;
  bool analyse_definition(tree name, Affine& result, unsigned depth) const;
  bool analyse_piece(gassign* assign, Affine& result, unsigned depth) const;
  bool analyse_counter(gphi* phi, Affine& result, unsigned depth) const;
  bool analyse_operation(tree_code code, tree type, tree a, tree b, Affine& result, unsigned depth) const;
  bool analyse_rounding(tree_code code, tree type, const Affine& value, tree by, Affine& result) const;
  bool analyse_address(tree reference, Affine& result, unsigned depth) const;
  loop_p shared_;
  hash_set<tree>& moving_;
  Pieces& pieces_;
  const Alignment& alignment_;
};

}  // namespace psim_omp

#endif
