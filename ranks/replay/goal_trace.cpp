// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/goal_trace.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <unordered_map>

#include "ranks/replay/goal_words.h"

namespace psim::net::replay {
namespace {

constexpr std::uint64_t kMostRanks = 1u << 20, kMostTag = 0x7fffffff, kPsANanosecond = 1000;
// Half of the range of 32 bits: a successor is shifted by one.
constexpr std::uint64_t kMostOperations = 0x7fffffff;

/// The operations in one rank's braces.
class RankParser {
 public:
  RankParser(GoalWords& in, std::uint64_t ranks) : in_(in), ranks_(ranks) {}

  RankTrace run() {
    in_.expect("{");
    while (!in_.skip("}")) statement();
    resolve();
    return std::move(rank_);
  }

 private:
  struct Words {  ///< of a dependence
    GoalWords::Word after, before;
    bool at_start;
  };

  static bool is_operation(std::string_view word) {
    return word == "send" || word == "recv" || word == "calc";
  }

  void statement() {
    GoalWords::Word word = in_.take_name("send, recv, calc, a label or }");
    if (!is_operation(word.text)) {
      if (!in_.skip(":")) return dependence(word);
      if (!labels_.emplace(word.text, static_cast<std::uint32_t>(rank_.operations.size())).second)
        throw in_.error(word.line, fmt::format("duplicate label {}", word.text));
      names_.resize(rank_.operations.size() + 1);
      names_.back() = word.text;
      word = in_.take_name("send, recv or calc");
    }
    if (rank_.operations.size() == kMostOperations) throw in_.error(word.line, "too many operations");
    rank_.operations.push_back(operation(word));
  }

  Operation operation(const GoalWords::Word& word) {
    Operation made;
    if (word.text == "calc") {
      made.amount = in_.number("a time in ns", ~std::uint64_t{0} / kPsANanosecond) * kPsANanosecond;
      place_operations();
      return made;
    }
    if (!is_operation(word.text)) throw in_.expected_instead(word, "send, recv or calc");
    const bool sends = word.text == "send";
    made.kind = sends ? Kind::Send : Kind::Receive;
    made.amount = in_.number("a number of bytes, like 64b", Trace::kMostBytes, "b");
    made.request = rank_.requests++;
    in_.expect(sends ? "to" : "from");
    if (!sends && in_.skip("any"))
      made.peer = kAny;
    else
      made.peer = static_cast<std::uint32_t>(in_.number("a rank", ranks_ - 1));
    if (in_.skip("tag")) {
      if (!sends && in_.skip("any"))
        made.tag = -1;
      else
        made.tag = static_cast<std::int32_t>(in_.number("a tag", kMostTag));
    }
    place_operations();
    return made;
  }

  void place_operations() {
    if (in_.skip("cpu")) in_.number("0 (a rank has one processor here)", 0);
    if (in_.skip("nic")) in_.number("0 (messages choose their port themselves)", 0);
  }

  void dependence(const GoalWords::Word& after) {
    const bool at_start = in_.is("irequires");
    if (!at_start && !in_.is("requires"))
      throw in_.expected(fmt::format("\":\", requires or irequires after {}", after.text));
    in_.take();
    dependences_.push_back({after, in_.take_name("a label"), at_start});
  }

  std::uint32_t labelled(const GoalWords::Word& label) const {
    if (const auto found = labels_.find(label.text); found != labels_.end()) return found->second;
    throw in_.error(label.line, fmt::format("no operation of this rank is labelled {}", label.text));
  }

  void resolve() {
    std::vector<Dependence> found;
    for (const Words& each : dependences_)
      found.push_back({labelled(each.after), labelled(each.before), each.at_start});
    if (const std::optional<std::uint32_t> stuck = set_dependences(rank_, found))
      throw in_.error(
          dependences_.front().after.line,
          fmt::format("{} requires itself, directly or through other operations", names_[*stuck]));
  }

  GoalWords& in_;
  std::uint64_t ranks_;
  RankTrace rank_;
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::vector<std::string> names_;  ///< labels by operation; shorter if the last have none
  std::vector<Words> dependences_;
};

}  // namespace

Trace parse_goal(std::string_view text, const std::string& name) {
  GoalWords in(text, name);
  Trace trace;
  trace.name = name;
  in.expect("num_ranks");
  const std::uint32_t line = in.word().line;
  const std::uint64_t ranks = in.number("a number of ranks", kMostRanks);
  if (ranks == 0) throw in.error(line, "num_ranks 0: expected at least 1");
  trace.ranks.resize(ranks);
  std::vector<bool> described(ranks);
  while (!in.at_end()) {
    in.expect("rank");
    const std::uint32_t where = in.word().line;
    const std::uint64_t rank = in.number("a rank", ranks - 1);
    if (described[rank]) throw in.error(where, fmt::format("rank {} is described already", rank));
    described[rank] = true;
    trace.ranks[rank] = RankParser(in, ranks).run();
  }
  trace.communicators.resize(1);
  trace.communicators[0].resize(ranks);
  std::iota(trace.communicators[0].begin(), trace.communicators[0].end(), 0u);
  return trace;
}

}  // namespace psim::net::replay
