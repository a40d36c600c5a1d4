// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "snellen/config/options.h"
#include "snellen/dist/group.h"
#include "snellen/run/engine/engine.h"
#include "snellen/run/ranks/ranks.h"

namespace snellen::cli {

// The processes of mpirun or srun that share a run; none when --mpi says so or there is one.
class RankSession {
 public:
  // Joins them, and gives this one its share of the machine's cores unless --num-workers says
  // otherwise. Throws kUsage when this build cannot.
  explicit RankSession(config::Options& options);
  // Leaves them. Ranks that do not come in time are ended by their launcher, since this one ends
  // without MPI's farewell.
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

  // Null for a process on its own.
  const run::Ranks* ranks() const { return ranks_ ? &*ranks_ : nullptr; }
  bool is_helper() const { return ranks_ && ranks_->link.rank() > 0; }
  // Throws kUsage when there are several: what they cannot share.
  void expect_alone(const char* what, const char* where, const char* hint) const;
  // How the run ended: a finished one waits for ranks that still open their model, a stopped one
  // has no time.
  void set_end(run::Verdict verdict);

 private:
  std::unique_ptr<dist::Group> group_;
  std::optional<run::Ranks> ranks_;
  double seconds_to_leave_;
};

}  // namespace snellen::cli
