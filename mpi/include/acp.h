/* SPDX-License-Identifier: Apache-2.0
 * ACP (Advanced Communication Primitives) for simulated processes. Every function declared here
 * works. The middle layer has channels only.
 */
#ifndef PSIM_ACP_H
#define PSIM_ACP_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t acp_atkey_t;  /**< registered memory of one rank */
typedef uint64_t acp_ga_t;     /**< global address; add n for the address n bytes further */
typedef int64_t acp_handle_t;  /**< an operation of the caller; handles ascend in the order of the starting calls */

#define ACP_ATKEY_NULL 0LLU
#define ACP_GA_NULL 0LLU
#define ACP_HANDLE_NULL 0x0000000000000000LLU /**< as order: starts at once */
#define ACP_HANDLE_ALL 0xffffffffffffffffLLU  /**< as order: starts when all earlier ones are complete */
#define ACP_HANDLE_CONT 0xfffffffffffffffeLLU /**< as order: after the previous one if that is a copy between the same ranks; else as ALL */

#ifdef __cplusplus
extern "C" {
#endif

/* Processes. All ranks call init, reset, sync and finalize together. They return 0, or -1 for an error. */
int acp_init(int *argc, char ***argv);
int acp_finalize(void);
/** Makes the caller rank `rank`; the new ranks are a permutation. Unregisters all memory and clears starter memory. */
int acp_reset(int rank);
void acp_abort(const char *message);
int acp_sync(void);
int acp_rank(void);
int acp_procs(void);

/* Memory. The functions return null or -1 for an error. */
acp_ga_t acp_query_starter_ga(int rank);
acp_atkey_t acp_register_memory(void *address, size_t size, int color);
int acp_unregister_memory(acp_atkey_t key);
acp_ga_t acp_query_ga(acp_atkey_t key, void *address);
void *acp_query_address(acp_ga_t ga);
int acp_query_rank(acp_ga_t ga);
int acp_query_color(acp_ga_t ga);
int acp_colors(void);

/* Operations. They start as given by `order` and return at once: a handle, or ACP_HANDLE_NULL for an error. */
acp_handle_t acp_copy(acp_ga_t dst, acp_ga_t src, size_t size, acp_handle_t order);
/* Atomic operations on src. The old value is stored at dst in the caller's memory. Both are aligned to 4 or 8 bytes. */
acp_handle_t acp_cas4(acp_ga_t dst, acp_ga_t src, uint32_t oldval, uint32_t newval, acp_handle_t order);
acp_handle_t acp_cas8(acp_ga_t dst, acp_ga_t src, uint64_t oldval, uint64_t newval, acp_handle_t order);
acp_handle_t acp_swap4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order);
acp_handle_t acp_swap8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order);
acp_handle_t acp_add4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order);
acp_handle_t acp_add8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order);
acp_handle_t acp_xor4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order);
acp_handle_t acp_xor8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order);
acp_handle_t acp_or4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order);
acp_handle_t acp_or8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order);
acp_handle_t acp_and4(acp_ga_t dst, acp_ga_t src, uint32_t value, acp_handle_t order);
acp_handle_t acp_and8(acp_ga_t dst, acp_ga_t src, uint64_t value, acp_handle_t order);
/** Waits until this operation and all earlier ones are complete; ACP_HANDLE_ALL: until all are. */
void acp_complete(acp_handle_t handle);
/** Returns 1 if this operation or an earlier one is not complete, else 0. */
int acp_inquire(acp_handle_t handle);

/* Channels: messages from one rank to another, in order. Each rank makes its side; null if the caller is neither rank. */
typedef struct psim_acp_channel *acp_ch_t;
typedef struct psim_acp_request *acp_request_t;
#define ACP_CH_NULL ((acp_ch_t)0)
#define ACP_REQUEST_NULL ((acp_request_t)0)
acp_ch_t acp_create_ch(int sender, int receiver);
acp_request_t acp_nbsend_ch(acp_ch_t channel, void *buffer, size_t size);
/** Receives a message; bytes that do not fit are lost. */
acp_request_t acp_nbrecv_ch(acp_ch_t channel, void *buffer, size_t size);
/** Waits; returns the bytes received, 0 for other requests, -1 for ACP_REQUEST_NULL. */
size_t acp_wait_ch(acp_request_t request);
int acp_waitall_ch(acp_request_t *requests, int count, size_t *sizes);
/** Frees a channel; complete when the other side frees it too. */
acp_request_t acp_nbfree_ch(acp_ch_t channel);
int acp_free_ch(acp_ch_t channel);

#ifdef __cplusplus
}
#endif
#endif
