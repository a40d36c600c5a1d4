// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/check/fixture.h"

#include <charconv>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/safetensors.h"

namespace snellen::models {
namespace {

FixtureStage stage_of(const nlohmann::json& json) {
  FixtureStage stage;
  stage.name = json.at("name");
  std::string compare = json.at("compare");
  stage.compare = compare == "exact" ? FixtureStage::Compare::kExact
                  : compare == "abs" ? FixtureStage::Compare::kAbsolute
                                     : FixtureStage::Compare::kRelative;
  stage.tolerance = json.value("tol", stage.compare == FixtureStage::Compare::kExact ? 0.0 : 1e-4);
  stage.strict = json.value("strict", std::min(stage.tolerance, 2e-5));
  return stage;
}

}  // namespace

Fixture::Fixture(const std::filesystem::path& folder) : folder_(folder) {
  std::filesystem::path json_file = folder / "fixture.json";
  if (!std::filesystem::exists(json_file)) {
    throw Error{
        ErrorCode::kNotFound,
        "holds no fixture.json",
        folder.string(),
        "make one with tools/make_fixture.py, or name a folder that has one with --fixture"};
  }
  nlohmann::json json = read_config(json_file);
  try {
    read_json(json);
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput, error.what(), json_file.string()};
  }
  std::filesystem::path tensor_file = folder / "fixture.safetensors";
  if (!std::filesystem::exists(tensor_file)) return;
  file_.emplace_back(tensor_file);
  for (NamedTensor& named : read_safetensors(file_[0].bytes(), tensor_file.string()))
    tensors_.emplace(std::move(named.name), std::move(named.tensor));
}

void Fixture::read_json(const nlohmann::json& json) {
  std::string format = json.at("format");
  if (format != "snellen-fixture/1") {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("format is '{}', expected snellen-fixture/1", format),
                (folder_ / "fixture.json").string()};
  }
  arch_ = json.at("arch");
  kind_ = json.at("kind");
  texts_ = json.value("texts", std::vector<std::string>());
  tokens_ = json.value("tokens", std::vector<TokenIds>());
  if (json.contains("text")) max_text_length_ = json.at("text").value("max_length", int64_t{0});
  for (const nlohmann::json& stage : json.value("stages", nlohmann::json::array()))
    stages_.push_back(stage_of(stage));
  language_texts_ = json.value("lm_texts", std::vector<size_t>());
  for (size_t i : language_texts_) {
    if (i >= tokens_.size())
      throw Error{
          ErrorCode::kInvalidInput, fmt::format("lm_texts names text {}", i), folder_.string()};
  }
  if (json.contains("reference")) {
    std::string pillow = json.at("reference").value("pillow", "13");
    std::from_chars(pillow.data(), pillow.data() + pillow.size(), pillow_major_);
  }
  has_clips_ = json.contains("clips");
  for (const nlohmann::json& image :
       json.value(has_clips_ ? "clips" : "images", nlohmann::json::array())) {
    FixtureImage entry;
    std::vector<std::string> files;
    if (has_clips_) {
      files = image.at("frames").get<std::vector<std::string>>();
    } else {
      files = {image.at("file").get<std::string>()};
    }
    for (const std::string& file : files) {
      if (!stays_inside(file)) {
        throw Error{ErrorCode::kInvalidInput,
                    fmt::format("picture '{}' leaves the folder", file),
                    (folder_ / "fixture.json").string()};
      }
      entry.files.push_back(folder_ / file);
    }
    images_.push_back(std::move(entry));
  }
}

bool Fixture::has(std::string_view tensor) const {
  return tensors_.contains(tensor);
}

FloatTensor Fixture::tensor(std::string_view name) const {
  auto found = tensors_.find(name);
  if (found == tensors_.end())
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has no tensor {}", name),
                (folder_ / "fixture.safetensors").string()};
  const StoredTensorView& stored = found->second;
  return {.shape = stored.shape, .values = floats_of(stored)};
}

}  // namespace snellen::models
