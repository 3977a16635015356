// SPDX-License-Identifier: Apache-2.0
// The conditions are those of gcc 12's pass "pcom", which runs after this plug-in's last pass. References of
// one array with known distances are a group; in a group, an access and the loads of the same element in the
// next iterations are a chain.
#include "kept_values.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace psim_omp {
namespace {

constexpr HOST_WIDE_INT kFarthest = 8;  // gcc's MAX_DISTANCE of processors with 16 registers or more

using Expansions = hash_map<tree, name_expansion*>;

bool suitable(const data_reference* reference) {
  const tree ref = DR_REF(reference);
  return DR_STEP(reference) != NULL_TREE && integer_nonzerop(DR_STEP(reference)) &&
         !TREE_THIS_VOLATILE(ref) && is_gimple_reg_type(TREE_TYPE(ref)) && !tree_could_throw_p(ref);
}

aff_tree offset_of(const data_reference* reference, Expansions** cache) {
  aff_tree offset, constant;
  const tree type = TREE_TYPE(DR_OFFSET(reference));
  tree_to_aff_combination_expand(DR_OFFSET(reference), type, &offset, cache);
  aff_combination_const(&constant, type, wi::to_poly_widest(DR_INIT(reference)));
  aff_combination_add(&offset, &constant);
  return offset;
}

/// Returns the number of iterations after which `later` accesses what `first` accesses, if it is always the
/// same.
std::optional<HOST_WIDE_INT> iterations_between(const data_reference* first, const data_reference* later,
                                                Expansions** cache) {
  if (!useless_type_conversion_p(TREE_TYPE(DR_REF(later)), TREE_TYPE(DR_REF(first))) ||
      !operand_equal_p(DR_STEP(first), DR_STEP(later), 0) ||
      !operand_equal_p(DR_BASE_ADDRESS(first), DR_BASE_ADDRESS(later), 0))
    return {};
  aff_tree difference = offset_of(first, cache), other = offset_of(later, cache), step;
  aff_combination_scale(&other, -1);
  aff_combination_add(&difference, &other);
  tree_to_aff_combination_expand(DR_STEP(first), TREE_TYPE(DR_STEP(first)), &step, cache);
  poly_widest_int count;
  HOST_WIDE_INT result;
  if (!aff_combination_constant_multiple_p(&difference, &step, &count) || !count.is_constant()) return {};
  const widest_int number = count.to_constant();
  if (!wi::fits_shwi_p(number)) return {};
  result = number.to_shwi();
  return result;
}

/// The references of a loop, and which of them have known distances.
class Groups {
 public:
  explicit Groups(loop_p loop) : loop_(loop) {
    good_ = compute_data_dependences_for_loop(loop, true, &nest_, &references_, &dependences_);
    for (const data_reference* const reference : references_)
      good_ &= DR_REF(reference) != NULL_TREE && !is_gimple_call(DR_STMT(reference));
    if (!good_) return;
    parent_.resize(references_.length() + 1);
    std::iota(parent_.begin(), parent_.end(), 0);
    for (unsigned i = 0; i < references_.length(); ++i) {
      references_[i]->aux = reinterpret_cast<void*>(static_cast<std::size_t>(i));
      if (!suitable(references_[i])) merge(i, useless());
    }
    for (const data_dependence_relation* const dependence : dependences_)
      if (DDR_ARE_DEPENDENT(dependence) != chrec_known) join(DDR_A(dependence), DDR_B(dependence));
  }
  ~Groups() {
    free_data_refs(references_);
    free_dependence_relations(dependences_);
    free_affine_expand_cache(&cache_);
  }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  /// Adds each group's chains to the result.
  void find_chains(KeptValues& result);

