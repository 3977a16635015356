// SPDX-License-Identifier: Apache-2.0
// The numbers of the core are those of paper 003, table 1, and the defaults of docs/configuration.md: an
// iteration takes as long as the busiest of decoding, fetching, pipes, chains of values that iterations hand
// on, and the window.
#include "work.h"

#include <algorithm>
#include <cmath>

#include "kept_values.h"
#include "loop_length.h"
#include "work_of_functions.h"

namespace psim_omp {
namespace {

constexpr double kDecodeWidth = 4;   // core.window.decode_width
constexpr double kFetchWidth = 8;    // core.fetch.width
constexpr double kTakenBubble = 2;   // core.branch.taken_bubble
constexpr double kIntegerPipes = 2;  // core.pipes.integer
constexpr double kAddressPipes = 2;  // core.pipes.address
constexpr double kCommitStack = 64;  // core.window.commit_stack
constexpr double kRename = 32;       // core.window.fp_rename, and simd.timing.rename
constexpr double kStation = 16;      // two stations of 8 entries; simd.timing.station
constexpr double kPipeline = 8;      // stages between D and W other than X: P B X U W, the operand's Ps Ts Ms
constexpr double kDivision = 22;     // of integers, but by a power of two
constexpr double kMispredicted = 14;     // from IA to X, which are fetched again after a mispredicted branch
constexpr HOST_WIDE_INT kUnrolled = 16;  // gcc unrolls shorter loops: max-completely-peel-times

/// Where code runs.
struct Processor {
  double fp_pipes;  // core.pipes.fp, simd.timing.arithmetic_pipes
  double load;      // latency: l1d.latency, or C and simd.timing.sbm_latency after the address
  bool pes;
};
constexpr Processor kScalar{2, 4, false}, kPes{1, 5, true};

/// The pipes, entries and cycles that one statement takes.
struct Demand {
  double instructions = 0, fp = 0, integer = 0, memory = 0, results = 0;
  double latency = 0;
  double alone = 0;  // cycles in which nothing else is done: a call

  void add(const Demand& other, double weight) {
    instructions += weight * other.instructions, fp += weight * other.fp, integer += weight * other.integer;
    memory += weight * other.memory, results += weight * other.results, alone += weight * other.alone;
  }
};

bool is_number(tree type) { return type != NULL_TREE && SCALAR_FLOAT_TYPE_P(type); }

Demand arithmetic(double latency) { return {1, 1, 0, 0, 1, latency, 0}; }
Demand call(double cycles) { return {4, 0, 0, 0, 1, 0, cycles}; }

/// True for a product that becomes part of a multiply-add.
bool fuses(gimple* statement) {
  const gassign* const product = dyn_cast<gassign*>(statement);
  if (product == nullptr || gimple_assign_rhs_code(product) != MULT_EXPR ||
      flag_fp_contract_mode != FP_CONTRACT_FAST)
    return false;
  const tree result = gimple_assign_lhs(product);
  if (TREE_CODE(result) != SSA_NAME || !is_number(TREE_TYPE(result))) return false;
  use_operand_p use;
  gimple* user;
  if (!single_imm_use(result, &use, &user)) return false;
  if (!is_gimple_assign(user) || gimple_bb(user) != gimple_bb(statement)) return false;
  const tree_code code = gimple_assign_rhs_code(user);
  return code == PLUS_EXPR || code == MINUS_EXPR;
}

/// The time of an iteration, and that by which decoding gets ahead of a chain of values that iterations hand
/// on.
struct Cycles {
  double all = 0;
  double ahead = 0,
         most_ahead = 0;  // in each iteration, and until the entries are full of operations that wait
  double instructions = 0;
};

class Estimate {
 public:
  Estimate(loop_p loop, const AffineAnalysis& affine)
      : loop_(loop), affine_(affine), body_(get_loop_body_in_dom_order(loop)) {
    find_kept_values(loop, kept_);
  }
  ~Estimate() { free(body_); }
  Estimate(const Estimate&) = delete;
  Estimate& operator=(const Estimate&) = delete;

  /// Cycles of one iteration. `unrolled`: gcc makes straight code of the whole loop, without a branch back.
  Cycles cycles(const Processor& processor, bool unrolled) const;
  /// True if another loop goes on with a value that the iterations hand on.
  bool hands_on() const;
  /// The longest chain of values in an iteration.
  double chain(const Processor& processor) const;

