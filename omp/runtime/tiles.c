/* SPDX-License-Identifier: Apache-2.0
 * Runs a loop on the PEs, tile by tile. While a tile is worked on, the next one's data come and the last one's go. */
#include "psim_simd.h"
#include "runtime.h"
#include "sbm.h"

#define loop psim_omp_loop

enum { GET = 0, PUT = 2 }; /* tags, to which the buffer's number is added */

struct tile {
  long first, each; /* the first iteration, and how many each PE does */
  unsigned mask;
  unsigned buffer;
};

static unsigned long down(unsigned long bytes) { return bytes & ~7ul; }
static unsigned long up(unsigned long bytes) { return (bytes + 7) & ~7ul; }

/* Where the first PE's data begin in memory, and how long every PE's are. */
static unsigned long start_of(const struct array *a, const char *low, const struct tile *tile) {
  const long back = a->stride < 0 ? (tile->each - 1) * a->stride : 0;
  return (unsigned long)low + tile->first * a->stride + back;
}
static unsigned long bytes_of(const struct array *a, const char *low, const char *high, const struct tile *tile) {
  const long way = (tile->each - 1) * a->stride;
  return (unsigned long)(high - low) + (unsigned long)(way < 0 ? -way : way);
}

/* The bytes of one row of a PE, and of all. */
static unsigned pitch_of(const struct array *a, const struct tile *tile) {
  const unsigned long start = start_of(a, a->low, tile);
  return (unsigned)(up(start + bytes_of(a, a->low, a->high, tile)) - down(start));
}
static unsigned room_of(const struct array *a, const struct tile *tile) { return (unsigned)a->rows * pitch_of(a, tile); }

static struct psim_transfer transfer_of(const struct array *a, const char *low, const char *high, const struct tile *tile,
                                        unsigned offset, unsigned tag) {
  const unsigned long all = down(start_of(a, a->low, tile));
  const unsigned long start = start_of(a, low, tile);
  const unsigned long bytes = up(start + bytes_of(a, low, high, tile)) - down(start);
  const struct psim_transfer transfer = {
      .memory = down(start),
      .pe_stride = tile->each * a->stride,
      .sbm_offset = offset + (unsigned)(down(start) - all),
      .row_stride = a->row_stride,
      .sbm_pitch = pitch_of(a, tile),
      .row_bytes = (unsigned)bytes,
      .rows = (unsigned)a->rows,
      .pes = tile->mask,
      .tag = tag + tile->buffer,
  };
  return transfer;
}

/* An array of inner loops without iterations has no address. */
static int moves(const struct array *a) { return a->stride != 0 && a->low != 0; }

/* Executes the statement for every array that moves: loop.array[i], at `offset` in each SBM. */
#define EACH_ARRAY(TILE, PLAN)                                                                              \
  unsigned offset = PSIM_OMP_SCRATCH + (TILE)->buffer * (PLAN)->buffer_bytes;                              \
  for (unsigned i = 0; i < loop.arrays; offset += moves(&loop.array[i]) ? room_of(&loop.array[i], TILE) : 0, ++i) \
    if (moves(&loop.array[i]))

static void get(const struct tile *tile, const struct plan *plan) {
  EACH_ARRAY(tile, plan) {
    const struct array *const a = &loop.array[i];
    if (!a->read && a->dense) continue;
    const struct psim_transfer transfer = transfer_of(a, a->low, a->high, tile, offset, GET);
    psim_simd_get_tile(&transfer);
  }
}

static void put(const struct tile *tile, const struct plan *plan) {
  EACH_ARRAY(tile, plan) {
    const struct array *const a = &loop.array[i];
    if (a->write_low == 0) continue;
    const struct psim_transfer transfer = transfer_of(a, a->write_low, a->write_high, tile, offset, PUT);
    psim_simd_put_tile(&transfer);
  }
}

static void work(outlined *function, void *data, const struct tile *tile, const struct plan *plan) {
  EACH_ARRAY(tile, plan) {
    const struct array *const a = &loop.array[i];
    __psim_omp_displacements[i] =
        PSIM_SIMD_DATA_WINDOW + offset + (unsigned long)((tile->first - plan->lead) * a->stride) - down(start_of(a, a->low, tile));
    __psim_omp_row_displacements[i] = a->rows > 1 ? pitch_of(a, tile) - (unsigned long)a->row_stride : 0;
  }
  for (unsigned i = 0; loop.near && i < loop.arrays; ++i)
    if (loop.array[i].joined) __psim_omp_displacements[i] = __psim_omp_displacements[loop.array[i].joined - 1];
  /* The PEs' integers are those of the first iterations that PEs do. */
  loop.state = PES, loop.begin = plan->lead, loop.end = plan->lead + tile->each, loop.first = tile->first - plan->lead;
  loop.pes = __builtin_popcount(tile->mask);
  psim_simd_set_mask(tile->mask);
  psim_simd_call(*function, data);
  psim_simd_set_mask(psim_simd_all());
  loop.state = SCALAR;
}

void psim_omp_run_scalar(outlined *function, void *data, long begin, long end) {
  for (unsigned i = 0; i < loop.arrays; ++i) __psim_omp_displacements[i] = __psim_omp_row_displacements[i] = 0;
  if (begin >= end) return;
  loop.state = SCALAR, loop.begin = begin, loop.end = end;
  function(data);
}

/* The tile that follows iteration `next`; its mask is 0 if what is left is too little for the PEs. */
static struct tile tile_at(long next, long end, unsigned number, const struct plan *plan) {
  struct tile tile = {next, plan->each, (2u << (plan->pes - 1)) - 1, number % plan->buffers};
  const long left = end - next;
  if (left >= tile.each * plan->pes) return tile;
  tile.each = left / plan->pes / plan->unit * plan->unit;
  if (tile.each > 0) return tile;
  tile.each = plan->unit;
  tile.mask = (1u << left / plan->unit) - 1;
  return tile;
}

long psim_omp_run_tiles(outlined *function, void *data, const struct plan *plan) {
  psim_omp_used_pes = 1;
  const long end = psim_omp_end_of_pes(&loop);
  struct tile tile = tile_at(plan->lead, end, 0, plan);
  if (tile.mask) get(&tile, plan);
  unsigned number = 0;
  long next = plan->lead;
  while (tile.mask) {
    next = tile.first + tile.each * __builtin_popcount(tile.mask);
    const struct tile following = tile_at(next, end, ++number, plan);
    if (following.mask && plan->buffers == 2) {
      psim_simd_sync(1u << (PUT + following.buffer));
      get(&following, plan);
    }
    psim_simd_sync(1u << (GET + tile.buffer));
    work(function, data, &tile, plan);
    put(&tile, plan);
    if (following.mask && plan->buffers == 1) {
      psim_simd_sync(1u << PUT);
      get(&following, plan);
    }
    tile = following;
  }
  psim_simd_sync(1u << PUT | 1u << (PUT + 1));
  return next;
}