 private:
  struct Member {
    data_reference* reference;
    HOST_WIDE_INT offset;  // iterations after the group's first reference
    unsigned position;
  };
  unsigned useless() const { return references_.length(); }
  unsigned group_of(unsigned i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  void merge(unsigned a, unsigned b) { parent_[group_of(a)] = group_of(b); }
  void join(const data_reference* a, const data_reference* b);
  bool members_of(unsigned group, std::vector<Member>& members);
  static void find_chains(const std::vector<Member>& members, KeptValues& result);
  static void finish(const std::vector<Member>& chain, KeptValues& result);

  loop_p loop_;
  bool good_ = false;
  auto_vec<loop_p, 3> nest_;
  auto_vec<data_reference_p, 10> references_;
  auto_vec<ddr_p, 10> dependences_;
  std::vector<unsigned> parent_;
  Expansions* cache_ = nullptr;
};

/// Puts both into one group if their distance is known. Otherwise a load may be changed by the other.
void Groups::join(const data_reference* a, const data_reference* b) {
  const auto number = [](const data_reference* reference) {
    return static_cast<unsigned>(reinterpret_cast<std::size_t>(reference->aux));
  };
  const unsigned first = number(a), second = number(b), bad = group_of(useless());
  if (group_of(first) == group_of(second)) return;
  const bool known =
      group_of(first) != bad && group_of(second) != bad && iterations_between(a, b, &cache_).has_value();
  if (known)
    merge(first, second);
  else if (DR_IS_READ(a) && DR_IS_WRITE(b))
    merge(first, useless());
  else if (DR_IS_WRITE(a) && DR_IS_READ(b))
    merge(second, useless());
  else if (DR_IS_WRITE(a) && DR_IS_WRITE(b))
    merge(first, useless()), merge(second, useless());
}

bool Groups::members_of(unsigned group, std::vector<Member>& members) {
  for (unsigned i = 0; i < references_.length(); ++i) {
    if (group_of(i) != group) continue;
    data_reference* const reference = references_[i];
    if (!just_once_each_iteration_p(loop_, gimple_bb(DR_STMT(reference)))) return false;
    std::optional<HOST_WIDE_INT> offset = 0;
    if (!members.empty()) offset = iterations_between(members[0].reference, reference, &cache_);
    if (!offset) return false;
    members.push_back({reference, *offset, static_cast<unsigned>(members.size())});
  }
  return members.size() > 1;
}

/// A chain begins with a store, or with the first load of an element.
void Groups::find_chains(const std::vector<Member>& members, KeptValues& result) {
  std::vector<Member> chain;
  for (const Member& member : members) {
    if (!chain.empty() && (DR_IS_WRITE(member.reference) || member.offset - chain[0].offset >= kFarthest)) {
      finish(chain, result);
      chain.clear();
    }
    chain.push_back(member);
  }
  finish(chain, result);
}

void Groups::finish(const std::vector<Member>& chain, KeptValues& result) {
  if (chain.size() < 2) return;
  const Member& root = chain.front();
  const unsigned length = static_cast<unsigned>(chain.back().offset - root.offset);
  unsigned registers = length;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    gimple* const load = DR_STMT(chain[i].reference);
    const unsigned distance = static_cast<unsigned>(chain[i].offset - root.offset);
    result.loads.add(load);
    // The oldest value is still needed when the newest one comes.
    if (distance == length && chain[i].position > root.position) registers = length + 1;
    if (DR_IS_WRITE(root.reference) && distance > 0)
      result.carried.push_back(
          {gimple_assign_rhs1(DR_STMT(root.reference)), gimple_assign_lhs(load), distance});
  }
  if (registers == 0) return;
  const unsigned all = std::lcm(result.unrolled, registers);
  if (all <= static_cast<unsigned>(param_max_unroll_times)) result.unrolled = all;
}

void Groups::find_chains(KeptValues& result) {
  if (!good_) return;
  const unsigned bad = group_of(useless());
  for (unsigned i = 0; i < references_.length(); ++i) {
    std::vector<Member> members;
    if (group_of(i) != i || i == bad || !members_of(i, members)) continue;
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.position < b.position;
    });
    find_chains(members, result);
  }
}

}  // namespace

void find_kept_values(loop_p loop, KeptValues& result) {
  if (!flag_predictive_commoning || loop->inner != nullptr || !optimize_loop_for_speed_p(loop) ||
      get_max_loop_iterations_int(loop) == 0)
    return;
  Groups(loop).find_chains(result);
  tree_niter_desc description;
  if (result.unrolled > 1 && !can_unroll_loop_p(loop, result.unrolled, &description)) result.unrolled = 1;
}

}  // namespace psim_omp
