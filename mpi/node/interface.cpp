// SPDX-License-Identifier: Apache-2.0
#include "mpi/node/interface.h"

#include <sched.h>

#include <cstring>

namespace psim::net::mpi::node {

using cosim::NicRegister;

namespace {

// Completions: as many as operations and messages can be under way, and those that are not yet reported read.
constexpr std::uint64_t kSubmissions = 256, kCompletions = 1024, kSlots = 64, kReportEvery = 128;
constexpr std::uint64_t kSlotBytes = queue::kHeaderBytes + kSlotData;

alignas(128) queue::Descriptor submissions[kSubmissions];
alignas(64) queue::Completion completions[kCompletions];
alignas(64) std::byte slots[kSlots * kSlotBytes];

}  // namespace

Interface::Interface() = default;

void Interface::write(NicRegister which, std::uint64_t value) const {
  *reinterpret_cast<volatile std::uint64_t*>(cosim::kNicWindow + static_cast<std::uint64_t>(which)) = value;
}

void Interface::open() {
  write(NicRegister::Version, queue::kVersion);
  write(NicRegister::Submissions, reinterpret_cast<std::uint64_t>(submissions));
  write(NicRegister::SubmissionEntries, kSubmissions);
  write(NicRegister::Completions, reinterpret_cast<std::uint64_t>(completions));
  write(NicRegister::CompletionEntries, kCompletions);
  write(NicRegister::Slots, reinterpret_cast<std::uint64_t>(slots));
  write(NicRegister::SlotBytes, kSlotBytes);
  write(NicRegister::SlotEntries, kSlots);
}

bool Interface::full() const { return under_way_ == kSubmissions; }

void Interface::submit(const queue::Descriptor& descriptor) {
  if (full() || !queued_.empty())
    queued_.push_back(descriptor);
  else
    put_into_ring(descriptor);
}

void Interface::put_into_ring(const queue::Descriptor& descriptor) {
  ++under_way_;
  std::memcpy(&submissions[submitted_++ % kSubmissions], &descriptor, sizeof descriptor);
  asm volatile("membar #StoreStore" ::: "memory");  // the descriptor and its data before the doorbell
  write(NicRegister::SubmissionTail, submitted_);
}

const volatile queue::Completion* Interface::next() const {
  const volatile queue::Completion& entry = completions[read_ % kCompletions];
  if (entry.number != read_ + 1) return nullptr;
  asm volatile("membar #LoadLoad | #LoadStore" ::: "memory");  // the number before the rest
  return &entry;
}

void Interface::read(bool ended_operation) {
  if (++read_ % kReportEvery == 0) write(NicRegister::CompletionHead, read_);
  if (!ended_operation) return;
  --under_way_;
  if (queued_.empty()) return;
  put_into_ring(queued_.front());
  queued_.pop_front();
}

const std::byte* Interface::slot(std::uint64_t number) const { return slots + number % kSlots * kSlotBytes; }

void Interface::release_slot() { write(NicRegister::SlotHead, ++released_); }

void Interface::wait(std::uint64_t time) const {
  while (next() == nullptr) {
    const std::uint64_t now = cycles();
    if (now >= time) return;
    pause(time - now);
  }
}

void Interface::wait_among_threads(std::uint64_t time, const volatile int* news) const {
  const auto over = [&] { return *news != 0 || next() != nullptr || cycles() >= time; };
  while (!over()) {
    pause(time - cycles());
    if (!over()) ::sched_yield();  // another thread of the core has ended the pause
  }
}

void Interface::abort(int status) const { write(NicRegister::Abort, static_cast<std::uint64_t>(status)); }

}  // namespace psim::net::mpi::node
