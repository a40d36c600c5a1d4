// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/vader.py and tools/bench/vader.py.
//   vader_parity check LEXICON EMOJI          JSON lines {"text","neg","neu","pos","compound"} on
//                                             stdin; exit 1 if one differs
//   vader_parity time LEXICON EMOJI REPEATS   one text per line on stdin; prints a line per repeat:
//                                             sentences per second of one thread, and of two
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/text/vader/vader.h"

namespace {

using snellen::text::Sentiment;
using snellen::text::Vader;

int check(const Vader& vader) {
  constexpr size_t kShown = 20;
  size_t num_compared = 0;
  size_t num_different = 0;
  for (std::string line; std::getline(std::cin, line);) {
    auto want = nlohmann::json::parse(line);
    Sentiment got = vader.score(want["text"].get<std::string>());
    ++num_compared;
    bool is_same = got.neg == want["neg"].get<double>() && got.neu == want["neu"].get<double>() &&
                   got.pos == want["pos"].get<double>() &&
                   got.compound == want["compound"].get<double>();
    if (is_same) continue;
    if (++num_different <= kShown) {
      fmt::print("differs: neg {} neu {} pos {} compound {}, want {}\n",
                 got.neg,
                 got.neu,
                 got.pos,
                 got.compound,
                 line);
    }
  }
  fmt::print("{} compared, {} differ\n", num_compared, num_different);
  return num_compared == 0 || num_different > 0 ? 1 : 0;
}

double seconds_to_score(const Vader& vader,
                        const std::vector<std::string>& texts,
                        size_t num_threads) {
  // Kept so that the work cannot be optimised away.
  std::vector<double> sums(num_threads);
  auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < num_threads; ++t) {
      threads.emplace_back([&, t] {
        double sum = 0;
        for (size_t i = texts.size() * t / num_threads; i < texts.size() * (t + 1) / num_threads;
             ++i) {
          sum += vader.score(texts[i]).compound;
        }
        sums[t] = sum;
      });
    }
  }
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  double total = 0;
  for (double sum : sums) total += sum;
  return total == total ? took.count() : 0;
}

int time_scores(const Vader& vader, int repeats) {
  std::vector<std::string> texts;
  for (std::string line; std::getline(std::cin, line);) texts.push_back(line);
  for (int i = 0; i < repeats; ++i) {
    auto count = static_cast<double>(texts.size());
    double one = count / seconds_to_score(vader, texts, 1);
    fmt::print("{} {}\n", one, count / seconds_to_score(vader, texts, 2));
  }
  return texts.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 3 && arguments[0] == "check")
      return check(Vader::from_files(arguments[1], arguments[2]));
    if (arguments.size() == 4 && arguments[0] == "time")
      return time_scores(Vader::from_files(arguments[1], arguments[2]), std::stoi(arguments[3]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "vader_parity: {}\n", error.what());
    return 3;
  }
  fmt::print(stderr, "usage: vader_parity check|time LEXICON EMOJI [REPEATS]\n");
  return 2;
}
