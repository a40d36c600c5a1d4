// SPDX-License-Identifier: Apache-2.0
// What the models of a sweep score: each is asked the same, and every picture is read once for all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/run/networks.h"
#include "apps/cli/train/probe_flags.h"
#include "snellen/report/alpha_curve.h"
#include "snellen/training/probes/probe_set.h"

namespace snellen::cli {

class PatchCurve {
 public:
  // Asks the original at once: it is the row of alpha 0. Throws kUsage when --best-of names no
  // probe.
  PatchCurve(const Context& context,
             const training::PatchSettings& flags,
             const std::filesystem::path& original);
  ~PatchCurve();
  PatchCurve(const PatchCurve&) = delete;
  PatchCurve& operator=(const PatchCurve&) = delete;

  // The folder's scores become the row of this alpha; 0 is the original's, which is a copy.
  void ask(double alpha, const std::filesystem::path& folder);

  // Writes curve.json and curve.svg below `output`, whole, and prints the table unless --json wants
  // what is returned: the content of curve.json. `tuned` is named in it.
  std::string finish(const std::filesystem::path& output, const std::string& tuned);
  // Questions that could not be asked of some model.
  uint64_t num_failed() const { return num_failed_; }

 private:
  struct Opened;
  std::vector<metrics::Measurement> scores_of(const std::filesystem::path& folder,
                                              const models::Network& network);
  void make_set();
  void check_best_of() const;

  const Context& context_;
  const training::PatchSettings& flags_;
  std::filesystem::path original_;
  std::unique_ptr<Opened> opened_;
  std::unique_ptr<const training::ProbeSet> probes_;
  std::vector<report::AlphaRow> rows_;
  uint64_t num_failed_ = 0;
};

}  // namespace snellen::cli
