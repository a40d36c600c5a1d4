// SPDX-License-Identifier: Apache-2.0
// cider_parity FILE [runs]: FILE holds {"generations": [text], "references": [[text]]}.
// Prints {"scores": [CIDEr-D of each entry], "seconds": [[of each run on one thread], [on two]]},
// taking turns; a run goes from texts to scores, document frequencies included, as the peer's
// compute_score does. For
// tools/parity/cider.py and tools/bench/cider.py.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "snellen/metrics/text/cider.h"

namespace {

using snellen::metrics::CiderCorpus;

constexpr size_t kPiece = 1024;

struct Entries {
  std::vector<std::string> generations;
  std::vector<std::vector<std::string>> references;
};

void run_on_threads(size_t num_parts, const std::function<void(size_t)>& part) {
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < num_parts; ++i) threads.emplace_back([&part, i] { part(i); });
  part(0);
}

std::vector<double> score_all(const Entries& entries, size_t num_threads) {
  std::vector<snellen::text::StringSets> shares(num_threads);
  run_on_threads(num_threads, [&](size_t part) {
    snellen::text::StringSets mine;
    size_t end = entries.references.size() * (part + 1) / num_threads;
    for (size_t i = entries.references.size() * part / num_threads; i < end; ++i) {
      mine.start_set();
      for (const std::string& text : entries.references[i]) mine.add(text);
    }
    shares[part] = std::move(mine);
  });
  snellen::text::StringSets sets = std::move(shares[0]);
  for (size_t part = 1; part < num_threads; ++part) sets.append(shares[part]);
  snellen::metrics::CiderOptions options{.n = 4, .variant = snellen::metrics::CiderVariant::kD};
  CiderCorpus corpus(sets, options, {.num_parts = num_threads, .run = run_on_threads});
  std::vector<double> scores(entries.generations.size());
  // Handed out in pieces, as the program does: a thread that is held up takes fewer.
  std::atomic<size_t> next = 0;
  run_on_threads(num_threads, [&](size_t /*part*/) {
    std::vector<double> orders(options.n);
    for (size_t begin = 0; (begin = next.fetch_add(kPiece)) < scores.size();) {
      for (size_t i = begin; i < std::min(begin + kPiece, scores.size()); ++i) {
        corpus.score(entries.generations[i], i, orders);
        scores[i] = orders.back();
      }
    }
  });
  return scores;
}

int run(int argc, char** argv) {
  std::ifstream file(argv[1]);
  nlohmann::json json = nlohmann::json::parse(file);
  Entries entries{json.at("generations"), json.at("references")};
  size_t num_runs = argc > 2 ? std::stoul(argv[2]) : 1;
  std::vector<double> scores;
  std::array<std::vector<double>, 2> seconds;
  for (size_t i = 0; i < num_runs; ++i) {
    for (size_t threads : {2, 1}) {
      auto begin = std::chrono::steady_clock::now();
      std::vector<double> found = score_all(entries, threads);
      auto end = std::chrono::steady_clock::now();
      seconds[threads - 1].push_back(std::chrono::duration<double>(end - begin).count());
      if (!scores.empty() && found != scores) throw std::runtime_error("threads change the scores");
      scores = std::move(found);
    }
  }
  std::cout << nlohmann::json{{"scores", scores}, {"seconds", seconds}}.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: cider_parity FILE [runs]\n";
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
