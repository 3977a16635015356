# SPDX-License-Identifier: Apache-2.0
# Debian's libraries, each as one target.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)  # headers
find_package(asmjit REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)  # and headers: Spirit X3
include(${CMAKE_CURRENT_LIST_DIR}/psim-modules.cmake)
pkg_check_modules(SYSTEMC REQUIRED systemc)

# Debian's SystemC 2.3.4 is built as C++17: its API-version symbol must be named so from C++20 code.
add_library(psim_systemc INTERFACE)
target_compile_definitions(psim_systemc INTERFACE SC_CPLUSPLUS=201703L)
target_include_directories(psim_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIRS})
target_link_libraries(psim_systemc INTERFACE systemc Threads::Threads)
target_link_options(psim_systemc INTERFACE -Wl,--undefined=sc_main)  # pipeline/sc_main.cpp
