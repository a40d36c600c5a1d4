// SPDX-License-Identifier: Apache-2.0
// METEOR over real generations, each against those of three other entries; tools/bench/meteor.py
// runs it beside the Java program and prints the ratio:
//   snellen-meteor-bench --meteor-data DIR --cache DIR --gens gens.json [--threads 1] [--repeats 5]
// Prints one JSON line: start-up milliseconds, best segments per second, mean score.
#include <algorithm>
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
#include "snellen/metrics/meteor/meteor.h"

namespace {

using Clock = std::chrono::steady_clock;
using snellen::metrics::meteor::Meteor;
using snellen::metrics::meteor::Scratch;

struct Arguments {
  snellen::text::meteor::DataPlaces places;
  std::string gens;
  size_t num_threads = 1;
  size_t num_repeats = 5;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string_view name = argv[i];
    if (name == "--meteor-data") arguments.places.named_folder = argv[i + 1];
    if (name == "--cache") arguments.places.cache_folder = argv[i + 1];
    if (name == "--gens") arguments.gens = argv[i + 1];
    if (name == "--threads") arguments.num_threads = std::max(1UL, std::stoul(argv[i + 1]));
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
    std::array<std::string_view, 3> references = {
        gens[(i + 1) % gens.size()], gens[(i + 7) % gens.size()], gens[(i + 13) % gens.size()]};
    scores[i] =
        meteor.score(gens[i], std::span<const std::string_view>(references), scratch).score.score;
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
                    gens.size() * t / num_threads,
                    gens.size() * (t + 1) / num_threads,
                    scores.data());
      });
    }
  }
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int run(const Arguments& arguments) {
  Clock::time_point begin = Clock::now();
  auto data = std::make_shared<const snellen::text::meteor::MeteorData>(
      snellen::text::meteor::load_meteor_data(arguments.places));
  Meteor meteor(data);
  double start_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  std::vector<std::string> gens = read_gens(arguments.gens);
  std::vector<double> scores(gens.size());
  double best = 1e300;
  for (size_t i = 0; i < arguments.num_repeats; ++i) {
    best = std::min(best, seconds_of_pass(meteor, gens, arguments.num_threads, scores));
  }
  double sum = 0;
  for (double score : scores) sum += score;
  fmt::print(
      "{{\"start_ms\": {:.2f}, \"segments_per_s\": {:.0f}, \"threads\": {}, \"segments\": {}, "
      "\"mean\": {}}}\n",
      start_ms,
      static_cast<double>(gens.size()) / best,
      arguments.num_threads,
      gens.size(),
      sum / static_cast<double>(gens.size()));
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
