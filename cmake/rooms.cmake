# SPDX-License-Identifier: Apache-2.0
# psim_compile_folders(TARGET): with PSIM_FOLDERS, compiles the sources of each folder of TARGET as one, which parses the headers
# once per folder. Names in anonymous namespaces must therefore be unique in their folder.
function(psim_compile_folders target)
  if(NOT PSIM_FOLDERS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# psim_room_tests(NAME LIBRARY SOURCES…): the test program NAME_tests. Each test case runs in a process of its own (SystemC
# elaborates once).
function(psim_room_tests name library)
  if(NOT PSIM_TESTS OR NOT ARGN)
    return()
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name}_tests ${ARGN})
  # Tests spend their time in what they test; optimising them only costs time to build.
  target_compile_options(${name}_tests PRIVATE $<IF:$<BOOL:${PSIM_SANITIZE}>,-O0,$<$<CONFIG:Release>:-O1>>)
  target_link_libraries(${name}_tests PRIVATE ${library} GTest::gtest_main GTest::gmock)
  psim_compile_folders(${name}_tests)
  gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()

# psim_export_room(NAME): installs the library and its headers for other projects, if PSIM_LIBRARIES names the room.
function(psim_export_room name)
  set_target_properties(psim_${name} PROPERTIES EXPORT_NAME ${name})
  if(NOT name IN_LIST PSIM_LIBRARIES)
    return()
  endif()
  install(TARGETS psim_${name} EXPORT psim ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} DESTINATION ${PSIM_LIBRARY_HEADERS} COMPONENT dev
    FILES_MATCHING PATTERN *.h PATTERN testing EXCLUDE PATTERN start EXCLUDE PATTERN wrappers EXCLUDE PATTERN web EXCLUDE)
endfunction()

# psim_room(NAME LIBS…): the library psim_NAME of every source below this folder, and the test program
# NAME_tests of every *_test.cpp below it.
# Folders listed in PSIM_ROOM_APART are built by their own CMakeLists.txt.
# With PSIM_FUZZERS, every x_fuzz.cpp becomes the libFuzzer program fuzz/x_fuzz, and target `fuzzers` is all of them.
function(psim_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  foreach(folder ${PSIM_ROOM_APART})
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  add_library(psim_${name} STATIC ${sources})
  target_link_libraries(psim_${name} PUBLIC psim_options ${ARGN})
  psim_compile_folders(psim_${name})
  psim_export_room(${name})
  psim_room_tests(${name} psim_${name} ${tests})
  if(PSIM_FUZZERS)
    foreach(source ${fuzzers})
      get_filename_component(fuzzer ${source} NAME_WE)
      add_executable(${fuzzer} ${source})
      target_link_libraries(${fuzzer} PRIVATE psim_${name})
      target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
      set_target_properties(${fuzzer} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
      add_dependencies(fuzzers ${fuzzer})
    endforeach()
  endif()
endfunction()
