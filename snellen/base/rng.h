// SPDX-License-Identifier: Apache-2.0
// The random streams of docs/spec/probe.md 6.1. A stream is named by a key
// "{seed}|{purpose}|{id...}", never by thread or rank, so 1 process and 64 draw the same numbers.
// docs/design/random.md lists every stream.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snellen {

// One thread at a time; copies draw the same numbers independently.
class Rng {
 public:
  explicit Rng(uint64_t seed) : Rng(std::to_string(seed)) {}
  // SplitMix64 with state = FNV-1a of the key.
  explicit Rng(std::string key);

  // A fresh stream of its own: key "{this key}|{purpose}". Draws made here do not matter to it.
  Rng fork(std::string_view purpose) const;
  Rng fork(uint64_t id) const { return fork(std::to_string(id)); }

  const std::string& key() const { return key_; }

  uint64_t next();
  // Uniform in [0, n), n > 0, without modulo bias; below(1) still consumes a draw.
  uint64_t below(uint64_t n);
  // Uniform in [0, 1), 53 bits.
  double u01();
  // Standard normal by Box-Muller; the sine partner is kept for the next call.
  double gauss();

  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // k members of `items` that pass, in drawing order; nothing when fewer than k pass.
  template <typename T, typename Predicate>
  std::optional<std::vector<T>> sample_filtered(std::span<const T> items,
                                                size_t k,
                                                Predicate passes) {
    std::vector<T> pool;
    return sample_filtered(items, k, passes, pool);
  }
  // The same with the memory of the caller's `pool`, for lists that are drawn from many times.
  template <typename T, typename Predicate>
  std::optional<std::vector<T>> sample_filtered(std::span<const T> items,
                                                size_t k,
                                                Predicate passes,
                                                std::vector<T>& pool) {
    pool.assign(items.begin(), items.end());
    std::vector<T> taken;
    for (size_t i = 0; i < pool.size() && taken.size() < k; ++i) {
      std::swap(pool[i], pool[i + below(pool.size() - i)]);
      if (passes(pool[i])) taken.push_back(pool[i]);
    }
    if (taken.size() < k) return std::nullopt;
    return taken;
  }

  // One member of `vocabulary` that passes: up to 256 draws, then a draw among all that pass.
  template <typename T, typename Predicate>
  std::optional<T> pick(std::span<const T> vocabulary, Predicate passes) {
    if (vocabulary.empty()) return std::nullopt;
    for (int draw = 0; draw < 256; ++draw) {
      const T& candidate = vocabulary[below(vocabulary.size())];
      if (passes(candidate)) return candidate;
    }
    std::vector<const T*> passing;
    for (const T& candidate : vocabulary) {
      if (passes(candidate)) passing.push_back(&candidate);
    }
    if (passing.empty()) return std::nullopt;
    return *passing[below(passing.size())];
  }

 private:
  std::string key_;
  uint64_t state_;
  std::optional<double> kept_gauss_;
};

}  // namespace snellen
