// Width contacts of a pack at a time: vectors of the compiler, and bodies turned from records into rows.
// Only for sweep_packs_*.cpp; the unnamed namespace keeps the copies of one from the others.
#pragma once

#include "saltus/solvers/sweeps/sweep_packs.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace saltus {
namespace {

template <int Width>
struct LaneVector;
template <>
struct LaneVector<2> {
  typedef double Type __attribute__((vector_size(16)));
};
template <>
struct LaneVector<4> {
  typedef double Type __attribute__((vector_size(32)));
};
template <>
struct LaneVector<8> {
  typedef double Type __attribute__((vector_size(64)));
};
template <int Width>
using Lanes = typename LaneVector<Width>::Type;

template <int Width>
inline Lanes<Width> load(const double* row) {
  Lanes<Width> x;
  __builtin_memcpy(&x, row, sizeof x);
  return x;
}
template <class V>
inline void store(V x, double* row) {
  __builtin_memcpy(row, &x, sizeof x);
}
template <class V>
inline void add(V x, double* row) {
  V sum;
  __builtin_memcpy(&sum, row, sizeof sum);
  store(sum + x, row);
}
template <class V>
inline V larger(V x, V y) {
  return x > y ? x : y;
}
template <class V>
inline V size_of(V x) {
  return larger(x, -x);
}

// What a comparison of lanes gives.
template <int Width>
using LaneMask = decltype(Lanes<Width>{} > Lanes<Width>{});

#if defined(__x86_64__)
inline bool any(LaneMask<2> m) { return _mm_movemask_pd(reinterpret_cast<__m128d>(m)) != 0; }
#else
inline bool any(LaneMask<2> m) { return (m[0] | m[1]) != 0; }
#endif
#if defined(__AVX2__)
inline bool any(LaneMask<4> m) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) != 0; }
#endif
#if defined(__AVX512F__)
inline bool any(LaneMask<8> m) { return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m)) != 0; }
#endif

inline Lanes<2> root(Lanes<2> x) { return Lanes<2>{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])}; }
#if defined(__AVX2__)
inline Lanes<4> root(Lanes<4> x) { return _mm256_sqrt_pd(x); }
#endif
#if defined(__AVX512F__)
inline Lanes<8> root(Lanes<8> x) { return _mm512_maskz_sqrt_pd(0xff, x); }
#endif

// A square of Width records, or parts of records, turned over.
inline void transpose(Lanes<2>* x) {
  const Lanes<2> first = __builtin_shufflevector(x[0], x[1], 0, 2);
  x[1] = __builtin_shufflevector(x[0], x[1], 1, 3);
  x[0] = first;
}

#if defined(__AVX2__)
inline void transpose(Lanes<4>* x) {
  const Lanes<4> a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6),
                 b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7),
                 c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6),
                 d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

#if defined(__AVX512F__)
inline void transpose(Lanes<8>* x) {
  Lanes<8> pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int half = 0; half < 8; half += 4)
    for (int i = half; i < half + 2; ++i) {
      fours[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    x[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
#endif

// Rows that hold the first Count numbers of Width bodies.
template <int Width, int Count>
constexpr int kRows = (Count + Width - 1) / Width* Width;

// The first Count numbers of Width bodies, records of Record doubles: rows[k] has their k-th numbers.
template <int Width, int Record, int Count>
inline void load_bodies(const double* bodies, const int* places, Lanes<Width>* rows) {
  for (int part = 0; part < Count; part += Width) {
    for (int i = 0; i < Width; ++i)
      rows[part + i] = load<Width>(bodies + static_cast<long>(Record) * places[i] + part);
    transpose(rows + part);
  }
}
template <int Width, int Record, int Count>
inline void store_bodies(Lanes<Width>* rows, const int* places, double* bodies) {
  for (int part = 0; part < Count; part += Width) {
    transpose(rows + part);
    for (int i = 0; i < Width; ++i)
      store(rows[part + i], bodies + static_cast<long>(Record) * places[i] + part);
  }
}

// Fetches the bodies of a pack: Now doubles of `bodies`, Frozen of `frozen`.
template <int Record, int Now, int Frozen, class Pack>
inline void prefetch(const Pack& pack, const double* bodies, const double* frozen) {
  constexpr int kLine = 8;
  for (int i = 0; i < 2 * kLanes; ++i) {
    const long at = static_cast<long>(Record) * (i < kLanes ? pack.a[i] : pack.b[i - kLanes]);
    for (int k = 0; k < Now; k += kLine) __builtin_prefetch(bodies + at + k);
    for (int k = 0; k < Frozen; k += kLine) __builtin_prefetch(frozen + at + k);
  }
}

}  // namespace
}  // namespace saltus
