// SPDX-License-Identifier: Apache-2.0
// The run folders that a viewer shows: found below the folders it was given, and opened when asked.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/viewer/viewed_run.h"

namespace snellen::viewer {

// Safe from many threads.
class RunShelf {
 public:
  // `index_folder` keeps the indexes of large runs; empty: they are made anew every time.
  RunShelf(std::vector<std::filesystem::path> places, std::filesystem::path index_folder);

  // All runs with their headline metrics; a damaged one with what is missing. The rungs of a
  // control (RUN/control/NAME) are named with their run and not listed on their own.
  nlohmann::ordered_json list();
  // One of them, or of their rungs. Throws kNotFound.
  nlohmann::ordered_json summary(const std::string& id);
  // By the id that list() gives. Throws kNotFound: no path of a request is ever opened.
  std::shared_ptr<ViewedRun> run(const std::string& id);
  // Those whose runs are of the same model as `run`, by id.
  std::vector<std::string> ids_of_model(const std::string& model);
  std::filesystem::path folder(const std::string& id);
  // The ids of the places, where each of them is itself a run; else none.
  std::vector<std::string> named();
  const std::vector<std::filesystem::path>& places() const { return places_; }
  // The run whose rung this is, or itself; and its rungs.
  struct Family {
    std::string clean;
    std::vector<std::string> rungs;
  };
  Family family_of(const std::string& id);

 private:
  struct Known {
    std::filesystem::path folder;
    std::string clean = {};  // of a rung: the id of its run
    std::vector<std::string> rungs = {};
    std::string version = {};  // of its files, when the summary was made
    nlohmann::ordered_json summary = {};
    std::shared_ptr<ViewedRun> open = nullptr;
  };

  void look_again();  // with mutex_ held
  nlohmann::ordered_json summary_of(const std::string& id, Known& known);

  const std::vector<std::filesystem::path> places_;
  const std::filesystem::path index_folder_;
  std::mutex mutex_;  // guards all below
  std::map<std::string, Known> runs_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace snellen::viewer
