// SPDX-License-Identifier: Apache-2.0
// The program that `psim net --replay` runs: each rank does what the trace says it did. Messages are sizes.
// The argument is the address of the trace in this process (ranks/replay/trace.h).
#include <mgen.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <vector>

#include "mpi/functions/replay_api.h"
#include "ranks/replay/operation.h"

namespace {

using namespace psim::net::replay;

constexpr double kSecondsAPs = 1e-12;

class Rank {
 public:
  Rank(const View& trace, std::uint32_t rank) : trace_(trace), mine_(trace.ranks[rank]) {}

  void run() {
    if (mine_.first != nullptr)
      run_schedule();
    else
      run_calls();
    for (MPI_Comm& each : communicators_)
      if (each != MPI_COMM_NULL) MGEN_Comm_free(&each);
  }

 private:
  void run_calls() {
    requests_.assign(mine_.requests + 1, MPI_REQUEST_NULL);  // one more for collectives that block
    lengths_.resize(requests_.size());
    for (std::uint64_t i = 0; i < mine_.count; ++i) perform(mine_.operations[i]);
  }

  void perform(const Operation& operation) {
    ++*trace_.begun;
    switch (operation.kind) {
      case Kind::Compute:
        MGEN_Comp(static_cast<double>(operation.amount) * kSecondsAPs);
        break;
      case Kind::Send:
      case Kind::Receive:
        start_message(operation, &requests_[operation.request]);
        break;
      case Kind::Wait:
        MGEN_Wait(&requests_[operation.request], MPI_STATUS_IGNORE);
        break;
      case Kind::Collective:
        start_collective(operation, mine_.requests);
        MGEN_Wait(&requests_[mine_.requests], MPI_STATUS_IGNORE);
        break;
      case Kind::Start:
        start_collective(operation, operation.request);
        break;
    }
  }

  MPI_Comm communicator(std::uint32_t number) {
    if (number == 0) return MPI_COMM_WORLD;
    if (communicators_.size() <= number) communicators_.resize(number + 1, MPI_COMM_NULL);
    MPI_Comm& known = communicators_[number];
    const CommunicatorView& of = trace_.communicators[number];
    if (known == MPI_COMM_NULL) known = psim_replay_communicator(number, of.members, of.size);
    return known;
  }

  void start_message(const Operation& operation, MPI_Request* request) {
    const int bytes = static_cast<int>(operation.amount);
    const MPI_Comm comm = communicator(operation.communicator);
    if (operation.kind == Kind::Send) {
      MGEN_Isend(nullptr, bytes, MPI_BYTE, static_cast<int>(operation.peer), operation.tag, comm, request);
      return;
    }
    MGEN_Irecv(nullptr, bytes, MPI_BYTE,
               operation.peer == kAny ? MPI_ANY_SOURCE : static_cast<int>(operation.peer),
               operation.tag < 0 ? MPI_ANY_TAG : operation.tag, comm, request);
  }

  void start_collective(const Operation& operation, std::uint32_t number) {
    MPI_Request* request = &requests_[number];
    const MPI_Comm comm = communicator(operation.communicator);
    const int bytes = static_cast<int>(operation.amount), root = static_cast<int>(operation.peer);
    switch (operation.collective) {
      case Collective::Barrier:
        MGEN_Ibarrier(comm, request);
        break;
      case Collective::Bcast:
        MGEN_Ibcast(nullptr, bytes, MPI_BYTE, root, comm, request);
        break;
      case Collective::Reduce:
        MGEN_Ireduce(nullptr, nullptr, bytes, MPI_BYTE, MPI_BOR, root, comm, request);
        break;
      case Collective::Allreduce:
        MGEN_Iallreduce(nullptr, nullptr, bytes, MPI_BYTE, MPI_BOR, comm, request);
        break;
      case Collective::Scan:
        MGEN_Iscan(nullptr, nullptr, bytes, MPI_BYTE, MPI_BOR, comm, request);
        break;
      case Collective::Exscan:
        MGEN_Iexscan(nullptr, nullptr, bytes, MPI_BYTE, MPI_BOR, comm, request);
        break;
      case Collective::Gather:
        MGEN_Igather(nullptr, bytes, MPI_BYTE, nullptr, bytes, MPI_BYTE, root, comm, request);
        break;
      case Collective::Scatter:
        MGEN_Iscatter(nullptr, bytes, MPI_BYTE, nullptr, bytes, MPI_BYTE, root, comm, request);
        break;
      case Collective::Allgather:
        MGEN_Iallgather(nullptr, bytes, MPI_BYTE, nullptr, bytes, MPI_BYTE, comm, request);
        break;
      case Collective::Alltoall:
        MGEN_Ialltoall(nullptr, bytes, MPI_BYTE, nullptr, bytes, MPI_BYTE, comm, request);
        break;
      case Collective::ReduceScatter:
        MGEN_Ireduce_scatter_block(nullptr, nullptr, bytes, MPI_BYTE, MPI_BOR, comm, request);
        break;
      default:
        start_unequal(operation, comm, number);
    }
  }

