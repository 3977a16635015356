// SPDX-License-Identifier: Apache-2.0
// For tests: lies between an initiator and a target and checks that both keep the TLM-2.0 base protocol (IEEE
// 1666-2011, clause 15): order of phases, exclusion of requests and of responses, times that never decrease,
// constant attributes, payloads that live until their last use.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <map>
#include <string>
#include <systemc>
#include <vector>

namespace psim::pipeline::testing {

class ProtocolChecker : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<ProtocolChecker> in{"in"};
  tlm_utils::simple_initiator_socket<ProtocolChecker> out{"out"};

  explicit ProtocolChecker(const sc_core::sc_module_name& name);

  std::vector<std::string> violations;
  std::uint64_t transactions = 0;
  std::uint64_t completed_at_once = 0;
  std::size_t in_flight() const { return state_.size(); }

 private:
  enum class State { Requested, Accepted, Responding };
  struct Seen {
    State state;
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned length;
    sc_core::sc_time at;  ///< annotated time of the latest phase
  };
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void begin(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  /// Checks a phase of the target, by call or by return.
  void from_target(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                   const sc_core::sc_time& at);
  void finish(tlm::tlm_generic_payload& payload);
  void expect(bool holds, const char* rule);

  std::map<tlm::tlm_generic_payload*, Seen> state_;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
};

}  // namespace psim::pipeline::testing
