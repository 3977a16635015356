# SPDX-License-Identifier: Apache-2.0
# Run after a program of GoogleTest is linked: writes FILE, in which each suite of PROGRAM is a test PREFIX.Suite of ctest, a process
# of its own. A process for each case would start two thousand of them.
# A test that runs no case fails.
# With CASES, each case is a test PREFIX.Suite.Case: for programs whose cases leave a process in another state.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " *#[^\n]*" "" listed "${listed}")  # types and values of parameters
string(REPLACE "\n" ";" listed "${listed}")
set(text)
foreach(line ${listed})
  if(line MATCHES "^([^ ]+)\\.$")
    set(suite ${CMAKE_MATCH_1})
    set(name ${suite})
    set(filter "${suite}.*")
    set(is_new TRUE)
  elseif(line MATCHES "^  ([^ ]+)$")
    set(case ${CMAKE_MATCH_1})  # a condition with MATCHES sets it again
    if(case MATCHES "^DISABLED_" OR suite MATCHES "^DISABLED_")
      continue()
    endif()
    if(CASES)
      set(name "${suite}.${case}")
      set(filter ${name})
      set(is_new TRUE)
    endif()
    if(is_new)
      string(APPEND text "add_test([=[${PREFIX}.${name}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${filter}]=] --gtest_brief=1)\n"
        "set_tests_properties([=[${PREFIX}.${name}]=] PROPERTIES FAIL_REGULAR_EXPRESSION [=[ 0 tests from 0 test suites ran]=])\n")
      set(is_new FALSE)
    endif()
  endif()
endforeach()
file(WRITE ${FILE} "${text}")
