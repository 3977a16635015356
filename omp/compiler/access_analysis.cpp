// SPDX-License-Identifier: Apache-2.0
// Finds how references to memory move with the shared counter and with the counters of inner loops.
#include <algorithm>

#include "../runtime/loop.h"
#include "analysis.h"
#include "select.h"

namespace psim_omp {

/// True if one step of the inner loop seems to go farther than all iterations of the shared loop together.
static bool steps_to_row(tree step, tree stride) {
  if (TREE_CODE(stride) != INTEGER_CST || integer_zerop(stride)) return false;
  if (TREE_CODE(step) != INTEGER_CST) return true;  // the runtime looks at its value
  return tree_fits_shwi_p(step) && abs_hwi(tree_to_shwi(step)) > abs_hwi(tree_to_shwi(stride));
}

/// Returns how often a loop returns to its beginning; at most, if it ends by data, too.
static tree most_latches(loop_p loop, const AffineAnalysis& affine) {
  const tree latches = number_of_latch_executions(loop);
  if (latches != NULL_TREE && !chrec_contains_undetermined(latches)) return latches;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (const edge e : exits) {
    tree_niter_desc end;
    if (number_of_iterations_exit(loop, e, &end, false) && affine.invariant(end.niter)) return end.niter;
  }
  return latches;
}

/// Finds how often an inner loop returns to its beginning before the statement is executed for the last time,
/// as a sum of multiples of outer counters.
bool Analysis::returns_of(loop_p loop, gimple* statement, Affine& count) {
  const AffineAnalysis affine = this->affine();
  if (!flow_loop_nested_p(found_.loop, loop))
    return refuse(statement, "the loops are not nested as expected");
  if (const AlignedLoop* const aligned = alignment_.of(loop)) return count = aligned->count, true;
  tree latches = most_latches(loop, affine);
  if (latches == NULL_TREE) return refuse(statement, "the length of an inner loop is not known");
  if (affine.invariant(latches)) {
    count = {fold_convert(ssizetype, latches), NULL_TREE, {}};
  } else {
    latches = latches_where_entered(latches);
    if (!affine.analyse(latches, count) || count.open || count.root != NULL_TREE || count.spread != NULL_TREE)
      return refuse(statement, "the length of an inner loop is not known before the shared loop");
    if (!integer_zerop(count.step_of(found_.loop))) return refuse_uneven(statement, loop);
  }
  const edge leaves = single_exit(loop);
  if (leaves && leaves->src != gimple_bb(statement) &&
      dominated_by_p(CDI_DOMINATORS, gimple_bb(statement), leaves->src))
    count.start =
        fold_build2(MINUS_EXPR, ssizetype, count.start, ssize_int(1));  // tested before the statement
  return true;
}

/// Finds the lowest and the highest sum of the terms of inner loops. The length of a loop may depend on the
/// counters outside: from the innermost loop outwards, its counter is replaced by its first or last value.
bool Analysis::span(gimple* statement, const std::vector<Affine::Term>& terms, tree& low, tree& high) {
  Affine below{ssize_int(0), NULL_TREE, terms}, above{ssize_int(0), NULL_TREE, terms};
  for (;;) {
    loop_p deepest = nullptr;
    for (const Affine* const sum : {&below, &above})
      for (const auto& [loop, step] : sum->terms)
        if (deepest == nullptr || loop_depth(loop) > loop_depth(deepest)) deepest = loop;
    if (deepest == nullptr) break;
    const tree down = below.take(deepest), up = above.take(deepest);
    if (integer_zerop(down) && integer_zerop(up)) continue;
    Affine count;
    if (!returns_of(deepest, statement, count)) return false;
    Affine lowest = count;
    lowest.multiply(fold_build2(MIN_EXPR, ssizetype, down, ssize_int(0)));
    count.multiply(fold_build2(MAX_EXPR, ssizetype, up, ssize_int(0)));
    below.add(lowest), above.add(count);
  }
  low = below.start, high = above.start;
  return true;
}

/// Finds the range of the address in the first iteration, and the stride of the shared loop.
bool Analysis::bounds(gimple* statement, tree reference, tree size, Access& access) {
  const AffineAnalysis affine = this->affine();
  Affine address;
  if (!affine.analyse(build_fold_addr_expr(unshare_expr(reference)), address))
    return refuse(statement, "the address of a reference does not grow linearly with the loops");
  if (address.root == NULL_TREE) return refuse(statement, "the array of a reference was not found");
  access.root = address.root, access.stride = address.step_of(found_.loop), access.dense = true;
  access.open = address.open;
  if (address.open) {
    if (DECL_P(address.root))
      return refuse(statement, "the range of a reference is not known before the shared loop");
    access.dense = false;
    access.low = access.high = fold_convert(ptr_type_node, address.root);
    return true;
  }
  const tree bytes = fold_convert(ssizetype, size);
  std::vector<Affine::Term> rows, columns;
  for (const auto& [loop, step] : address.terms)
    if (loop != found_.loop && !integer_zerop(step))
      (steps_to_row(step, access.stride) ? rows : columns).push_back({loop, step});
  tree row_stride = rows.empty() ? NULL_TREE : rows[0].step;
  if (row_stride != NULL_TREE && TREE_CODE(row_stride) == INTEGER_CST && tree_int_cst_sgn(row_stride) < 0)
    row_stride = fold_build1(NEGATE_EXPR, ssizetype, row_stride);
  const tree back = row_stride != NULL_TREE ? fold_build1(NEGATE_EXPR, ssizetype, row_stride) : NULL_TREE;
  for (const Affine::Term& row : rows)
    if (!operand_equal_p(row.step, row_stride, 0) && !operand_equal_p(row.step, back, 0)) {
      columns.insert(columns.end(), rows.begin(), rows.end()),
          rows.clear();  // of several matrices: the runtime looks at the size
      break;
    }
  tree low, high;
  if (!span(statement, columns, low, high)) return false;
  low = fold_build2(PLUS_EXPR, ssizetype, address.start, low);
  high = fold_build2(PLUS_EXPR, ssizetype, fold_build2(PLUS_EXPR, ssizetype, address.start, bytes), high);
  if (address.spread != NULL_TREE) high = fold_build2(PLUS_EXPR, ssizetype, high, address.spread);
  access.dense &= address.spread == NULL_TREE && rows.empty() &&
                  (columns.empty() || (columns.size() == 1 && operand_equal_p(columns[0].step, bytes, 0)));
  tree executed = ssize_int(1);  // 0 if an inner loop has no iterations
  for (const std::vector<Affine::Term>* const terms : {&columns, &rows})
    for (const auto& [loop, step] : *terms) {
      Affine count;
      if (!returns_of(loop, statement, count)) return false;
      if (!count.terms.empty()) {
        access.dense = false;
        continue;
      }
      executed = fold_build2(MIN_EXPR, ssizetype, executed,
                             fold_build2(MAX_EXPR, ssizetype, ssize_int(0),
                                         fold_build2(PLUS_EXPR, ssizetype, count.start, ssize_int(1))));
    }
  if (!rows.empty()) {
    access.row_stride = row_stride;
    for (Affine::Term& row : rows) {
      const bool down = !operand_equal_p(row.step, row_stride, 0);
      row.step = ssize_int(down ? -1 : 1);
      access.row_loops.push_back({row.loop, down});
    }
    std::sort(access.row_loops.begin(), access.row_loops.end(),
              [](const auto& a, const auto& b) { return loop_depth(a.loop) < loop_depth(b.loop); });
    tree first, last;
    if (!span(statement, rows, first, last)) return false;
    access.rows =
        fold_build2(PLUS_EXPR, ssizetype, fold_build2(MINUS_EXPR, ssizetype, last, first), ssize_int(1));
    access.before_first = fold_build1(NEGATE_EXPR, ssizetype, first);
    const tree way = fold_build2(MULT_EXPR, ssizetype, row_stride, first);
    low = fold_build2(PLUS_EXPR, ssizetype, low, way), high = fold_build2(PLUS_EXPR, ssizetype, high, way);
  }
  if (!integer_onep(executed))
    high = fold_build2(
        PLUS_EXPR, ssizetype, low,
        fold_build2(MULT_EXPR, ssizetype, fold_build2(MINUS_EXPR, ssizetype, high, low), executed));
  access.low = fold_convert(ptr_type_node, low);
  access.high = fold_convert(ptr_type_node, high);
  return true;
}

constexpr const char* kUnaligned =
    "it uses numbers at places that are not multiples of their size, as in packed structures";

/// Returns true, with the bytes, if an address is `rows` times `row_stride` and a constant behind another.
static bool distance_of(tree from, tree to, HOST_WIDE_INT& bytes, HOST_WIDE_INT rows = 0,
                        tree row_stride = NULL_TREE) {
  aff_tree way, other;
  tree_to_aff_combination(to, TREE_TYPE(to), &way), tree_to_aff_combination(from, TREE_TYPE(from), &other);
  aff_combination_scale(&other, -1), aff_combination_add(&way, &other);
  if (row_stride != NULL_TREE) {
    tree_to_aff_combination(fold_convert(TREE_TYPE(to), row_stride), TREE_TYPE(to), &other);
    aff_combination_scale(&other, -rows), aff_combination_add(&way, &other);
  }
  if (way.n != 0 || way.rest != NULL_TREE || !way.offset.is_constant() ||
      !wi::fits_shwi_p(way.offset.coeffs[0]))
    return false;
  bytes = way.offset.coeffs[0].to_shwi();
  return true;
}

/// True if the parts of all iterations from one address on seem to end before the other, or the distance is
/// not known: several planes or columns of one array. The runtime compares them if one is written, and joins
/// those that are near each other.
bool Analysis::far_apart(tree a, tree b, tree stride, bool& near) {
  HOST_WIDE_INT distance;
  if (TREE_CODE(stride) != INTEGER_CST || !tree_fits_shwi_p(stride) || integer_zerop(stride)) return false;
  if (!distance_of(a, b, distance)) return near = found_.arrays.size() < PSIM_OMP_ARRAYS / 2;
  const tree count = gimple_call_arg(found_.iterations, 0);
  constexpr HOST_WIDE_INT kUnknownCount = 16;
  const HOST_WIDE_INT iterations =
      TREE_CODE(count) == INTEGER_CST && tree_fits_shwi_p(count) ? tree_to_shwi(count) : kUnknownCount;
  return abs_hwi(distance) >= abs_hwi(tree_to_shwi(stride)) * iterations;
}

/// Returns the rows between two addresses, rounded to the nearest; 0 if it is not known.
static HOST_WIDE_INT rows_between(tree from, tree to, tree row_stride) {
  HOST_WIDE_INT distance;
  if (TREE_CODE(row_stride) != INTEGER_CST || !tree_fits_shwi_p(row_stride)) {
    constexpr HOST_WIDE_INT kMost = 4;  // neighbours
    for (HOST_WIDE_INT rows = -kMost; rows <= kMost; ++rows)
      if (distance_of(from, to, distance, rows, row_stride)) return rows;
    return 0;
  }
  if (!distance_of(from, to, distance)) return 0;
  const HOST_WIDE_INT row = tree_to_shwi(row_stride);
  return (distance + (distance < 0 ? -row : row) / 2) / row;
}

/// True if addresses are computed from the integer.
static bool becomes_address(tree name, hash_set<tree>& seen) {
  if (TREE_CODE(name) != SSA_NAME || seen.add(name)) return false;
  if (POINTER_TYPE_P(TREE_TYPE(name))) return true;
  gimple* user;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    if (is_gimple_debug(user)) continue;
    bool found = false;
    if (const gphi* const phi = dyn_cast<gphi*>(user)) {
      found = becomes_address(gimple_phi_result(phi), seen);
    } else if (is_gimple_assign(user)) {
      const tree result = gimple_assign_lhs(user);
      found = gimple_assign_load_p(user) || (gimple_store_p(user) && gimple_assign_rhs1(user) != name) ||
              (TREE_CODE(result) == SSA_NAME && is_index(TREE_TYPE(result)) && becomes_address(result, seen));
    }
    if (found) return true;
  }
  return false;
}

