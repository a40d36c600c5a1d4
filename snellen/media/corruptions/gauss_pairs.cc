// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/gauss_pairs.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "snellen/base/splitmix.h"

namespace snellen::media {
namespace {

// n < 2^53 to double: both halves are put into the mantissa of a known power of two, since vector
// units before AVX-512 cannot convert 64-bit integers.
[[gnu::always_inline]] inline double small_to_double(uint64_t n) {
  double high = std::bit_cast<double>((n >> 32) | 0x4530000000000000U);         // 2^84 + high 2^32
  double low = std::bit_cast<double>((n & 0xffffffffU) | 0x4330000000000000U);  // 2^52 + low
  return (high - 0x1.00000001p84) + low;
}

// ln(x) for a normal x, after FreeBSD's e_log.c: x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2).
[[gnu::always_inline]] inline double log_of(double x) {
  constexpr double kHigh = 6.93147180369123816490e-01;
  constexpr double kLow = 1.90821492927058770002e-10;
  uint64_t bits = std::bit_cast<uint64_t>(x);
  uint64_t shifted = bits - 0x3fe6a09e667f3bcdU;  // the bits of sqrt(1/2)
  // floor of the exponent, as a double again: 2^52 + 2^51 + k, less the constant.
  uint64_t exponent = (shifted >> 52) ^ 0x800U;  // k + 2048 as an unsigned number of 12 bits
  double k = small_to_double(exponent & 0xfffU) - 2048.0;
  double fraction = std::bit_cast<double>(bits - (shifted & 0xfff0000000000000U));
  double f = fraction - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  double t1 = w * (3.999999999940941908e-01 +
                   w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double t2 = z * (6.666666666666735130e-01 +
                   w * (2.857142874366239149e-01 +
                        w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double half_square = 0.5 * f * f;
  return k * kHigh - ((half_square - (s * (half_square + (t1 + t2)) + k * kLow)) - f);
}

struct SinCos {
  double sin;
  double cos;
};

// sin and cos of 2 pi u, 0 <= u < 1: the nearest quarter turn is taken off exactly, then FreeBSD's
// polynomials on +-pi/4.
[[gnu::always_inline]] inline SinCos sin_cos_of_turn(double u) {
  constexpr double kRound = 0x1.8p52;
  double shifted = u * 4.0 + kRound;
  uint64_t quarter = std::bit_cast<uint64_t>(shifted);
  double x = (u - (shifted - kRound) * 0.25) * (2.0 * std::numbers::pi);
  double z = x * x;
  double w = z * z;
  double sine_tail = 8.33333333332248946124e-03 +
                     z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                     z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
  double sine = x + z * x * (-1.66666666666666324348e-01 + z * sine_tail);
  double cosine_tail = z * (4.16666666666666019037e-02 +
                            z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
                       w * w *
                           (-2.75573143513906633035e-07 +
                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  double half = 0.5 * z;
  double one_less = 1.0 - half;
  double cosine = one_less + (((1.0 - one_less) - half) + z * cosine_tail);
  // Quarters 1 and 3 exchange the two; 1 and 2 turn the cosine's sign, 2 and 3 the sine's.
  uint64_t exchange = 0 - (quarter & 1U);
  uint64_t sine_bits = std::bit_cast<uint64_t>(sine);
  uint64_t cosine_bits = std::bit_cast<uint64_t>(cosine);
  uint64_t difference = (sine_bits ^ cosine_bits) & exchange;
  uint64_t sine_sign = (quarter & 2U) << 62;
  uint64_t cosine_sign = ((quarter + 1) & 2U) << 62;
  return {std::bit_cast<double>(sine_bits ^ difference ^ sine_sign),
          std::bit_cast<double>(cosine_bits ^ difference ^ cosine_sign)};
}

// Inlined into a function of each level, where the compiler makes vectors of it.
template <NonZero rule>
[[gnu::always_inline]] inline void fill_pairs(uint64_t state, double* out, size_t num_pairs) {
  for (size_t i = 0; i < num_pairs; ++i) {
    uint64_t x = splitmix64(state + kSplitMixGamma * (2 * i + 1));
    uint64_t y = splitmix64(state + kSplitMixGamma * (2 * i + 2));
    // (x >> 11) + 1 <= 2^53, so u1 lies in (0, 1] by either rule.
    double u1 = rule == NonZero::kShifted ? (small_to_double(x >> 11) + 1.0) * 0x1.0p-53
                                          : 1.0 - small_to_double(x >> 11) * 0x1.0p-53;
    double u2 = small_to_double(y >> 11) * 0x1.0p-53;
    double radius = std::sqrt(-2.0 * log_of(u1));
    SinCos turn = sin_cos_of_turn(u2);
    out[2 * i] = radius * turn.cos;
    out[2 * i + 1] = radius * turn.sin;
  }
}

template <NonZero rule>
void fill_plain(uint64_t state, double* out, size_t num_pairs) {
  fill_pairs<rule>(state, out, num_pairs);
}
template <NonZero rule>
__attribute__((target("avx2"))) void fill_avx2(uint64_t state, double* out, size_t num_pairs) {
  fill_pairs<rule>(state, out, num_pairs);
}
#ifdef __clang__  // knows no such preference
#define SNELLEN_AVX512 "avx512f,avx512dq,avx512vl"
#else
#define SNELLEN_AVX512 "avx512f,avx512dq,avx512vl,prefer-vector-width=512"
#endif
template <NonZero rule>
__attribute__((target(SNELLEN_AVX512))) void fill_avx512(uint64_t state,
                                                         double* out,
                                                         size_t num_pairs) {
  fill_pairs<rule>(state, out, num_pairs);
}

template <NonZero rule>
void fill(uint64_t state, std::span<double> values, SimdLevel level) {
  size_t num_pairs = values.size() / 2;
  switch (level) {
    case SimdLevel::kPlain:
      return fill_plain<rule>(state, values.data(), num_pairs);
    case SimdLevel::kAvx2:
      return fill_avx2<rule>(state, values.data(), num_pairs);
    case SimdLevel::kAvx512:
      return fill_avx512<rule>(state, values.data(), num_pairs);
  }
}

}  // namespace

void fill_gauss_pairs(uint64_t state, std::span<double> values, SimdLevel level, NonZero rule) {
  if (rule == NonZero::kShifted) return fill<NonZero::kShifted>(state, values, level);
  return fill<NonZero::kMirrored>(state, values, level);
}

}  // namespace snellen::media
