// SPDX-License-Identifier: Apache-2.0
// Eight transforms of N points in passes of radix 4 that leave the points in order (Stockham). Real parts of
// a transform lie in one array, imaginary parts in the next.
//
// In pass s = 1, 4, 16, … butterfly i takes the points i, i + N/4, i + N/2, i + 3N/4. Its results go to q + 4
// s p + {0, s, 2 s, 3 s}, where p = i / s and q = i mod s, the last three by factors exp(-2 pi i p s {1, 2,
// 3} / N).
//
// Scalar: fft_scalar.h. On PEs (fft.h) each pair has a transform, the real parts in the even PE, the
// imaginary parts in the odd one: 14 operations a butterfly, 5 of them across. The first two passes go over
// the data that have arrived, 16 pieces of a cache line for every PE at a time, and the last two send their
// results; only the passes between are not hidden behind the transfers.
//
// Usage: fft scalar|simd [N = 1024]. N is 256 or 1024.
#include "fft.h"
#include "fft_scalar.h"

enum { TRANSFORMS = 8, MOST = 1024, PIECE = 8, PUT_TAG = 8, BUFFER_BYTES = 8 * MOST };

static double* buffer(long b) { return (double*)psim_simd_data(b % 3 * BUFFER_BYTES); }

// Passes 1 and 4 of the points that piece `piece` has brought.
static __attribute__((noinline)) void arrived(long n, long piece, const double* w) {
  const long quarter = n / 4, at = PIECE * piece;
  for (long k = 0; k < 4; ++k) first_pass(buffer(0), buffer(1), w, quarter, at + k * quarter / 4, PIECE);
  middle_pass(buffer(1), buffer(2), factors_of(w, n, 4), quarter, 4, 4 * at, 4 * PIECE, 4);
}
// Passes 16 to N/64.
static __attribute__((noinline)) void between(long n, const double* w) {
  long from = 2;
  for (long s = 16; s < n / 16; s *= 4, ++from)
    middle_pass(buffer(from), buffer(from + 1), factors_of(w, n, s), n / 4, s, 0, n / 4, 16);
}
// Passes N/16 and N/4 as far as they give what piece `piece` takes away.
static __attribute__((noinline)) void leaving(long n, long piece, const double* w, long from) {
  const long quarter = n / 4, at = PIECE * piece;
  const double* const factors = factors_of(w, n, n / 16);
  for (long p = 0; p < 4; ++p)
    middle_pass(buffer(from), buffer(from + 1), factors, quarter, n / 16, at + p * quarter / 4, PIECE, PIECE);
  for (long r = 0; r < 4; ++r)
    last_pass(buffer(from + 1), buffer(from + 2), quarter, at + r * quarter / 4, PIECE);
}

static void on_pes(long n, double* x, const double* w) {
  const unsigned pairs = psim_simd_pes() / 2, pieces = n / (16 * PIECE);
  const long from = n == 1024 ? 3 : 2;  // where the last two passes begin
  for (unsigned first = 0; first < TRANSFORMS; first += pairs) {
    const unsigned used = TRANSFORMS - first < pairs ? TRANSFORMS - first : pairs;
    // A piece: 16 lines of each PE, from all over its points.
    struct psim_transfer transfer = {0, 8 * n, n / 2, 0, n / 2, 8 * PIECE, 16, 0xffffffffu >> (32 - 2 * used),
                                     0};
    double* const here = x + first * 2 * n;
    psim_simd_set_mask(transfer.pes);
    for (unsigned piece = 0; piece < pieces; ++piece) {
      transfer.memory = (unsigned long)(here + PIECE * piece);
      transfer.sbm_offset = 8 * PIECE * piece;
      transfer.tag = piece;
      psim_simd_get_tile(&transfer);
    }
    for (unsigned piece = 0; piece < pieces; ++piece) {
      psim_simd_sync(1u << piece);
      psim_simd_call(arrived, n, (long)piece, w);
    }
    psim_simd_call(between, n, w);
    for (unsigned piece = 0; piece < pieces; ++piece) {
      psim_simd_call(leaving, n, (long)piece, w, from);
      transfer.memory = (unsigned long)(here + PIECE * piece);
      transfer.sbm_offset = (from + 2) % 3 * BUFFER_BYTES + 8 * PIECE * piece;
      transfer.tag = PUT_TAG + piece;
      psim_simd_put_tile(&transfer);
    }
    psim_simd_sync(0xffu << PUT_TAG);
  }
  psim_simd_set_mask(psim_simd_all());
}

