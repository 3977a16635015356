# SPDX-License-Identifier: Apache-2.0
# What other projects and Debian get: the CMake package psim, and the packages psim, psim-dev and psim-doc of cpack.
include(CMakePackageConfigHelpers)
set(psim_package ${CMAKE_INSTALL_LIBDIR}/cmake/psim)
install(TARGETS psim_options psim_systemc EXPORT psim COMPONENT dev)
set_target_properties(psim_options PROPERTIES EXPORT_NAME options)
set_target_properties(psim_systemc PROPERTIES EXPORT_NAME systemc)
install(EXPORT psim FILE psim-targets.cmake NAMESPACE psim:: DESTINATION ${psim_package} COMPONENT dev)
set(psim_machines ${CMAKE_INSTALL_DATADIR}/psim/machines)
configure_package_config_file(cmake/psim-config.cmake.in ${PROJECT_BINARY_DIR}/psim-config.cmake
  INSTALL_DESTINATION ${psim_package} PATH_VARS psim_machines)
# Static libraries of C++ without a stable interface: only the same version fits.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/psim-config-version.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/psim-config.cmake ${PROJECT_BINARY_DIR}/psim-config-version.cmake cmake/psim-modules.cmake
  DESTINATION ${psim_package} COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The development packages of scripts/packages that headers and static libraries of psim need.
file(STRINGS scripts/packages packages REGEX "^(lib.*-dev|nettle-dev|nlohmann-json3-dev|pkg-config|g\\+\\+)$")
list(FILTER packages EXCLUDE REGEX "gtest|gmock|cli11|openmpi|clang|sparc64|plugin")
list(JOIN packages ", " development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the psim authors <psim@localhost>")
set(CPACK_COMPONENTS_ALL program dev doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
# psim-cc and psim-cxx call the compilers. The others: psim-f90; mpirun and mpicc for psim-otf2 and several host processes; programs for
# sparc64. The plug-in of the sparc64 compilers refuses other versions of gcc than the one that it was built for.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME psim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "g++, libc6-dev")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
  "gfortran, openmpi-bin, gcc-sparc64-linux-gnu, g++-sparc64-linux-gnu, gfortran-sparc64-linux-gnu, libc6-dev-sparc64-cross")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "psim-doc, psim-dev, python3, python3-pandas, python3-matplotlib, python3-mpi4py, python3-distributed")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "simulator of SPARC cores and of networks of supercomputers
 psim runs sparc64 programs on a cycle-level core, and MPI programs on a packet network.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME psim-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "psim (= ${PROJECT_VERSION}), ${development}")  # its machine files
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake, ninja-build | make")
set(CPACK_DEBIAN_DEV_DESCRIPTION "static libraries and headers of psim
 The CMake package psim with a target for each library: psim::isa, psim::netsim …")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME psim-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION "documentation of psim
 Pages for each task, reference pages, decisions, and the programs that the pages use.")
include(CPack)