/// True if all iterations write the same value there. The scalar part stores an integer for all PEs; the
/// runtime stores a number. No iteration may read it.
bool Analysis::writes_alike(gimple* statement, tree reference) {
  const gassign* const store = dyn_cast<gassign*>(statement);
  const tree value = store && gimple_assign_single_p(store) ? gimple_assign_rhs1(store) : NULL_TREE;
  if (value == NULL_TREE || !affine().invariant(value)) return false;
  if (is_double(TREE_TYPE(value)) || is_float(TREE_TYPE(value)))
    found_.stores_after.push_back(const_cast<gassign*>(store));
  else if (!is_index(TREE_TYPE(value)))
    return false;
  still_stores_.push_back({statement, reference});
  return true;
}

/// Refuses a loop that reads what all iterations write, and one whose iterations all read an integer that an
/// earlier one may write.
bool Analysis::check_still_stores() {
  if (calls_any(fun_, "__psim_omp_ordered"))
    for (const Access& access : found_.accesses)
      for (const tree load : still_loads_)
        if (access.write && refs_may_alias_p(*access.reference, load))
          return refuse(access.statement, "it may write an integer that other iterations read");
  for (const auto& [statement, reference] : still_stores_)
    for (const tree load : still_loads_)
      if (refs_may_alias_p(reference, load)) return refuse(statement, "it reads what every iteration writes");
  return true;
}