// The same operations, plainly.
static void reference(long n, double* x, const double* w) {
  double* const y = new_array(2 * n);
  for (long s = 1; s < n; s *= 4) {
    for (long i = 0; i < n / 4; ++i) {
      double *const re = x + i, *const im = x + n + i;
      const long q = i % s, p = i / s, k = n / 4, to = q + 4 * s * p;
      const double sum_re = re[0] + re[2 * k], sum_im = im[0] + im[2 * k], m_re = re[0] - re[2 * k],
                   m_im = im[0] - im[2 * k], b_re = re[k] + re[3 * k], b_im = im[k] + im[3 * k],
                   n_re = re[k] - re[3 * k], n_im = im[k] - im[3 * k];
      y[to] = sum_re + b_re, y[n + to] = sum_im + b_im;
      const double t_re[3] = {m_re + n_im, sum_re - b_re, m_re - n_im};
      const double t_im[3] = {m_im - n_re, sum_im - b_im, m_im + n_re};
      for (long r = 0; r < 3; ++r) {
        double u = t_re[r], v = t_im[r];
        if (4 * s < n) {
          const double c = w[6 * p + 2 * r], d = w[6 * p + 2 * r + 1];
          MUL(u, c, t_re[r]);
          FNMA(u, d, t_im[r]);
          MUL(v, c, t_im[r]);
          FMA(v, d, t_re[r]);
        }
        y[to + (r + 1) * s] = u, y[n + to + (r + 1) * s] = v;
      }
    }
    w += 6 * (n / (4 * s));
    memcpy(x, y, 16 * n);
  }
  free(y);
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 1024, 256, MOST);
  if (n != 256 && n != 1024) return fprintf(stderr, "%s: N = %ld: expected 256 or 1024\n", argv[0], n), 2;
  const long count = TRANSFORMS * 2 * n;
  double *const x = new_array(count + 8), *const expected = new_array(count), *const first = new_array(count);
  double *const scratch = new_array(4 * n + 16), *const w = new_array(2 * n + 8);
  make_factors(w, n);
  for (long i = 0; i < count; ++i) first[i] = (double)(i % 7) - 3 + 0.25 * (i % 11);
  memcpy(x, first, 8 * count), memcpy(expected, first, 8 * count);

  PSIM_REGION_BEGIN("fft", n);
  if (simd)
    on_pes(n, x, w);
  else
    for (int t = 0; t < TRANSFORMS; ++t) transform(n, x + t * 2 * n, scratch, w);
  PSIM_REGION_END("fft");

  // Bit by bit as the plain form, and every 64th point from the definition.
  long wrong = 0;
  for (int t = 0; t < TRANSFORMS; ++t) reference(n, expected + t * 2 * n, w);
  for (long i = 0; i < count; ++i) wrong += x[i] != expected[i];
  for (int t = 0; t < TRANSFORMS; ++t)
    for (long k = t; k < n; k += 64) {
      const double *const re = first + t * 2 * n, *const im = re + n, *const result = x + t * 2 * n;
      double sum_re = 0, sum_im = 0;
      for (long i = 0; i < n; ++i) {
        const double c = cos(2 * M_PI * (i * k % n) / n), s = -sin(2 * M_PI * (i * k % n) / n);
        sum_re += re[i] * c - im[i] * s, sum_im += re[i] * s + im[i] * c;
      }
      wrong += !(hypot(sum_re - result[k], sum_im - result[n + k]) < 1e-12 * n);
    }
  printf("fft %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
