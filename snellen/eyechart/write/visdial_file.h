// SPDX-License-Identifier: Apache-2.0
// Dialogs as VisDial v1.0 writes them, with dense annotations and reference sets
// (docs/spec/visdial.md 2.2 to 2.4).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/eyechart/world/dialog.h"
#include "snellen/eyechart/write/json_stream.h"

namespace snellen::eyechart {

// The three files of one split. Dialogs are streamed; questions and answers, which come from a
// small vocabulary, follow them. One thread at a time.
class VisdialFiles {
 public:
  // `split` is "train" or "val"; val's dense key is "gt_relevance", train's "relevance", as
  // published.
  VisdialFiles(const std::filesystem::path& folder, const std::string& split);

  void add(uint64_t image_id, const Dialog& dialog);
  void finish();

  // "VisualDialog_val2018_000000000042.jpg".
  static std::string picture_name(const std::string& split, uint64_t image_id);

 private:
  size_t index_of(const std::string& text,
                  std::map<std::string, size_t>& places,
                  std::vector<std::string>& texts);
  void add_dense(uint64_t image_id, size_t round_id, const Round& round);

  std::string split_;
  JsonStream dialogs_;
  JsonStream dense_;
  JsonStream references_;
  std::map<std::string, size_t> question_places_;
  std::map<std::string, size_t> answer_places_;
  std::vector<std::string> questions_;
  std::vector<std::string> answers_;
};

}  // namespace snellen::eyechart
