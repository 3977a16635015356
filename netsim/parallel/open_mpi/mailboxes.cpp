// SPDX-License-Identifier: Apache-2.0
#include "netsim/parallel/open_mpi/mailboxes.h"

#include <linux/futex.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "netsim/parallel/open_mpi/wait.h"

namespace psim::net {
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

}  // namespace psim::net
