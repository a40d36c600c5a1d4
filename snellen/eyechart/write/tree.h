// SPDX-License-Identifier: Apache-2.0
// The whole world as a folder that mirrors the published data sets (docs/data.md, "The eyechart").
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/file_lock.h"
#include "snellen/eyechart/world/contrast_items.h"
#include "snellen/eyechart/world/dialog.h"
#include "snellen/eyechart/write/json_stream.h"
#include "snellen/eyechart/write/tree_plan.h"
#include "snellen/eyechart/write/visdial_file.h"

namespace snellen::eyechart {

// Steps that any thread may make in any order, and results that are taken in order. Everything is
// drawn from the seed and the step, so files are the same whatever the threads, and a step that is
// made again writes the same bytes.
class Tree {
 public:
  struct Row {
    std::string file;
    std::string text;
  };
  struct Made {
    std::vector<Row> rows;
    std::optional<Dialog> dialog;
    uint64_t scene_id = 0;
    uint64_t num_files = 0;
  };

  // Makes the folders, locks the tree and removes what a killed run left half written. Throws kIo,
  // kBusy when another process writes there, and kInvalidInput for a folder that holds another
  // world.
  Tree(std::filesystem::path out, uint64_t seed, const TreeSize& size);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  uint64_t num_steps() const;
  // Writes the pictures and clips of a step. Safe from many threads.
  Made make(uint64_t step) const;
  // On one thread, in order.
  void take(Made&& made);
  // After all steps: closes the annotation files and writes those that need no step.
  void finish();
  uint64_t num_files() const { return num_files_; }

 private:
  Made make_scene(uint64_t id) const;
  Made make_backdrop(uint64_t index) const;
  Made make_clip(uint64_t index) const;
  Made make_bias_picture(uint64_t index) const;
  Made make_contrast(const ContrastTask& task, uint64_t index) const;
  uint64_t rank_in_source(uint64_t id) const;
  void open_streams();
  void write_fixed_files();
  void write_splits();
  void write_contrasts(const ContrastTask& task, uint64_t num_pairs);
  void write_counting_sources();
  void write_rare_sources();

  std::filesystem::path out_;
  std::optional<FileLock> lock_;
  uint64_t seed_;
  TreeSize size_;
  std::map<std::string, std::unique_ptr<JsonStream>> streams_;
  std::unique_ptr<VisdialFiles> train_dialogs_;
  std::unique_ptr<VisdialFiles> val_dialogs_;
  uint64_t num_files_ = 0;
};

}  // namespace snellen::eyechart
