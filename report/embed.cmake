# SPDX-License-Identifier: Apache-2.0
# psim_embed(TARGET NAMESPACE OUTPUT FILE…): adds to TARGET a source that defines, in NAMESPACE, for each FILE a
# `extern const std::string_view` named after it (report.css → report_css) that holds its text.
function(psim_embed target namespace output)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DNAMESPACE=${namespace} -DOUTPUT=${output}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake
    DEPENDS ${files} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
