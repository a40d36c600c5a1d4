// SPDX-License-Identifier: Apache-2.0
// A run that several processes share. Rank 0 is the run: it alone opens the store, hands out items,
// records their samples, measures and writes. All ranks score, rank 0 on threads of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/dist/coordinator.h"
#include "snellen/dist/memory_link.h"
#include "snellen/dist/worker.h"
#include "snellen/models/model.h"
#include "snellen/run/plan.h"

namespace snellen::run {

// This process among those that share a run.
struct Ranks {
  dist::Link& link;
  std::string instruction_set;
  int gpu = -1;  // which one `--device cuda` means here; -1: the first
};

// What scoring needs; all of it must outlive its use.
struct RankWork {
  const Plan& plan;
  const std::vector<OpenTask>& tasks;
  models::Model& model;
  const RunSettings& settings;
};
dist::ScoreItems score_of_rank(const RankWork& work);

// What must be the same in all ranks, as they tell it each other: the identity of the run, the
// program, the instruction set.
std::string traits_of(const Ranks& ranks, const nlohmann::ordered_json& identity);

// Where rank 0 puts samples.
struct Recording {
  dist::TakeSamples take;
  std::function<void()> on_idle;
  std::function<void()> flush;  // called at the end, also after an error
};

// Rank 0's side of a shared run. The other ranks are sent home at the latest when it goes.
class RankZero {
 public:
  explicit RankZero(const Ranks& ranks);

  // Ranks with another identity are refused.
  void expect(const nlohmann::ordered_json& identity) { traits_ = traits_of(ranks_, identity); }
  // Returns when all chunks are recorded, or the run is stopped. Throws what a rank failed with,
  // naming it.
  void score(std::vector<dist::Items> chunks,
             const RankWork& work,
             const Recording& recording,
             const std::function<bool()>& is_stopped);
  // What a user should know about the sharing, and what the other ranks say of their work.
  std::vector<std::string> notes() const;

 private:
  const Ranks& ranks_;
  std::string traits_;
  dist::InMemoryRanks world_;
  std::unique_ptr<dist::Link> own_end_;  // rank 0's end towards its own worker
  dist::JoinedLink link_;
  dist::Coordinator coordinator_;
};

}  // namespace snellen::run
