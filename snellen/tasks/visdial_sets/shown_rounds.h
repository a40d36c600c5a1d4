// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <unordered_map>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/item.h"

namespace snellen::tasks::visdial_sets {

// What a round was about, for people who look at its sets. Const methods are safe from many
// threads.
class ShownRounds {
 public:
  ShownRounds(const std::filesystem::path& dialogs, const std::filesystem::path& images);

  // Gives the item its picture, and as texts the question and the candidates in their order. Left
  // as it is where the dialogs have no such round.
  void show(const annotations::DialogKey& key, Item& item) const;
  bool has(const annotations::DialogKey& key) const;

 private:
  annotations::DialogFile dialogs_;
  ImageFolder images_;
  std::unordered_map<int64_t, size_t> dialog_of_;  // by image
};

}  // namespace snellen::tasks::visdial_sets
