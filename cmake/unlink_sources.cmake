# SPDX-License-Identifier: Apache-2.0
# Runs when psim is installed: links in the documentation in PSIM_DOCUMENTATION that lead to sources, which are not installed,
# become plain text.
set(documentation "$ENV{DESTDIR}${PSIM_DOCUMENTATION}")
file(GLOB_RECURSE pages "${documentation}/*.md")
foreach(page ${pages})
  file(READ "${page}" text)
  set(changed "${text}")
  get_filename_component(folder "${page}" DIRECTORY)
  # Brackets and semicolons would break lists of CMake: they are kept out of the links that are listed.
  string(REPLACE "](" "<LINK>(" marked "${text}")
  string(REGEX MATCHALL "<LINK>\\([^][()#; \n]+" links "${marked}")
  list(REMOVE_DUPLICATES links)
  foreach(link ${links})
    string(REPLACE "<LINK>(" "" target "${link}")
    if(NOT target MATCHES "://" AND NOT EXISTS "${folder}/${target}")
      string(REGEX REPLACE "([.+*?^$|\\])" "\\\\\\1" pattern "${target}")
      string(REGEX REPLACE "\\[([^][]*)\\]\\(${pattern}(#[^)]*)?\\)" "\\1" changed "${changed}")
    endif()
  endforeach()
  if(NOT changed STREQUAL text)
    file(WRITE "${page}" "${changed}")
  endif()
endforeach()