  /// Collectives with a size for each rank.
  void start_unequal(const Operation& operation, MPI_Comm comm, std::uint32_t number) {
    MPI_Request* request = &requests_[number];
    const std::uint32_t size = trace_.communicators[operation.communicator].size;
    const std::uint32_t* sizes = trace_.sizes + operation.sizes;
    const int root = static_cast<int>(operation.peer);
    int me;
    MGEN_Comm_rank(comm, &me);
    // Of messages without data only the lengths matter, not where they lie.
    auto& [counts, to_each, nowhere] = lengths_[number];
    counts.assign(sizes, sizes + size);
    nowhere.assign(size, 0);
    const int mine = counts[static_cast<std::size_t>(me)];
    switch (operation.collective) {
      case Collective::Gatherv:
        MGEN_Igatherv(nullptr, mine, MPI_BYTE, nullptr, counts.data(), nowhere.data(), MPI_BYTE, root, comm,
                      request);
        break;
      case Collective::Scatterv:
        MGEN_Iscatterv(nullptr, counts.data(), nowhere.data(), MPI_BYTE, nullptr, mine, MPI_BYTE, root, comm,
                       request);
        break;
      case Collective::Allgatherv:
        MGEN_Iallgatherv(nullptr, mine, MPI_BYTE, nullptr, counts.data(), nowhere.data(), MPI_BYTE, comm,
                         request);
        break;
      case Collective::Alltoallv: {
        for (int& count : counts) count /= static_cast<int>(size);
        to_each.assign(size, counts[static_cast<std::size_t>(me)]);
        MGEN_Ialltoallv(nullptr, to_each.data(), nowhere.data(), MPI_BYTE, nullptr, counts.data(),
                        nowhere.data(), MPI_BYTE, comm, request);
        break;
      }
      case Collective::AlltoallEach:
        to_each = counts;
        counts.assign(sizes + size, sizes + 2 * size);
        MGEN_Ialltoallv(nullptr, to_each.data(), nowhere.data(), MPI_BYTE, nullptr, counts.data(),
                        nowhere.data(), MPI_BYTE, comm, request);
        break;
      default:
        MGEN_Ireduce_scatter(nullptr, nullptr, counts.data(), MPI_BYTE, MPI_BOR, comm, request);
    }
  }

  // A schedule. A rank has two units that compute: its processor, and an accelerator. Messages that are ready
  // start before a unit computes; while one does, no message starts or is seen to have come.

  void run_schedule() {
    required_.assign(mine_.required, mine_.required + mine_.count);
    both_compute_ = std::any_of(
        mine_.operations, mine_.operations + mine_.count,
        [](const Operation& operation) { return operation.kind == Kind::Compute && operation.peer != 0; });
    for (std::uint32_t i = 0; i < mine_.count; ++i)
      if (required_[i] == 0) make_ready(i);
    for (;;) {
      while (!messages_.empty()) start_next_message();
      for (Unit& unit : units_) begin_next(unit);
      Unit* const first = first_to_end();
      if (first == nullptr) {
        if (requests_.empty()) return;
        finish_some(MGEN_Waitsome);
        continue;
      }
      compute_until_end_of(*first);
      const bool busy = !first->ready.empty() || first_to_end() != nullptr;
      if (!requests_.empty() && busy) finish_some(MGEN_Testsome);
    }
  }

