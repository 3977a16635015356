// SPDX-License-Identifier: Apache-2.0
// Host processes connected by Open MPI, and by shared memory within a host. A separate library, loaded only
// under mpirun, so that psim itself does not depend on MPI.
#include <mpi.h>
#include <sys/prctl.h>

#include <bit>
#include <memory>

#include "netsim/parallel/open_mpi/mailboxes.h"
#include "netsim/parallel/open_mpi/wait.h"
#include "netsim/parallel/transport.h"

namespace psim::net {
namespace {

constexpr int kTag = 1;

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
    mailboxes_ = std::make_unique<Mailboxes>(size_);
    ::prctl(PR_SET_TIMERSLACK, 1'000);  // ns; else Linux may prolong each sleep of wait_until() by 50 us
  }

  void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) override {
    // Open MPI connects two processes when one of them sends its first message.
    if (std::has_single_bit(++exchanges_)) connections_.find();
    for (std::uint32_t i = 1; i < size_; ++i) {
      const std::uint32_t to = (rank_ + i) % size_;
      const auto& bytes = out[to].bytes();
      if (mailboxes_->reaches(to) && mailboxes_->send(to, bytes)) continue;
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), kTag,
                MPI_COMM_WORLD, &sends_[to]);
    }
    // Parcels of other hosts first: Open MPI makes progress during these waits only.
    for (std::uint32_t i = 1; i < size_; ++i) {
      const std::uint32_t from = (rank_ + size_ - i) % size_;
      in[from].clear();
      if (!mailboxes_->reaches(from)) receive(from, in[from].bytes());
    }
    for (std::uint32_t i = 1; i < size_; ++i) {
      const std::uint32_t from = (rank_ + size_ - i) % size_;
      if (mailboxes_->reaches(from) && !mailboxes_->receive(from, in[from].bytes()))
        receive(from, in[from].bytes());
    }
    connections_.wait_until([&] {
      int done;
      MPI_Testall(static_cast<int>(size_), sends_.data(), &done, MPI_STATUSES_IGNORE);
      return done != 0;
    });
  }

  void leave(bool together) override {
    // Other processes would wait for ever for a process that left early.
    if (!together) MPI_Abort(MPI_COMM_WORLD, 70);
    // MPI_Finalize waits for all processes without leaving the processor to them.
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(request);
    MPI_Finalize();
  }

 private:
  void wait_for(MPI_Request& request) {
    connections_.wait_until([&] {
      int done;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  void receive(std::uint32_t from, std::vector<std::byte>& bytes) {
    MPI_Message message;
    MPI_Status status;
    connections_.wait_until([&] {
      int done;
      MPI_Improbe(static_cast<int>(from), kTag, MPI_COMM_WORLD, &done, &message, &status);
      return done != 0;
    });
    int size;
    MPI_Get_count(&status, MPI_BYTE, &size);
    bytes.resize(static_cast<std::size_t>(size));
    MPI_Request request;
    MPI_Imrecv(bytes.data(), size, MPI_BYTE, &message, &request);
    wait_for(request);
  }

  std::uint32_t rank_ = 0, size_ = 1;
  std::vector<MPI_Request> sends_;
  std::unique_ptr<Mailboxes> mailboxes_;
  Connections connections_;
  std::uint64_t exchanges_ = 0;
};

}  // namespace
}  // namespace psim::net

extern "C" __attribute__((visibility("default"))) psim::net::ProcessTransport* psim_connect_processes() {
  return new psim::net::OpenMpi;
}
