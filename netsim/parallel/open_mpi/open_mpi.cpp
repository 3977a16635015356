// SPDX-License-Identifier: Apache-2.0
// Host processes connected by Open MPI. A separate library, loaded only under mpirun, so that psim itself
// does not depend on MPI.
#include <mpi.h>
#include <sched.h>

#include "netsim/parallel/transport.h"

namespace psim::net {
namespace {

constexpr int kTag = 1;
constexpr int kSpins = 2'000;  // tests before yielding the processor: about a millisecond

class OpenMpi final : public ProcessTransport {
 public:
  OpenMpi() {
    MPI_Init(nullptr, nullptr);
    int number;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<std::uint32_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<std::uint32_t>(number);
    sends_.resize(size_, MPI_REQUEST_NULL);
  }

  void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) override {
    for (std::uint32_t i = 1; i < size_; ++i) {
      const std::uint32_t to = (rank_ + i) % size_;
      const auto& bytes = out[to].bytes();
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), kTag,
                MPI_COMM_WORLD, &sends_[to]);
    }
    for (std::uint32_t i = 1; i < size_; ++i) {
      const std::uint32_t from = (rank_ + size_ - i) % size_;
      MPI_Message message;
      MPI_Status status;
      wait([&](int* done) {
        MPI_Improbe(static_cast<int>(from), kTag, MPI_COMM_WORLD, done, &message, &status);
      });
      int size;
      MPI_Get_count(&status, MPI_BYTE, &size);
      in[from].clear();
      in[from].bytes().resize(static_cast<std::size_t>(size));
      MPI_Mrecv(in[from].bytes().data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    wait([&](int* done) { MPI_Testall(static_cast<int>(size_), sends_.data(), done, MPI_STATUSES_IGNORE); });
  }

  void leave(bool together) override {
    // Other processes would wait for ever for a process that left early.
    if (!together) MPI_Abort(MPI_COMM_WORLD, 70);
    MPI_Finalize();
  }

 private:
  template <class Test>
  static void wait(Test test) {
    for (int tries = 0;; ++tries) {
      int done = 0;
      test(&done);
      if (done != 0) return;
      if (tries > kSpins) ::sched_yield();
    }
  }

  std::uint32_t rank_ = 0, size_ = 1;
  std::vector<MPI_Request> sends_;
};

}  // namespace
}  // namespace psim::net

extern "C" __attribute__((visibility("default"))) psim::net::ProcessTransport* psim_connect_processes() {
  return new psim::net::OpenMpi;
}
