// SPDX-License-Identifier: Apache-2.0
// Host processes connected by Open MPI, and by shared memory within a host. A separate library, loaded only
// under mpirun, so that psim itself does not depend on MPI.
#include <linux/futex.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "netsim/parallel/open_mpi/wait.h"
#include "netsim/parallel/transport.h"

namespace psim::net {

// Parcels between processes of one host, in memory that they share. The receiver spins for as long as the
// sender takes on an idle core, and then sleeps in the kernel until the sender wakes it. So on busy cores it
// leaves the processor to the process for which it waits, and runs again as soon as there is a parcel.

class Mailboxes {
 public:
  /// A collective call of the `processes` processes of MPI_COMM_WORLD.
  explicit Mailboxes(std::uint32_t processes);

  /// Returns whether `process` is another process of this host. The functions below are for such processes.
  bool reaches(std::uint32_t process) const { return locals_[process] != kElsewhere; }
  /// Sends a parcel to process `to`, and returns true if it fits. Else only its size is sent, and the caller
  /// sends the bytes by other means. A process sends the next parcel after it has received the last one of
  /// `to`.
  bool send(std::uint32_t to, const std::vector<std::byte>& bytes);
  /// Waits for the next parcel from process `from`. Returns the value of its send(); if that is false,
  /// `bytes` has the size but not the contents.
  bool receive(std::uint32_t from, std::vector<std::byte>& bytes);

 private:
  struct Box;
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};

  /// Returns the box for parcels from one process to another, by their numbers on this host.
  Box& box(std::uint32_t from, std::uint32_t to) const;
  std::byte* contents(Box& box, std::uint32_t number) const;

  std::vector<std::uint32_t> locals_;           ///< by process: its number on this host
  std::uint32_t here_ = 0;                      ///< this process's number on this host
  std::size_t largest_ = 0;                     ///< bytes of a parcel that fits
  std::vector<std::byte*> memory_;              ///< by receiver: its boxes, one for each sender of the host
  std::vector<std::uint32_t> sent_, received_;  ///< parcels, by process
};

namespace {

constexpr std::size_t kOfReceiver = std::size_t{1} << 20, kLeast = 4096, kMost = 65'536;

}  // namespace

/// The last two parcels: a sender may be one parcel ahead of the receiver, which has not read the one before.
struct alignas(64) Mailboxes::Box {
  std::atomic<std::uint32_t> sent;    ///< number of parcels; modulo 2^32
  std::atomic<std::uint32_t> sleeps;  ///< 1: the receiver waits in the kernel for a change of `sent`
  std::uint64_t sizes[2];             ///< bytes of parcels, by number modulo 2; their contents follow
};

Mailboxes::Mailboxes(std::uint32_t processes) : sent_(processes), received_(processes) {
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int here, count;
  MPI_Comm_rank(host, &here);
  MPI_Comm_size(host, &count);
  here_ = static_cast<std::uint32_t>(here);

  std::vector<int> ranks(processes), locals(processes);
  for (std::uint32_t process = 0; process < processes; ++process) ranks[process] = static_cast<int>(process);
  MPI_Group of_world, of_host;
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  MPI_Comm_group(host, &of_host);
  MPI_Group_translate_ranks(of_world, static_cast<int>(processes), ranks.data(), of_host, locals.data());
  for (const int local : locals)
    locals_.push_back(local == MPI_UNDEFINED || local == here ? kElsewhere
                                                              : static_cast<std::uint32_t>(local));

  const auto boxes = static_cast<std::size_t>(count);
  largest_ = std::clamp(kOfReceiver / boxes, kLeast, kMost) / alignof(Box) * alignof(Box);
  const std::size_t bytes = boxes * (sizeof(Box) + 2 * largest_) + alignof(Box);
  MPI_Win window;
  void* memory;
  MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, host, &memory, &window);
  for (int process = 0; process < count; ++process) {
    MPI_Aint size;
    int unit;
    MPI_Win_shared_query(window, process, &size, &unit, &memory);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);  // the same modulo a page everywhere
    memory_.push_back(static_cast<std::byte*>(memory) + (0 - address) % alignof(Box));
  }
  for (std::uint32_t from = 0; from < boxes; ++from) {
    box(from, here_).sent = 0;
    box(from, here_).sleeps = 0;
  }
  MPI_Barrier(host);
}

Mailboxes::Box& Mailboxes::box(std::uint32_t from, std::uint32_t to) const {
  return *reinterpret_cast<Box*>(memory_[to] + from * (sizeof(Box) + 2 * largest_));
}

std::byte* Mailboxes::contents(Box& box, std::uint32_t number) const {
  return reinterpret_cast<std::byte*>(&box + 1) + number % 2 * largest_;
}

bool Mailboxes::send(std::uint32_t to, const std::vector<std::byte>& bytes) {
  Box& box = this->box(here_, locals_[to]);
  const std::uint32_t number = ++sent_[to];
  const bool fits = bytes.size() <= largest_;
  box.sizes[number % 2] = bytes.size();
  if (fits && !bytes.empty()) std::memcpy(contents(box, number), bytes.data(), bytes.size());
  // In the order of all processes, the receiver either sees the number before it sleeps, or is seen to sleep.
  box.sent = number;
  if (box.sleeps != 0) ::syscall(SYS_futex, &box.sent, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return fits;
}

bool Mailboxes::receive(std::uint32_t from, std::vector<std::byte>& bytes) {
  Box& box = this->box(locals_[from], here_);
  const std::uint32_t number = ++received_[from];
  const auto is_here = [&] { return static_cast<std::int32_t>(box.sent - number) >= 0; };
  if (!spin(is_here)) {
    box.sleeps = 1;
    for (std::uint32_t sent = box.sent; !is_here(); sent = box.sent)
      ::syscall(SYS_futex, &box.sent, FUTEX_WAIT, sent, nullptr, nullptr, 0);
    box.sleeps = 0;
  }
  bytes.resize(box.sizes[number % 2]);
  if (bytes.size() > largest_) return false;
  if (!bytes.empty()) std::memcpy(bytes.data(), contents(box, number), bytes.size());
  return true;
}
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
