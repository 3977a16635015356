// SPDX-License-Identifier: Apache-2.0
// Tests the checker itself: it detects each violation of the base protocol and accepts correct use.
#include "pipeline/testing/protocol_checker.h"

#include <tlm_utils/simple_target_socket.h>

#include "pipeline/memory/line_transaction.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::pipeline {
namespace {

using sc_core::sc_time;
using testing::ProtocolChecker;

const auto ns = [](int n) { return sc_time(n, sc_core::SC_NS); };

/// Both sides of the checker, controlled by the test.
struct Ends : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Ends> initiator{"initiator"};
  tlm_utils::simple_target_socket<Ends> target{"target"};
  explicit Ends(const sc_core::sc_module_name& name) : sc_module(name) {
    initiator.register_nb_transport_bw(this, &Ends::backward);
    target.register_nb_transport_fw(this, &Ends::forward);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (set_response) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (phase == tlm::BEGIN_REQ) delay += added;
    return answer;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) {
    return tlm::TLM_ACCEPTED;
  }

  bool set_response = true;
  sc_time added = ns(10);
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
};

class ProtocolCheckerTest : public testing::SystemCTest {
 protected:
  ProtocolCheckerTest() {
    ends.initiator.bind(checker.in);
    checker.out.bind(ends.target);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  tlm::tlm_generic_payload& payload() { return pool.acquire(tlm::TLM_READ_COMMAND, 0x1000, 64); }
  void forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, sc_time delay = ns(0)) {
    ends.initiator->nb_transport_fw(payload, phase, delay);
  }
  void backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, sc_time delay = ns(0)) {
    ends.target->nb_transport_bw(payload, phase, delay);
  }
  bool violated(const std::string& rule) const {
    return checker.violations.size() == 1 && checker.violations[0].ends_with(rule);
  }
  TransactionPool pool;
  Ends ends{"ends"};
  ProtocolChecker checker{"checker"};
};

TEST_F(ProtocolCheckerTest, FourPhasesInOrderAreRight) {
  ends.answer = tlm::TLM_ACCEPTED;
  auto& one = payload();
  forward(one, tlm::BEGIN_REQ);
  backward(one, tlm::END_REQ);
  backward(one, tlm::BEGIN_RESP);
  forward(one, tlm::END_RESP);
  EXPECT_TRUE(checker.violations.empty());
  EXPECT_EQ(checker.in_flight(), 0u);
}

TEST_F(ProtocolCheckerTest, ASecondRequestBeforeTheFirstIsAcceptedIsSeen) {
  ends.answer = tlm::TLM_ACCEPTED;
  forward(payload(), tlm::BEGIN_REQ);
  forward(payload(), tlm::BEGIN_REQ);
  EXPECT_TRUE(violated("BEGIN_REQ before END_REQ of the request before"));
}

TEST_F(ProtocolCheckerTest, ASecondResponseBeforeTheFirstIsAcceptedIsSeen) {
  ends.answer = tlm::TLM_ACCEPTED;
  auto& one = payload();
  auto& two = payload();
  for (auto* each : {&one, &two}) {
    forward(*each, tlm::BEGIN_REQ);
    backward(*each, tlm::END_REQ);
  }
  backward(one, tlm::BEGIN_RESP);
  backward(two, tlm::BEGIN_RESP);
  EXPECT_TRUE(violated("BEGIN_RESP before END_RESP of the response before"));
}

TEST_F(ProtocolCheckerTest, AnAnswerWithoutAStatusIsSeen) {
  ends.set_response = false;
  forward(payload(), tlm::BEGIN_REQ);
  EXPECT_TRUE(violated("completed without a response status"));
}

TEST_F(ProtocolCheckerTest, TimeThatGoesBackIsSeen) {
  ends.answer = tlm::TLM_ACCEPTED;
  auto& one = payload();
  forward(one, tlm::BEGIN_REQ, ns(5));
  backward(one, tlm::END_REQ, ns(4));
  EXPECT_TRUE(violated("annotated time went back"));
}

TEST_F(ProtocolCheckerTest, APhaseOfAFinishedPayloadIsSeen) {
  auto& one = payload();
  forward(one, tlm::BEGIN_REQ);
  backward(one, tlm::BEGIN_RESP);
  EXPECT_TRUE(violated("a phase of a payload that is not in flight"));
}

TEST_F(ProtocolCheckerTest, AnAttributeThatChangesInFlightIsSeen) {
  ends.answer = tlm::TLM_ACCEPTED;
  auto& one = payload();
  forward(one, tlm::BEGIN_REQ);
  one.set_address(0x2000);
  backward(one, tlm::END_REQ);
  EXPECT_TRUE(violated("an attribute changed in flight"));
}

}  // namespace
}  // namespace psim::pipeline
