# SPDX-License-Identifier: Apache-2.0
# Debian's libraries, each as one target.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)  # headers
find_package(Boost REQUIRED COMPONENTS context)  # and headers: Spirit X3
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw libelf)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)  # SHA-256
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)   # CRC-32C
pkg_check_modules(OTF2 REQUIRED IMPORTED_TARGET otf2)
pkg_check_modules(SYSTEMC REQUIRED systemc)

# Debian's SystemC 2.3.4 is built as C++17: its API-version symbol must be named so from C++20 code.
add_library(psim_systemc INTERFACE)
target_compile_definitions(psim_systemc INTERFACE SC_CPLUSPLUS=201703L)
target_include_directories(psim_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIRS})
target_link_libraries(psim_systemc INTERFACE systemc Threads::Threads)
target_link_options(psim_systemc INTERFACE -Wl,--undefined=sc_main)  # pipeline/sc_main.cpp
