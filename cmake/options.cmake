# SPDX-License-Identifier: Apache-2.0
# One INTERFACE target carries the compiler options of every room.
add_library(psim_options INTERFACE)
target_include_directories(psim_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${PSIM_LIBRARY_HEADERS}>)
target_compile_features(psim_options INTERFACE cxx_std_20)
# Warnings are psim's own; projects that use its libraries choose theirs.
target_compile_options(psim_options INTERFACE
  $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra> $<$<BOOL:${PSIM_WERROR}>:$<BUILD_INTERFACE:-Werror>>)
# gcc 12 sees overlapping copies in "text" + std::string (its bug 105651).
target_compile_options(psim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:$<BUILD_INTERFACE:-Wno-restrict>>)
# gcc collects garbage each time its heap has doubled, which is up to a fifth of its time. It now waits until the heap has 700 MB: the
# parameter, in KiB, is half of that.
target_compile_options(psim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:$<BUILD_INTERFACE:--param=ggc-min-heapsize=350000>>)
if(PSIM_JOIN)
  # A type local to one source looks to gcc as if a header declared it there.
  target_compile_options(psim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:$<BUILD_INTERFACE:-Wno-subobject-linkage>>)
endif()
if(PSIM_SANITIZE)
  target_compile_options(psim_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(psim_options INTERFACE -fsanitize=address,undefined)
  # Checks of each pointer take clang a third of its time. AddressSanitizer sees null pointers where they are used, and the preset asan
  # has all checks.
  if(PSIM_FUZZERS)
    target_compile_options(psim_options INTERFACE -fno-sanitize=null,alignment,vptr)
  endif()
  # gcc 12 is wrong of <regex> and std::function there.
  target_compile_options(psim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_definitions(psim_options INTERFACE PSIM_SANITIZED=1)
endif()
if(PSIM_FUZZERS)
  add_custom_target(fuzzers)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
