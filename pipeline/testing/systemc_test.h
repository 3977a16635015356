// SPDX-License-Identifier: Apache-2.0
// For tests that build SystemC modules: SystemC elaborates once, so every test gets a context of its own,
// also when a test program runs whole.
#pragma once

#include <gtest/gtest.h>

#include <systemc>

namespace psim::pipeline::testing {

class SystemCTest : public ::testing::Test {
 protected:
  SystemCTest() { renew_context(); }
  /// For a second simulation within one test; nothing of the first may be used any more.
  static void renew_context() {
    // The old context is left as it is: its modules may still be taken apart.
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    // Tests start the kernel to elaborate, with nothing to do yet.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  }
};

}  // namespace psim::pipeline::testing
