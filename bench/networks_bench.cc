// SPDX-License-Identifier: Apache-2.0
// Times one part of a network alone: pixels and token ids in, numbers out. tools/bench/models.py
// runs it beside transformers.
//   networks_bench MODULE FOLDER image|text|pair|likelihood [--device cuda] [--dtype bf16] [--batch
//   16]
//     [--batches 8] [--threads 1] [--repeats 5] [--texts ids.json] [--size HxW]
// Prints one JSON line: things per second (pictures, texts or pairs; median), and the first
// answers.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/base/heap.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"

namespace {

namespace models = snellen::models;
using Clock = std::chrono::steady_clock;

struct Work {
  std::string what;
  int64_t batch = 16;
  int64_t batches = 8;
  size_t threads = 1;
  int repeats = 5;
  int64_t height = 224;
  int64_t width = 224;
  std::vector<models::TokenIds> texts;
  models::NetworkOptions options;
};

Work parsed(int argc, char** argv) {
  Work work;
  work.what = argv[3];
  std::map<std::string, std::string> flags;
  for (int i = 4; i + 1 < argc; i += 2) flags[argv[i]] = argv[i + 1];
  auto number = [&](const char* name, int64_t otherwise) {
    return flags.contains(name) ? std::stoll(flags[name]) : otherwise;
  };
  work.batch = number("--batch", work.batch);
  work.batches = number("--batches", work.batches);
  work.threads = static_cast<size_t>(number("--threads", 1));
  work.repeats = static_cast<int>(number("--repeats", work.repeats));
  if (flags.contains("--size")) {
    const std::string& size = flags["--size"];
    work.height = std::stoll(size);
    work.width = std::stoll(size.substr(size.find('x') + 1));
  }
  if (flags.contains("--device")) work.options.device = flags["--device"];
  work.options.captures_graphs = flags["--graphs"] != "off";
  if (flags["--dtype"] == "bf16") work.options.dtype = models::ElementKind::kBFloat16;
  if (flags["--dtype"] == "fp16") work.options.dtype = models::ElementKind::kFloat16;
  if (flags.contains("--texts")) {
    std::ifstream file(flags["--texts"]);
    work.texts = nlohmann::json::parse(file).get<std::vector<models::TokenIds>>();
  }
  return work;
}

// Pixels that the peer can make too: value i is (i * 7919 mod 2048) / 1024 - 1.
std::vector<float> pixels_of(const Work& work, int64_t count) {
  std::vector<float> values(static_cast<size_t>(count * 3 * work.height * work.width));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 2048) / 1024.0F - 1.0F;
  return values;
}

class Bench {
 public:
  Bench(const models::NetworkModule& module, const models::Network& network, const Work& work)
      : network_(network), work_(work) {
    if (work.what == "likelihood" || work.what == "text") return;
    values_ = pixels_of(work, work.what == "pair" ? 1 : work.batch);
    pixels_ = {.count = work.what == "pair" ? 1 : work.batch,
               .height = work.height,
               .width = work.width,
               .values = values_};
    if (work.options.device == "cpu") return;
    staged_ = module.stage(pixels_, work.options);
    pixels_.staged = staged_.get();
  }

  // Things done by one batch, each with a row of answers.
  int64_t per_batch() const {
    return work_.what == "image" ? work_.batch : static_cast<int64_t>(work_.texts.size());
  }

  std::vector<float> once() const {
    if (work_.what == "image") return network_.dual()->embed_images(pixels_).values;
    if (work_.what == "text") return network_.dual()->embed_texts(work_.texts).values;
    if (work_.what == "pair") {
      auto seen = network_.pair()->see(pixels_);
      return network_.pair()->match(*seen[0], work_.texts).values;
    }
    std::vector<float> sums;
    for (const auto& text : network_.language()->log_probabilities(work_.texts)) {
      double sum = 0;
      for (double value : text) sum += value;
      sums.push_back(static_cast<float>(sum));
    }
    return sums;
  }

  double per_second() const {
    std::vector<double> rates;
    for (int repeat = 0; repeat < work_.repeats; ++repeat) {
      Clock::time_point begin;
      {
        // Libraries settle in each thread before anything is timed.
        std::barrier ready(static_cast<std::ptrdiff_t>(work_.threads),
                           [&]() noexcept { begin = Clock::now(); });
        std::vector<std::jthread> threads;
        for (size_t t = 0; t < work_.threads; ++t) {
          threads.emplace_back([&] {
            once();
            once();  // a shape that comes again is captured
            ready.arrive_and_wait();
            for (int64_t i = 0; i < work_.batches; ++i) once();
          });
        }
      }
      double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      rates.push_back(static_cast<double>(per_batch() * work_.batches) *
                      static_cast<double>(work_.threads) / seconds);
    }
    std::sort(rates.begin(), rates.end());
    return rates[rates.size() / 2];
  }

 private:
  const models::Network& network_;
  const Work& work_;
  std::vector<float> values_;
  models::PixelsView pixels_;
  std::unique_ptr<models::StagedPixels> staged_;
};

// A network that gives the same answer to everything would be timed for nothing: most texts have
// rows of their own, and pictures more than one. (Every second picture has the same pixels.)
void expect_telling(const Work& work, const std::vector<float>& answers, int64_t num_rows) {
  const size_t width = answers.size() / static_cast<size_t>(num_rows);
  std::set<std::vector<float>> rows;
  for (size_t row = 0; row < static_cast<size_t>(num_rows); ++row)
    rows.emplace(answers.begin() + static_cast<std::ptrdiff_t>(row * width),
                 answers.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  const std::set<models::TokenIds> texts(work.texts.begin(), work.texts.end());
  const size_t fewest = work.what == "image" ? std::min<size_t>(2, static_cast<size_t>(num_rows))
                                             : texts.size() / 2 + 1;
  if (rows.size() < fewest)
    throw std::runtime_error("the answers are degenerate: " + std::to_string(rows.size()) +
                             " different ones, expected at least " + std::to_string(fewest));
}

int run(int argc, char** argv) {
  Work work = parsed(argc, argv);
  models::NetworkModule module(argv[1]);
  models::Checkpoint checkpoint(argv[2]);
  std::unique_ptr<models::Network> network =
      module.architecture_of(checkpoint).load(checkpoint, work.options);
  Bench bench(module, *network, work);
  std::vector<float> answers = bench.once();
  expect_telling(work, answers, bench.per_batch());
  answers.resize(std::min<size_t>(answers.size(), 8192));
  double rate = work.repeats > 0 ? bench.per_second() : 0;
  std::cout << nlohmann::json{{"per_second", rate}, {"answers", answers}}.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  snellen::keep_freed_memory();  // as the program does
  if (argc < 4) {
    std::cerr
        << "usage: networks_bench MODULE FOLDER image|text|pair|likelihood [--flag value ...]\n";
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
