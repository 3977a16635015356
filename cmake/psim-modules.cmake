# SPDX-License-Identifier: Apache-2.0
# Libraries that have no CMake package. psim's own build reads this file, and so does find_package(psim).
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw libelf)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)  # SHA-256
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)   # CRC-32C
pkg_check_modules(OTF2 REQUIRED IMPORTED_TARGET otf2)
