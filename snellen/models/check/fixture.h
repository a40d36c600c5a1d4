// SPDX-License-Identifier: Apache-2.0
// The known answers that lie beside the weights of a fixture folder (docs/spec/models.md 6).
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/models/checkpoint/tensor_view.h"
#include "snellen/models/network.h"

namespace snellen::models {

// A tensor widened to float.
struct FloatTensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

struct FixtureStage {
  enum class Compare { kExact, kAbsolute, kRelative };
  std::string name;  // `*` runs over the pictures: "image.*.pixels"
  Compare compare = Compare::kRelative;
  double tolerance = 1e-4;
  double strict = 2e-5;
};

struct FixtureImage {
  std::vector<std::filesystem::path> files;  // one picture, or the frames of a clip
};

class Fixture {
 public:
  // Throws kNotFound when the folder has none, kInvalidInput for a damaged one.
  explicit Fixture(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& arch() const { return arch_; }
  const std::string& kind() const { return kind_; }  // dual pair pair_lm lm encoder video tokens
  const std::vector<FixtureStage>& stages() const { return stages_; }
  const std::vector<std::string>& texts() const { return texts_; }
  const std::vector<TokenIds>& tokens() const { return tokens_; }
  int64_t max_text_length() const { return max_text_length_; }
  // Which texts the rows of lm.* are; all of them when the fixture names none.
  const std::vector<size_t>& language_texts() const { return language_texts_; }
  const std::vector<FixtureImage>& images() const { return images_; }
  bool has_clips() const { return has_clips_; }
  // Of the Pillow that made the pixels: 13 resizes in another order than those before it.
  int pillow_major() const { return pillow_major_; }

  bool has(std::string_view tensor) const;
  // Throws kInvalidInput when absent.
  FloatTensor tensor(std::string_view name) const;

 private:
  void read_json(const nlohmann::json& json);

  std::filesystem::path folder_;
  std::string arch_;
  std::string kind_;
  std::vector<FixtureStage> stages_;
  std::vector<std::string> texts_;
  std::vector<TokenIds> tokens_;
  int64_t max_text_length_ = 0;
  std::vector<size_t> language_texts_;
  std::vector<FixtureImage> images_;
  bool has_clips_ = false;
  int pillow_major_ = 13;
  std::vector<MappedFile> file_;  // none for a fixture of tokens alone
  std::map<std::string, StoredTensorView, std::less<>> tensors_;
};

}  // namespace snellen::models
