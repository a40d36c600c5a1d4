// SPDX-License-Identifier: Apache-2.0
// Steps of a learner on given batches, for tools/parity/training.py and tools/bench/training.py:
//   learner_steps MODULE REQUEST.json
// The request names "model", "batches" (each with "side", "num_frames", "num_visuals", "pixels" (a
// file beside the request), "texts", "matches" and "contrasts"), "steps", "lr" and options; a step
// takes the next batch ("accumulate": so many), and the first again after the last. Below "out" it
// writes first.safetensors, the optimiser's state after one step (its "mean" is 0.1 times the
// gradient), and model.safetensors after all (with "ema" also average.safetensors); it prints
// {"losses": [..], "seconds": [..]}.
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/training/learner_module.h"

namespace {

using nlohmann::json;
using snellen::training::Batch;
using snellen::training::LearnerOptions;

Batch batch_of(const json& given, const std::filesystem::path& folder) {
  Batch batch;
  batch.side = given.at("side");
  batch.num_frames = given.at("num_frames");
  batch.num_visuals = given.at("num_visuals");
  if (batch.num_visuals > 0) {
    std::string bytes =
        snellen::read_text_file(folder / given.at("pixels").get<std::string>(), size_t{1} << 32);
    batch.pixels.assign(bytes.begin(), bytes.end());
  }
  batch.texts = given.at("texts").get<std::vector<snellen::models::TokenIds>>();
  for (const json& match : given.at("matches"))
    batch.matches.push_back({match.at(0).get<uint32_t>(), match.at(1).get<uint32_t>()});
  for (const json& one : given.at("contrasts")) {
    batch.contrasts.push_back({{one.at(0).get<uint32_t>(), one.at(1).get<uint32_t>()},
                               {one.at(2).get<uint32_t>(), one.at(3).get<uint32_t>()},
                               one.at(4).get<float>()});
  }
  return batch;
}

LearnerOptions options_of(const json& given) {
  LearnerOptions options;
  options.device = given.value("device", "cpu");
  if (given.value("dtype", "fp32") == "bf16")
    options.dtype = snellen::models::ElementKind::kBFloat16;
  options.num_threads = given.value("threads", 1U);
  options.weight_decay = given.value("weight_decay", 1e-4);
  options.beta2 = given.value("beta2", 0.999);
  options.eps = given.value("eps", 1e-8);
  options.max_gradient_norm = given.value("clip_norm", 0.0);
  options.ema_decay = given.value("ema", 0.0);
  options.chunk = given.value("chunk", int64_t{0});
  options.communicates_alone = given.value("nccl", false);
  options.mean = given.value("mean", options.mean);
  options.std = given.value("std", options.std);
  std::string trained = given.value("trained", "all");
  if (trained == "V") options.trained = snellen::training::Trained::kVision;
  if (trained == "T") options.trained = snellen::training::Trained::kText;
  if (trained == "VT") options.trained = snellen::training::Trained::kBoth;
  return options;
}

void run(const std::string& module_file, const std::filesystem::path& request_file) {
  json request = json::parse(snellen::read_text_file(request_file, size_t{1} << 30));
  std::filesystem::path folder = request_file.parent_path();
  std::vector<Batch> batches;
  for (const json& given : request.at("batches")) batches.push_back(batch_of(given, folder));
  snellen::training::LearnerModule module(module_file);
  std::unique_ptr<snellen::dist::Group> group = snellen::dist::group_of_one();
  auto learner = module.make(request.at("model").get<std::string>(), options_of(request), *group);
  json losses = json::array(), seconds = json::array();
  auto num_steps = request.at("steps").get<size_t>();
  const auto accumulate = request.value("accumulate", size_t{1});
  if (accumulate == 0 || batches.size() % accumulate != 0)
    throw std::runtime_error("the batches are no whole number of steps");
  for (size_t i = 0; i < num_steps; ++i) {
    auto begin = std::chrono::steady_clock::now();
    auto report =
        learner->step({&batches[i * accumulate % batches.size()], accumulate}, request.at("lr"));
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    losses.push_back(report.loss);
    if (i == 0 && request.contains("out"))
      learner->write_state(request.at("out").get<std::string>() + "/first.safetensors");
  }
  if (request.contains("out"))
    learner->write_weights(request.at("out").get<std::string>() + "/model.safetensors",
                           snellen::models::ElementType::kF32,
                           /*averaged=*/false);
  if (request.contains("out") && request.contains("ema"))
    learner->write_weights(request.at("out").get<std::string>() + "/average.safetensors",
                           snellen::models::ElementType::kF32,
                           /*averaged=*/true);
  fmt::print("{}\n", json({{"losses", losses}, {"seconds", seconds}}).dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: learner_steps MODULE REQUEST.json\n");
    return 2;
  }
  try {
    run(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "learner_steps: {}\n", error.what());
    return 1;
  }
}
