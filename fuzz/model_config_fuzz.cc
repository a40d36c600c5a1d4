// SPDX-License-Identifier: Apache-2.0
// A config.json of any bytes, asked for every kind of value: an Error, or a value in its range.
#include <cstdint>
#include <functional>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/config.h"

namespace {

using snellen::models::ConfigView;

void ask(const std::function<void()>& question) {
  try {
    question();
  } catch (const snellen::Error& error) {
    if (error.code() == snellen::ErrorCode::kInternal) throw;
  }
}

void ask_all(const ConfigView& config) {
  ask([&] { SNELLEN_CHECK(config.positive("hidden_size", 768) <= ConfigView::kMaxSize); });
  ask([&] { SNELLEN_CHECK(config.layers("num_hidden_layers", 12) <= ConfigView::kMaxLayers); });
  ask([&] { SNELLEN_CHECK(768 % config.heads("num_attention_heads", 12, 768) == 0); });
  ask([&] { (void)config.integer("eos_token_id", 2); });
  ask([&] { (void)config.number("initializer_range"); });
  ask([&] { SNELLEN_CHECK(config.positive_number("layer_norm_eps", 1e-5) > 0); });
  ask([&] { (void)config.boolean("qkv_bias"); });
  ask([&] { (void)config.text("hidden_act", "gelu"); });
  ask([&] { SNELLEN_CHECK(config.integers("strides").size() <= ConfigView::kMaxList); });
  ask([&] { (void)config.numbers("mean"); });
  ask([&] { (void)config.texts("architectures"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ask([&] {
    const nlohmann::json json = snellen::models::parse_config(text, "config.json");
    ConfigView config(json, "config.json");
    ask_all(config);
    ask([&] { ask_all(config.sub("vision_config")); });
    ask([&] { ask_all(config.sub_with_twin("text_config")); });
  });
  return 0;
}
