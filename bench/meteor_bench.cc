// SPDX-License-Identifier: Apache-2.0
// METEOR over real generations, each against those of three other entries; tools/bench/meteor.py
// runs it beside the Java program and prints the ratio:
//   snellen-meteor-bench --meteor-data DIR --cache DIR --gens gens.json [--rounds 1] [--repeats 5]
// Repeats take turns on one and on two threads. Rounds lengthen the work: in each, an entry meets
// the generations of three others. Prints one JSON line: start-up milliseconds, median segments per
// second of each, the median of their ratios, mean score.
#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/metrics/text/meteor/meteor.h"

namespace {

using Clock = std::chrono::steady_clock;
using snellen::metrics::meteor::Meteor;
using snellen::metrics::meteor::Scratch;

struct Arguments {
  snellen::text::meteor::DataPlaces places;
  std::string gens;
  size_t num_rounds = 1;
  size_t num_repeats = 5;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string_view name = argv[i];
    if (name == "--meteor-data") arguments.places.named_folder = argv[i + 1];
    if (name == "--cache") arguments.places.cache_folder = argv[i + 1];
    if (name == "--gens") arguments.gens = argv[i + 1];
    if (name == "--rounds") arguments.num_rounds = std::max(1UL, std::stoul(argv[i + 1]));
    if (name == "--repeats") arguments.num_repeats = std::max(1UL, std::stoul(argv[i + 1]));
  }
  return arguments;
}

// The generations by (image, round).
std::vector<std::string> read_gens(const std::string& path) {
  auto gens = nlohmann::json::parse(snellen::read_text_file(path, size_t{1} << 30));
  std::vector<std::pair<std::pair<int64_t, int64_t>, std::string>> entries;
  for (const auto& entry : gens) {
    entries.push_back(
        {{entry.at("image_id"), entry.at("round_id")}, entry.at("generations").at(0)});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  std::vector<std::string> texts;
  for (auto& entry : entries) texts.push_back(std::move(entry.second));
  return texts;
}

void score_range(const Meteor& meteor,
                 const std::vector<std::string>& gens,
                 size_t begin,
                 size_t end,
                 double* scores) {
  Scratch scratch(meteor);
  for (size_t i = begin; i < end; ++i) {
    size_t shift = i / gens.size();
    std::array<std::string_view, 3> references = {gens[(i + shift + 1) % gens.size()],
                                                  gens[(i + shift + 7) % gens.size()],
                                                  gens[(i + shift + 13) % gens.size()]};
    scores[i] =
        meteor.score(gens[i % gens.size()], std::span<const std::string_view>(references), scratch)
            .score.score;
  }
}

double seconds_of_pass(const Meteor& meteor,
                       const std::vector<std::string>& gens,
                       size_t num_threads,
                       std::vector<double>& scores) {
  Clock::time_point begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < num_threads; ++t) {
      threads.emplace_back([&, t] {
        score_range(meteor,
                    gens,
                    scores.size() * t / num_threads,
                    scores.size() * (t + 1) / num_threads,
                    scores.data());
      });
    }
  }
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::nth_element(
      values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

int run(const Arguments& arguments) {
  Clock::time_point begin = Clock::now();
  auto data = std::make_shared<const snellen::text::meteor::MeteorData>(
      snellen::text::meteor::load_meteor_data(arguments.places));
  Meteor meteor(data);
  double start_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  std::vector<std::string> gens = read_gens(arguments.gens);
  std::vector<double> scores(gens.size() * arguments.num_rounds);
  std::array<std::vector<double>, 2> rates;
  std::vector<double> gains;
  for (size_t i = 0; i < arguments.num_repeats; ++i) {
    for (size_t threads : {1, 2}) {
      rates[threads - 1].push_back(static_cast<double>(scores.size()) /
                                   seconds_of_pass(meteor, gens, threads, scores));
    }
    gains.push_back(rates[1].back() / rates[0].back());
  }
  double sum = 0;
  for (double score : scores) sum += score;
  fmt::print(
      "{{\"start_ms\": {:.2f}, \"segments_per_s\": [{:.0f}, {:.0f}], \"gain\": {:.3f}, "
      "\"segments\": {}, \"mean\": {}}}\n",
      start_ms,
      median(rates[0]),
      median(rates[1]),
      median(gains),
      scores.size(),
      sum / static_cast<double>(scores.size()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