  /// One that computes: the operations that are ready, and the one that it does, with the time left.
  struct Unit {
    std::deque<std::uint32_t> ready;
    bool computes = false;
    std::uint32_t operation = 0;
    double seconds = 0, begin = 0;
  };

  void begin_next(Unit& unit) {
    if (unit.computes || unit.ready.empty()) return;
    unit.operation = unit.ready.front();
    unit.ready.pop_front();
    unit.computes = true;
    unit.seconds = static_cast<double>(mine_.operations[unit.operation].amount) * kSecondsAPs;
    unit.begin = now();
    ++*trace_.begun;
    let(unit.operation, true);
  }

  /// Seconds, if both units compute; a processor alone always computes for the whole time of an operation.
  double now() const { return both_compute_ ? psim_replay_time() : 0; }

  Unit* first_to_end() {
    Unit* first = nullptr;
    for (Unit& unit : units_)
      if (unit.computes && (first == nullptr || unit.begin + unit.seconds < first->begin + first->seconds))
        first = &unit;
    return first;
  }

  void compute_until_end_of(Unit& unit) {
    const double passed = now() - unit.begin;
    if (passed < unit.seconds) MGEN_Comp(unit.seconds - passed);
    unit.computes = false;
    let(unit.operation, false);
  }

  void make_ready(std::uint32_t number) {
    const Operation& operation = mine_.operations[number];
    (operation.kind == Kind::Compute ? units_[operation.peer].ready : messages_).push_back(number);
  }

  /// An operation has started, or ended.
  void let(std::uint32_t operation, bool started) {
    for (std::uint64_t s = mine_.first[operation]; s < mine_.first[operation + 1]; ++s) {
      const std::uint32_t successor = mine_.successors[s];
      if (((successor & 1) != 0) == started && --required_[successor >> 1] == 0) make_ready(successor >> 1);
    }
  }

  void start_next_message() {
    const std::uint32_t next = messages_.front();
    messages_.pop_front();
    ++*trace_.begun;
    requests_.emplace_back();
    active_.push_back(next);
    if (const Operation& operation = mine_.operations[next]; operation.kind == Kind::Start)
      start_collective(operation, static_cast<std::uint32_t>(requests_.size() - 1));
    else
      start_message(operation, &requests_.back());
    let(next, true);
  }

  void finish_some(decltype(MGEN_Waitsome)* finish) {
    std::vector<int> which(requests_.size());
    int count = 0;
    finish(static_cast<int>(requests_.size()), requests_.data(), &count, which.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; ++i)
      let(active_[static_cast<std::size_t>(which[static_cast<std::size_t>(i)])], false);
    std::size_t left = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (requests_[i] != MPI_REQUEST_NULL) {
        requests_[left] = requests_[i];
        active_[left++] = active_[i];
      }
    requests_.resize(left);
    active_.resize(left);
  }

  /// Arguments of a collective, which must stay until it ends.
  struct Lengths {
    std::vector<int> counts, to_each, nowhere;
  };

  const View& trace_;
  const RankView& mine_;
  std::vector<MPI_Comm> communicators_;
  std::vector<Lengths> lengths_;       ///< by number of request
  std::vector<MPI_Request> requests_;  ///< by number; of a schedule, those under way
  std::vector<std::uint32_t> required_, active_;
  std::deque<std::uint32_t> messages_;
  Unit units_[2];
  bool both_compute_ = false;
};

}  // namespace

extern "C" int MGEN_Main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto* trace = reinterpret_cast<const View*>(std::strtoull(argv[1], nullptr, 16));
  MGEN_Init(&argc, &argv);
  int rank;
  MGEN_Comm_rank(MPI_COMM_WORLD, &rank);
  Rank(*trace, static_cast<std::uint32_t>(rank)).run();
  MGEN_Finalize();
  return 0;
}
