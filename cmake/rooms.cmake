# SPDX-License-Identifier: Apache-2.0
# psim_room(NAME LIBS…): the library psim_NAME of every source below this folder, and the test program
# NAME_tests of every *_test.cpp below it. Each test case runs in a process of its own (SystemC elaborates once).
function(psim_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  add_library(psim_${name} STATIC ${sources})
  target_link_libraries(psim_${name} PUBLIC psim_options ${ARGN})
  if(PSIM_TESTS AND tests)
    find_package(GTest REQUIRED)
    include(GoogleTest)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE psim_${name} GTest::gtest_main GTest::gmock)
    gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
  endif()
endfunction()
