// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/formats/json_elements.h"
#include "snellen/text/string_pool.h"

namespace snellen::annotations {

// One question of a dialog. Numbers are ids in the pools of its file.
struct DialogRound {
  uint32_t question = 0;
  std::optional<uint32_t> answer;  // the recorded one; none in the last round of the test split
  std::optional<uint32_t> given;   // its place among the candidates
  bool has_candidates = false;
};

// The dialogs of VisDial 0.9 or 1.0 (docs/spec/visdial.md 2.3). Every dialog is checked when the
// file is opened; kept are the texts, each once, and a few numbers per round. The candidates stay
// in the file and are read when they are asked for. Const methods are safe from many threads.
class DialogFile {
 public:
  // Throws kNotFound, or kInvalidInput as "file: entry K: reason" for the first dialog that is
  // wrong, counted from 0.
  explicit DialogFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return dialogs_.path(); }
  const std::string& version() const { return version_; }
  const std::string& split() const { return split_; }
  const text::StringPool& questions() const { return questions_; }
  const text::StringPool& answers() const { return answers_; }

  size_t num_dialogs() const { return image_ids_.size(); }
  int64_t image_id(size_t dialog) const { return image_ids_[dialog]; }
  std::string caption(size_t dialog) const;

  // Rounds are numbered over all dialogs, in file order.
  size_t num_rounds() const { return rounds_.size(); }
  const DialogRound& round(size_t round) const { return rounds_[round]; }
  size_t first_round(size_t dialog) const { return first_rounds_[dialog]; }
  size_t dialog_of(size_t round) const;
  DialogKey key(size_t round) const;

  // Candidates of a dialog's rounds: ids of answers, 100 of them, or none where a round has none.
  std::vector<std::vector<uint32_t>> candidates(size_t dialog) const;

  // As the publishers name the picture: VisualDialog_val2018_000000123456.jpg, COCO_train2014_...
  std::string image_name(size_t dialog) const;

 private:
  struct Texts {
    text::StringPool pool;
    std::vector<uint32_t> ids;  // by place in the file's list
  };
  static Texts read_texts(const std::filesystem::path& path, const char* key);
  void read_header();
  void read_dialog(size_t dialog);
  // Checks that a dialog's number is a place in the list, and gives the id of its text.
  uint32_t id_at(std::span<const uint32_t> ids,
                 int64_t place,
                 size_t dialog,
                 const char* key) const;

  formats::JsonElements dialogs_;
  std::string version_;
  std::string split_;
  text::StringPool questions_;
  text::StringPool answers_;
  std::vector<uint32_t> question_ids_;
  std::vector<uint32_t> answer_ids_;
  std::vector<int64_t> image_ids_;
  std::vector<size_t> first_rounds_;  // one more than dialogs
  std::vector<DialogRound> rounds_;
};

}  // namespace snellen::annotations