 private:
  bool own(basic_block bb) const { return bb->loop_father == loop_; }
  double weight(basic_block bb) const;
  Demand demand(gimple* statement, const Processor& processor) const;
  Demand demand_of_call(gimple* statement, const Processor& processor) const;
  /// The latest value that depends on `source`, or on anything if it is null; `at`: that of this name only.
  double longest(const Processor& processor, tree source, tree at) const;
  double recurrence(const Processor& processor) const;

  loop_p loop_;
  const AffineAnalysis& affine_;
  basic_block* body_;
  mutable KeptValues kept_;  // gcc's hash_set has no look-up that is const
};

/// The share of iterations that execute the block.
double Estimate::weight(basic_block bb) const {
  if (dominated_by_p(CDI_DOMINATORS, loop_->latch, bb)) return 1;
  if (!bb->count.initialized_p() || !loop_->header->count.initialized_p() ||
      !loop_->header->count.nonzero_p())
    return 0.5;
  return std::clamp(
      bb->count.probability_in(loop_->header->count).to_reg_br_prob_base() / double{REG_BR_PROB_BASE}, 0.0,
      1.0);
}

Demand Estimate::demand_of_call(gimple* statement, const Processor& processor) const {
  for (const WorkOfFunction& function : kWorkOfFunctions)
    for (const int narrow : {0, 1})
      if (calls(statement, static_cast<Runtime>(static_cast<int>(function.which) + narrow)))
        return call(processor.pes ? function.on_pes[narrow] : function.on_scalar[narrow]);
  switch (gimple_call_combined_fn(statement)) {
    case CFN_BUILT_IN_FABS:
    case CFN_BUILT_IN_FABSF:
      return arithmetic(2);
    default:
      return arithmetic(6);  // multiply-adds
  }
}

Demand Estimate::demand(gimple* statement, const Processor& processor) const {
  if (is_gimple_debug(statement) || gimple_clobber_p(statement) || kept_.loads.contains(statement)) return {};
  if (is_gimple_call(statement)) return demand_of_call(statement, processor);
  if (gimple_code(statement) == GIMPLE_COND) {
    edge e;
    edge_iterator it;
    FOR_EACH_EDGE(e, it, gimple_bb(statement)->succs)
    if (!flow_bb_inside_loop_p(loop_, e->dest)) return {};  // part of every iteration: cycles() adds it
    return {2, 0, 1, 0, 0, 0, 0};
  }
  if (gasm* const code = dyn_cast<gasm*>(statement)) {
    if (gimple_vdef(statement)) return {7, 4, 1, 2, 2, processor.load + 9, 0};  // part of a word
    if (gimple_asm_noutputs(code) == 2) return {3, 1, 1, 1, 1, processor.load + 3, 0};
    if (gimple_asm_ninputs(code) == 4)
      return {2, 2, 0, 0, 1, 5, 0};  // a comparison, and a move by its result
    if (gimple_vuse(statement)) return {1, 0, 0, 1, 1, processor.load, 0};
    return arithmetic(2);
  }
  if (!is_gimple_assign(statement)) return {};
  if (gimple_assign_load_p(statement)) return {1, 0, 0, 1, 1, processor.load, 0};
  if (gimple_store_p(statement)) return {1, 0, 0, 1, 0, 0, 0};
  const tree result = gimple_assign_lhs(statement);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (TREE_CODE(result) != SSA_NAME || code == SSA_NAME || gimple_assign_single_p(statement)) return {};
  if (is_number(TREE_TYPE(result))) {
    if (fuses(statement)) return {};
    if (code == FLOAT_EXPR)
      return {3, 1, 0, 2, 2, processor.load + 4, 0};  // an integer passes through memory
    if (code == MULT_EXPR) return arithmetic(3);
    if (code == NEGATE_EXPR || code == ABS_EXPR) return arithmetic(2);
    if (code == PLUS_EXPR || code == MINUS_EXPR)
      for (const tree side : {gimple_assign_rhs1(statement), gimple_assign_rhs2(statement)})
        if (TREE_CODE(side) == SSA_NAME && fuses(SSA_NAME_DEF_STMT(side))) return arithmetic(6);
    return arithmetic(3);
  }
  // gcc makes increments of addresses and counters.
  Affine value;
  if (CONVERT_EXPR_CODE_P(code) || (affine_.analyse(result, value) && !value.open)) return {};
  if (code == MULT_EXPR) return {1, 0, 1, 0, 0, 5, 0};
  if (code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR) {
    if (integer_pow2p(gimple_assign_rhs2(statement))) return {3, 0, 3, 0, 0, 3, 0};
    return {4, 0, 4, 0, 0, kDivision, kDivision};
  }
  return {1, 0, 1, 0, 0, 1, 0};
}

double Estimate::longest(const Processor& processor, tree source, tree at) const {
  hash_map<tree, double> ends;  // when the value is there
  double latest = source ? -1 : 0;
  if (source != NULL_TREE) ends.put(source, 0);
  const auto visit = [&](tree result, double start, double latency) {
    if (start < 0) return;
    ends.put(result, start + latency);
    latest = std::max(latest, start + latency);
  };
  for (unsigned i = 0; i < loop_->num_nodes; ++i) {
    if (!own(body_[i])) continue;
    if (body_[i] != loop_->header)
      for (gphi_iterator phi = gsi_start_phis(body_[i]); !gsi_end_p(phi); gsi_next(&phi)) {
        double start = source ? -1 : 0;
        for (unsigned a = 0; a < gimple_phi_num_args(phi.phi()); ++a)
          if (double* const end = ends.get(gimple_phi_arg_def(phi.phi(), a))) start = std::max(start, *end);
        visit(gimple_phi_result(phi.phi()), start, 0);
      }
    for (gimple_stmt_iterator it = gsi_start_bb(body_[i]); !gsi_end_p(it); gsi_next(&it)) {
      gimple* const statement = gsi_stmt(it);
      if (is_gimple_debug(statement)) continue;
      double start = source ? -1 : 0;
      ssa_op_iter op;
      tree name;
      FOR_EACH_SSA_TREE_OPERAND(name, statement, op, SSA_OP_USE) {
        double* const end = ends.get(name);
        if (end != nullptr) start = std::max(start, *end);
      }
      FOR_EACH_SSA_TREE_OPERAND(name, statement, op, SSA_OP_DEF)
      visit(name, start, demand(statement, processor).latency);
    }
  }
  if (at == NULL_TREE) return std::max(latest, 0.0);
  double* const end = ends.get(at);
  return end ? *end : 0;
}

/// The longest chain from a value at an iteration's beginning to the same at its end. As many iterations
/// overlap as lie between one that computes a value and the one that needs it.
double Estimate::recurrence(const Processor& processor) const {
  double most = 0;
  for (gphi_iterator phi = gsi_start_phis(loop_->header); !gsi_end_p(phi); gsi_next(&phi)) {
    const tree carried = gimple_phi_result(phi.phi());
    if (virtual_operand_p(carried) || !is_number(TREE_TYPE(carried))) continue;
    most =
        std::max(most, longest(processor, carried, PHI_ARG_DEF_FROM_EDGE(phi.phi(), loop_latch_edge(loop_))));
  }
  for (const KeptValues::Carried& value : kept_.carried)
    most = std::max(most, longest(processor, value.loaded, value.stored) / value.distance);
  return most;
}

double Estimate::chain(const Processor& processor) const { return longest(processor, NULL_TREE, NULL_TREE); }

bool Estimate::hands_on() const {
  for (gphi_iterator phi = gsi_start_phis(loop_->header); !gsi_end_p(phi); gsi_next(&phi)) {
    if (virtual_operand_p(gimple_phi_result(phi.phi())) ||
        !is_number(TREE_TYPE(gimple_phi_result(phi.phi()))))
      continue;
    std::vector<tree> names{gimple_phi_result(phi.phi()),
                            PHI_ARG_DEF_FROM_EDGE(phi.phi(), loop_latch_edge(loop_))};
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (TREE_CODE(names[i]) != SSA_NAME) continue;
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST(use, it, names[i]) {
        gphi* const user = dyn_cast<gphi*>(USE_STMT(use));
        if (user == nullptr || flow_bb_inside_loop_p(loop_, gimple_bb(user))) continue;
        if (gimple_bb(user)->loop_father->header == gimple_bb(user)) return true;
        if (names.size() < 8) names.push_back(gimple_phi_result(user));
      }
    }
  }
  return false;
}

Cycles Estimate::cycles(const Processor& processor, bool unrolled) const {
  Demand all;
  for (unsigned i = 0; i < loop_->num_nodes; ++i) {
    if (!own(body_[i])) continue;
    const double share = weight(body_[i]);
    for (gimple_stmt_iterator it = gsi_start_bb(body_[i]); !gsi_end_p(it); gsi_next(&it))
      all.add(demand(gsi_stmt(it), processor), share);
  }
  // An iteration's share of the loop that gcc makes of several: counter, address, comparison, branch.
  const double together = kept_.unrolled;
  if (!unrolled) all.instructions += 4 / together, all.integer += 2 / together;
  double most = std::max({all.instructions / kDecodeWidth, all.fp / processor.fp_pipes,
                          all.memory / kAddressPipes, all.integer / kIntegerPipes});
  // A loop begins anywhere in a block of fetched instructions.
  if (!unrolled)
    most = std::max(
        most, ((together * all.instructions + kFetchWidth - 1) / kFetchWidth + kTakenBubble) / together);
  // Entries are held while their values are computed: in the commit stack all that time, in the others half
  // of it.
  const double length = chain(processor) + kPipeline;
  most = std::max({most, all.instructions * length / kCommitStack, all.results * length / 2 / kRename,
                   all.fp * length / 2 / kStation});
  Cycles result;
  result.instructions = all.instructions;
  const double chained = recurrence(processor);
  if (chained > most && all.alone == 0) {
    result.ahead = chained - most;
    result.most_ahead =
        chained / std::max({all.instructions / kCommitStack, all.results / kRename, all.fp / kStation});
  }
  result.all = std::max(most, chained) + all.alone;
  return result;
}

/// True for a loop of which gcc makes straight code later, also if only its largest number of iterations is
/// known.
bool is_unrolled(loop_p loop, loop_p shared) {
  if (loop == shared || loop->inner != nullptr || optimize < 3) return false;
  const HOST_WIDE_INT most = max_stmt_executions_int(loop);
  return most >= 0 && most <= kUnrolled;
}

long sixteenths(double cycles) { return std::lround(16 * cycles); }

/// Subtracts what the scalar core does of the next loop while an inner loop's chain of values comes to its
/// end, because decoding is ahead of it. If another loop goes on with the chain, that is the mispredicted
/// branch only.
void add_lead(std::vector<Work>& all, const Estimate& body, tree times, tree length) {
  const Cycles cycles = body.cycles(kScalar, false);
  const double most = body.hands_on() ? kMispredicted : cycles.most_ahead - body.chain(kScalar);
  if (cycles.ahead <= 0 || most <= 0) return;
  const tree steps =
      fold_build2(MIN_EXPR, ssizetype, length, ssize_int(static_cast<long>(most / cycles.ahead)));
  all.push_back(
      {all.back().where, fold_build2(MULT_EXPR, ssizetype, times, steps), -sixteenths(cycles.ahead), 0, 0});
}

void add(std::vector<Work>& all, loop_p loop, loop_p shared, const AffineAnalysis& affine, tree times,
         tree count) {
  const Estimate estimate(loop, affine);
  const bool unrolled = is_unrolled(loop, shared);
  const Cycles scalar = estimate.cycles(kScalar, unrolled), pes = estimate.cycles(kPes, unrolled);
  gimple* const last = last_stmt(loop->header);
  all.push_back({last ? gimple_location(last) : UNKNOWN_LOCATION, times, sixteenths(scalar.all),
                 sixteenths(pes.all), sixteenths(scalar.instructions)});
  const std::size_t own = all.size() - 1;
  for (loop_p inner = loop->inner; inner != nullptr; inner = inner->next) {
    const tree length = iterations_of(inner, shared, affine, count);
    const tree executed = fold_build2(MULT_EXPR, ssizetype, times, length);
    add(all, inner, shared, affine, executed, count);
    if (is_unrolled(inner, shared)) continue;
    // The last branch back is mispredicted. Meanwhile the scalar core computes the loop's last values; on
    // PEs, what follows was measured to come after them. A loop without iterations is not entered.
    const Estimate body(inner, affine);
    const long on_scalar = sixteenths(kMispredicted), on_pes = sixteenths(kMispredicted + body.chain(kPes)),
               instructions = 16 * 4;
    add_lead(all, body, times, length);
    const tree entered =
        fold_build2(MULT_EXPR, ssizetype, times, fold_build2(MIN_EXPR, ssizetype, length, ssize_int(1)));
    if (operand_equal_p(entered, times, 0)) {
      all[own].scalar += on_scalar, all[own].pes += on_pes, all[own].instructions += instructions;
    } else {
      all.push_back({all[own].where, entered, on_scalar, on_pes, instructions});
    }
  }
}

}  // namespace

std::vector<Work> work_of(loop_p shared, const AffineAnalysis& affine, tree count) {
  std::vector<Work> all;
  add(all, shared, shared, affine, ssize_int(1), count);
  return all;
}

}  // namespace psim_omp
