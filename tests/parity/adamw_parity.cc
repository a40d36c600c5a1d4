// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/training.py's optimiser: steps on given gradients.
//   adamw_parity REQUEST.json
// The request has "shapes", "values" and "gradients" (files of floats beside it: all weights, and
// all gradients of each step), "rates" (one a step) and options. Beside it it writes
// "weights" and "averages" (empty without "ema") as floats, and prints {"norms": [..]}: the
// gradients' lengths.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/training/learners/adamw.h"

namespace {

using nlohmann::json;
using snellen::training::AdamW;
using snellen::training::Parameters;

std::vector<float> floats_in(const std::filesystem::path& file) {
  const std::string bytes = snellen::read_text_file(file, size_t{1} << 30);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

// The next tensor of this shape.
at::Tensor taken(std::span<const float>& values, const std::vector<int64_t>& shape) {
  at::Tensor made = at::zeros(shape, at::kFloat);
  const auto count = static_cast<size_t>(made.numel());
  std::memcpy(made.data_ptr<float>(), values.data(), count * sizeof(float));
  values = values.subspan(count);
  return made;
}

void write(const std::filesystem::path& file, const std::vector<at::Tensor>& tensors) {
  std::string bytes;
  for (const at::Tensor& tensor : tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.data_ptr<float>()),
                 static_cast<size_t>(tensor.numel()) * sizeof(float));
  snellen::write_text_file(file, bytes);
}

void run(const std::filesystem::path& request_file) {
  const json request = json::parse(snellen::read_text_file(request_file));
  const std::filesystem::path folder = request_file.parent_path();
  const auto shapes = request.at("shapes").get<std::vector<std::vector<int64_t>>>();
  const std::vector<float> values = floats_in(folder / "values");
  const std::vector<float> gradients = floats_in(folder / "gradients");
  snellen::training::LearnerOptions options;
  options.beta1 = request.at("beta1");
  options.beta2 = request.at("beta2");
  options.eps = request.at("eps");
  options.weight_decay = request.at("weight_decay");
  options.max_gradient_norm = request.at("clip_norm");
  options.ema_decay = request.at("ema");
  std::vector<Parameters::Named> parameters;
  std::span<const float> left(values);
  for (size_t i = 0; i < shapes.size(); ++i)
    parameters.push_back({fmt::format("p{:03}", i), taken(left, shapes[i]).requires_grad_()});
  AdamW optimizer(parameters, options);
  json norms = json::array();
  left = gradients;
  for (const json& rate : request.at("rates")) {
    for (const Parameters::Named& named : parameters) {
      at::Tensor value = named.value;
      value.mutable_grad() = taken(left, value.sizes().vec());
    }
    norms.push_back(optimizer.gradient_norm());
    optimizer.step(rate.get<double>(), norms.back().get<double>());
  }
  std::vector<at::Tensor> weights, averages;
  const std::map<std::string, at::Tensor> kept = optimizer.averages();
  for (const Parameters::Named& named : parameters) {
    weights.push_back(named.value.detach());
    if (kept.contains(named.name)) averages.push_back(kept.at(named.name));
  }
  write(folder / "weights", weights);
  write(folder / "averages", averages);
  fmt::print("{}\n", json({{"norms", norms}}).dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: adamw_parity REQUEST.json\n");
    return 2;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "adamw_parity: {}\n", error.what());
    return 1;
  }
}
