// SPDX-License-Identifier: Apache-2.0
// Can the texts of a task alone tell which one is right (docs/audit.md)? Length, words, word order,
// a language model's likelihood, and a classifier of words that never saw the picture's other
// items.
#pragma once

#include <string>
#include <vector>

#include "snellen/audit/cue_table.h"
#include "snellen/run/engine/engine.h"
#include "snellen/run/plan.h"

namespace snellen::audit {

// An item that the leaking cues get right, or all cues where none leaks.
struct LeakyItem {
  std::string id = {};
  std::string part = {};
  std::string category = {};
  std::vector<Cue> cues = {};           // that get it right, in the direction in which they leak
  double lead = 0;                      // of the right text in the classifier
  std::vector<std::string> right = {};  // of its first choice
  std::vector<std::string> wrong = {};
};

struct AuditReport {
  std::string task = {};
  std::string model = {};  // whose likelihoods these are; empty without
  uint64_t num_items = 0;
  uint64_t num_bad = 0;       // records that cannot be read
  uint64_t num_left_out = 0;  // questions that are no choice between a few texts
  double confidence = 0.95;
  std::vector<CueRow> rows = {};  // all, then parts, then categories
  std::vector<WordOrderRow> word_order = {};
  std::vector<LeakyItem> items = {};  // the leakiest first
  std::vector<std::string> notes = {};

  bool has_alarm() const;
};

struct AuditOptions {
  uint64_t limit = 0;  // items per part; 0: all
  uint64_t seed = 0;
  double confidence = 0.95;
  size_t num_listed = 20;  // items
  // By number in the plan: how much of an item's choices the likelihood gets right; NaN: none.
  std::vector<float> likelihood = {};
  std::function<bool()> is_stopped = {};
};

// Goes through the items several times; memory grows with pictures and categories only. Throws
// kNothingScored where no item has a choice between texts.
AuditReport audit_items(const run::OpenTask& task, const AuditOptions& options);

// The one task that the settings name, with the likelihoods of their model where `has_model`.
// Throws kUsage for a model that looks at pictures.
AuditReport audit_task(const run::RunRequest& request, bool has_model, AuditOptions options);

// {"schema": 1, "task": .., "alarm": .., "cues": [..], "word_order": [..], "leakiest": [..]}
std::string audit_json(const AuditReport& report);

}  // namespace snellen::audit
