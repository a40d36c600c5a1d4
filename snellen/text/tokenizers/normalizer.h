// SPDX-License-Identifier: Apache-2.0
// The first step of tokenisation: text in, cleaned text out, by the published normalizers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace snellen::text {

// Unicode normalisation of Unicode 9, the version the `tokenizers` library carries: characters that
// came later stay as they are.
enum class NormalForm { kNfc, kNfd, kNfkc, kNfkd };

struct Lowercase {};       // character by character; a capital sigma is always U+03C3
struct StripAccents {};    // drops combining marks
struct CollapseSpaces {};  // Replace of the regular expression \s+ by a space
struct ReplaceText {
  std::string from;  // not empty
  std::string to;
};
struct StripSpaces {
  bool left = true;
  bool right = true;
};
struct PrependText {
  std::string text;  // before any text that is not empty
};
struct BertClean {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  std::optional<bool> strip_accents;  // as `lowercase` when not set
  bool lowercase = true;
};

using NormalizerStep = std::variant<NormalForm,
                                    Lowercase,
                                    StripAccents,
                                    CollapseSpaces,
                                    ReplaceText,
                                    StripSpaces,
                                    PrependText,
                                    BertClean>;

class Normalizer {
 public:
  Normalizer() = default;
  explicit Normalizer(std::vector<NormalizerStep> steps) : steps_(std::move(steps)) {}

  bool is_empty() const { return steps_.empty(); }
  const std::vector<NormalizerStep>& steps() const { return steps_; }
  // Well-formed UTF-8 in and out. Const and safe from many threads.
  std::string normalize(std::string_view text) const;

 private:
  std::vector<NormalizerStep> steps_;
};

}  // namespace snellen::text