/// True for the store of an integer of 8 or 16 bits that PEs do only under a condition: its mask is selected.
static bool keeps_some(gimple* statement) {
  const gasm* const code = dyn_cast<gasm*>(statement);
  const tree mask =
      code && gimple_asm_ninputs(code) > 2 ? TREE_VALUE(gimple_asm_input_op(code, 2)) : NULL_TREE;
  return mask != NULL_TREE && TREE_CODE(mask) == SSA_NAME &&
         gimple_code(SSA_NAME_DEF_STMT(mask)) == GIMPLE_ASM;
}

bool Analysis::add_access(gimple* statement, tree* reference, bool write) {
  if (TREE_THIS_VOLATILE(*reference)) return refuse(statement, "it touches a volatile variable");
  tree base = get_base_address(*reference);
  if (base == NULL_TREE) return refuse(statement, "it has a reference of an unknown kind");
  const tree type = TREE_TYPE(*reference);
  // gcc assembles such numbers in integer registers, which have one value for all PEs.
  const bool aligned =
      !is_number(type) || get_object_alignment(*reference) >= GET_MODE_ALIGNMENT(TYPE_MODE(type));
  const auto own = [&] { return aligned || refuse(statement, kUnaligned); };
  if (on_stack(*reference)) return own();
  const tree size = TYPE_SIZE_UNIT(type);
  if (size == NULL_TREE || TREE_CODE(size) != INTEGER_CST)
    return refuse(statement, "it has a reference of no fixed size");
  Access access{};
  access.statement = statement, access.reference = reference, access.read = !write, access.write = write;

  if (!bounds(statement, *reference, size, access)) return false;
  const bool still = integer_zerop(access.stride);
  if (still && write && !writes_alike(statement, *reference))
    return refuse(statement, "every iteration writes the same place in memory");
  if (!still && !aligned) return refuse(statement, kUnaligned);
  if (still && is_index(type) && !write)
    return still_loads_.push_back(*reference), true;  // a bound or a pointer
  if (!still && is_index(type) && gimple_code(statement) != GIMPLE_ASM) {
    if (TYPE_PRECISION(type) != 32 || POINTER_TYPE_P(type))
      return refuse(statement,
                    "it uses an array of integers that have no 32 bits by the index of the shared loop");
    hash_set<tree> seen;
    return refuse(statement, !write && becomes_address(gimple_assign_lhs(statement), seen)
                                 ? "it uses an address that each PE has of its own, of an array of integers"
                                 : "it uses an array of integers by the index of the shared loop");
  }
  if (!still && DECL_P(access.root))
    return refuse(statement, (std::string("array ") +
                              (DECL_NAME(access.root) ? IDENTIFIER_POINTER(DECL_NAME(access.root)) : "?") +
                              " is not mapped")
                                 .c_str());
  bool near = false;
  const auto same = std::find_if(found_.arrays.begin(), found_.arrays.end(), [&](const Array& array) {
    if (still && (write || array.written_alike)) return false;
    const bool rows = array.row_stride != NULL_TREE, own_rows = access.row_stride != NULL_TREE;
    if (array.root != access.root || !operand_equal_p(array.stride, access.stride, 0) || rows != own_rows)
      return false;
    if (rows) return operand_equal_p(array.row_stride, access.row_stride, 0) != 0;
    return access.open || array.open || !far_apart(array.low, access.low, access.stride, near);
  });
  access.index = static_cast<unsigned>(same - found_.arrays.begin());
  if (same == found_.arrays.end()) {
    found_.arrays.push_back(
        {access.root, access.stride, access.row_stride, access.low, 0, still && write, access.open, near});
  } else if (access.row_stride != NULL_TREE) {
    access.above = rows_between(same->low, access.low, access.row_stride);
    same->least_above = std::min(same->least_above, access.above);
  }
  if (found_.arrays.size() > PSIM_OMP_ARRAYS) return refuse(statement, "it uses more than 32 arrays");
  access.dense &= write && !keeps_some(statement) &&
                  dominated_by_p(CDI_DOMINATORS, found_.loop->latch, gimple_bb(statement));
  found_.accesses.push_back(access);
  return true;
}

}  // namespace psim_omp
