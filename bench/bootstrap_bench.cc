// SPDX-License-Identifier: Apache-2.0
// The native side of tools/bench/statistics_bench.py: bootstrap_bench ITEMS CLUSTERS REPLICATES
// REPEATS. Item i has the value (i * 7919 % 1000) / 1000 and is in cluster i % CLUSTERS. Prints one
// JSON line: seconds of each repeat on one thread and on two, taking turns, and the interval.
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_sums.h"

namespace {

using snellen::stats::ClusterSums;
using snellen::stats::Interval;

int run(size_t num_items, size_t num_clusters, uint64_t replicates, int repeats) {
  ClusterSums items(1);
  for (size_t i = 0; i < num_items; ++i) {
    items.add(items.unit(std::to_string(i % num_clusters)),
              0,
              static_cast<double>(i * 7919 % 1000) / 1000);
  }
  std::array<std::vector<double>, 2> seconds;
  Interval interval = {};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (unsigned threads : {1U, 2U}) {
      auto begin = std::chrono::steady_clock::now();
      interval =
          items.intervals({.replicates = replicates, .num_threads = threads}).front().value();
      std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      seconds[threads - 1].push_back(took.count());
    }
  }
  fmt::print("{{\"seconds\": [[{}], [{}]], \"interval\": [{}, {}]}}\n",
             fmt::join(seconds[0], ", "),
             fmt::join(seconds[1], ", "),
             interval.low,
             interval.high);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: bootstrap_bench ITEMS CLUSTERS REPLICATES REPEATS\n");
    return 2;
  }
  try {
    return run(std::stoul(argv[1]), std::stoul(argv[2]), std::stoul(argv[3]), std::stoi(argv[4]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "bootstrap_bench: {}\n", error.what());
    return 1;
  }
}
