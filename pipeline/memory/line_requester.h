// SPDX-License-Identifier: Apache-2.0
// Models: nothing; the initiator's half of the TLM-2.0 base protocol, for initiators that request lines (L1
// to L2, L2 to memory). Serves every kind of answer:
//   TLM_COMPLETED, or TLM_UPDATED with BEGIN_RESP, with the annotated time of the answer: our own targets,
//   which know their times at the request, answer so, without an event; END_REQ and BEGIN_RESP later on the
//   backward path: the targets of others.
// One request at a time waits for its END_REQ (the request exclusion rule); the others wait in order. Times
// are ticks of SystemC's resolution. Annotated times may lie in the future of sc_time_stamp(): a core runs
// ahead of the kernel while nothing else is pending.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <systemc>

#include "pipeline/memory/line_transaction.h"

namespace psim::pipeline {

using Ticks = std::uint64_t;
inline Ticks kernel_ticks() { return sc_core::sc_time_stamp().value(); }

class LineRequester : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<LineRequester> out_lines{"out_lines"};

  const TransactionPool& pool() const { return pool_; }

 protected:
  LineRequester(const sc_core::sc_module_name& name, std::uint32_t line_bytes);

  /// Requests a line; arrived(user, …) is called, perhaps before this returns. `at` never decreases.
  void read(std::uint64_t address, AccessKind kind, std::uint32_t user, Ticks at);
  /// Writes a line to the level below, without an answer.
  void write(std::uint64_t address, Ticks at);
  /// Writes a line to the level below; arrived(user, …) is called when it has been written.
  void write_answered(std::uint64_t address, std::uint32_t user, Ticks at);

  /// Called when the line that `user` requested is there, or written, at tick `at`. `at_once`: within the
  /// call.
  virtual void arrived(std::uint32_t user, Level level, Ticks at, bool at_once) = 0;

 protected:
  /// Within arrived(): returns true if other caches hold the line, too.
  bool shared() const { return shared_; }

 private:
  struct Queued {
    tlm::tlm_generic_payload* payload;
    Ticks at;
  };
  void submit(tlm::tlm_generic_payload& payload, Ticks at);
  [[gnu::hot]] void transmit(tlm::tlm_generic_payload& payload, Ticks at);
  void transmit_queued();
  void request_accepted(Ticks at);
  void answered(tlm::tlm_generic_payload& payload, Ticks at, bool at_once);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  std::uint32_t line_bytes_;
  TransactionPool pool_;
  tlm::tlm_generic_payload* unaccepted_ = nullptr;  ///< BEGIN_REQ sent, END_REQ not yet seen
  bool shared_ = false;
  Ticks accepted_at_ = 0;  ///< annotated time of the latest END_REQ
  std::deque<Queued> queue_;
  sc_core::sc_event transmit_event_;
};

}  // namespace psim::pipeline
