# SPDX-License-Identifier: Apache-2.0
# Compiles SOURCE to PROGRAM and fails unless it prints the same under QEMU and PSIM exec.
execute_process(COMMAND ${COMPILER} -O1 -static -mcpu=ultrasparc3 ${SOURCE} -o ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${QEMU} ${PROGRAM} OUTPUT_FILE ${PROGRAM}.qemu COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PSIM} exec ${PROGRAM} OUTPUT_FILE ${PROGRAM}.psim COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND diff ${PROGRAM}.qemu ${PROGRAM}.psim RESULT_VARIABLE differs OUTPUT_VARIABLE difference)
if(differs)
  message(FATAL_ERROR "qemu (<) and psim (>) differ; run `PROGRAM 2000 OPERATION MODE` under both:\n${difference}")
endif()
