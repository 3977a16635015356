// SPDX-License-Identifier: Apache-2.0
// For tests that build SystemC modules: SystemC elaborates once per context, so every test has its own, even
// if a test program runs as a whole.
#pragma once

#include <gtest/gtest.h>

#include <systemc>

namespace psim::pipeline::testing {

class SystemCTest : public ::testing::Test {
 protected:
  SystemCTest() { renew_context(); }
  /// Begins a second simulation within one test. No object of the first may be used afterwards.
  static void renew_context() {
    // The old context is kept, because its modules may still be destroyed.
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    // Tests start the kernel to elaborate, with nothing to do yet.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  }
};

}  // namespace psim::pipeline::testing
