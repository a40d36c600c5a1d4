// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "snellen/inference/backend.h"
#include "snellen/inference/feeds.h"
#include "snellen/inference/frontier.h"
#include "snellen/inference/rows/answer_store.h"
#include "snellen/inference/rows/plan_rows.h"
#include "snellen/inference/rows/row_store.h"
#include "snellen/inference/rows/uniform_rows.h"
#include "snellen/inference/table.h"
#include "snellen/models/observed.h"

namespace snellen::inference {

struct WorkCounts {
  uint64_t read = 0;           // picture files, each read and hashed once
  uint64_t decoded = 0;        // pictures and clips
  uint64_t transparent = 0;    // pictures with transparency, of those
  uint64_t visuals = 0;        // seen by the network
  uint64_t texts = 0;          // read by the network
  uint64_t pairs = 0;          // both together
  uint64_t same_content = 0;   // visuals whose bytes another one had already
  uint64_t splits = 0;         // batches that were halved for want of memory
  uint64_t known_visuals = 0;  // met in an earlier part of the asks
  uint64_t known_texts = 0;
  std::vector<std::string> truncated = {};  // the first texts that were too long
  uint64_t num_truncated = 0;

  WorkCounts& operator+=(const WorkCounts& more);
};

// The work of one plan: each unit is looked up, else computed, then kept; scores are made of what
// was kept. On the CPU the results are the same bytes whatever the store holds, because a row does
// not depend on what shares its batch; on a GPU a batch comes whole from the cache or is computed
// whole. What is given must outlive this.
class PlanWork {
 public:
  PlanWork(const Table& table, const NetworkParts& parts, const Backend& backend, RowStore& store);

  // From many threads at once.
  JobResult work(const Job& job);
  // In the order of the jobs, from one thread.
  void keep(JobResult&& done);

  // Why this model cannot be asked this at all; nothing for most.
  std::optional<Error> misfit(const models::Ask& ask, const Table::AskIds& ids) const;
  // What an ask needs: everything below these numbers. Known when what needs() named before was
  // kept: a visual with the bytes of another is answered by that one, which may come later.
  Frontier::Needs needs(const models::Ask& ask, const Table::AskIds& ids) const;
  // From many threads, when everything the ask needs was kept. A score that is not finite fails
  // its ask.
  Result<questions::Scores> score(const models::Ask& ask, const Table::AskIds& ids) const;
  WorkCounts counts() const;

  // Whether features() can be asked of a plan with this backend.
  static bool has_features(const Backend& backend);
  // Of the first question, when everything the ask needs was kept (models::Observed).
  Result<models::Features> features(const models::Ask& ask, const Table::AskIds& ids) const;

 private:
  using Origin = RowStore::Origin;
  // A visual or text of a job: what it is known by, and what is there of it.
  struct Wanted {
    std::optional<ContentKey> name = {};  // the text, or the path and what is shown of its file
    VisualFeed::Opened opened = {};       // of a visual
    bool is_new = true;                   // its name was not met in this process
    bool is_owner = true;                 // no other visual of the plan has its content
    Origin origin = Origin::kNone;        // where its row was found
    bool is_on_disk = false;              // the cache has its row, whether it is taken or not
    std::vector<float> row = {};
    std::optional<UniformRows::Key> uniform = {};  // its pixels are those of any other of this key
    bool takes_uniform_row = false;                // which was computed for another
    std::optional<Error> failure = {};

    bool is_open() const { return is_owner && origin == Origin::kNone && !failure; }
  };

  Wanted want_text(uint32_t id);
  Wanted want_visual(uint32_t id);
  void read(uint32_t id, Wanted& one);
  void fail(Wanted& one, const Error& error);
  void find_row(uint32_t id, Wanted& one);
  void take_whole_batches(std::vector<Wanted>& all) const;

  JobResult work_on_texts(const Job& job);
  struct OpenPrompts;
  void embed_prompts(OpenPrompts& open, std::vector<Wanted>& all, uint32_t first);
  void keep_text(uint32_t id, const Wanted& one, models::Matrix&& rows, JobResult& done);
  JobResult work_on_visuals(const Job& job);
  JobResult work_on_pairs(const Job& job);
  JobResult work_on_question(const Job& job);
  void ask_scores(uint32_t unit, Wanted& one, JobResult& done);
  void ask_answer(uint32_t unit, Wanted& one, JobResult& done);
  void note_frames(uint32_t visual, const media::FrameIndices& frames);
  std::vector<PixelBatch> batches_of(const Job& job, std::vector<Wanted>& all);
  void embed(PixelBatch& batch, std::vector<Wanted>& all, JobResult& done);
  void share_uniform_rows(std::vector<Wanted>& all, JobResult& done);
  void embed_places(const Job& job, std::vector<Wanted>& all, JobResult& done);
  models::WorkerQuestion shown_question(uint32_t visual, const Table::Asker& asker) const;
  void keep_visual_rows(std::vector<Wanted>& all, JobResult& done);
  bool take_pairs(uint32_t id, const ContentKey& content, JobResult& done);
  std::vector<float> match(const PixelBatch& batch, std::span<const uint32_t> texts);

  bool is_clip(uint32_t visual) const { return table_.is_clip(visual); }
  Unit visual_unit() const { return keeps_raw_ ? Unit::kRawVisual : Unit::kVisual; }
  Unit text_unit(uint32_t text) const {
    return has_direction(text) ? Unit::kEnsemble : Unit::kText;
  }
  // An ensemble of a model without directions is its only prompt.
  bool has_direction(uint32_t text) const { return keeps_raw_ && table_.is_ensemble(text); }
  bool find_frames(uint32_t visual, const ContentKey& content);
  void add_frames(const media::FrameIndices& frames, const ContentKey& content);
  ContentKey pair_key(const ContentKey& content, uint32_t text) const {
    return row_key(Unit::kPair, content, table_.text(text));
  }
  // Rows of a visual: one, or one for each frame of a clip.
  size_t rows_of(uint32_t visual) const;
  std::span<const float> row_of(uint32_t visual, size_t frame) const;
  media::FrameIndices frames_of(uint32_t visual) const;
  // A question of an ask, by number.
  struct Asked {
    const questions::Question& question;
    const Table::AskIds& ids;
    size_t number;
    uint32_t visual() const { return ids.visual(number); }
  };
  std::optional<Error> failure_of(const Asked& asked) const;
  // In the order of its texts.
  std::vector<double> scores_of(const Asked& asked) const;
  std::vector<double> masses_of(const Asked& asked) const;
  std::vector<double> score_rows(uint32_t visual, const Asked& asked) const;
  Result<models::Features> joint_features(uint32_t visual,
                                          const questions::Question& question,
                                          const Table::AskIds& ids) const;
  std::vector<double> score_clip(uint32_t visual, const Asked& asked) const;
  std::vector<double> score_pooled(uint32_t visual, const Asked& asked) const;
  Error moved(const Error& failure, uint32_t from, uint32_t to) const;

  const Table& table_;
  const NetworkParts& parts_;
  const Backend& backend_;
  const BackendTraits& traits_;
  RowStore& store_;
  std::unique_ptr<VisualFeed> visual_feed_;  // null for models of text alone
  mutable TokenFeed token_feed_;             // counts texts that are cut
  const models::Worker* worker_;
  const bool keeps_raw_;  // rows of visuals, for the directions of ensembles
  PlanRows visuals_;
  PlanRows texts_;
  std::vector<std::vector<double>> directions_;  // by text, of ensembles
  std::unique_ptr<MappedRows> pairs_;
  size_t floats_per_pair_ = 1;
  AnswerStore answers_;
  UniformRows uniform_rows_;
  mutable std::mutex mutex_;                              // guards the following
  std::map<uint32_t, media::FrameIndices> frames_shown_;  // by visual, to a worker
  size_t frames_per_row_ = 1;                             // rows of visuals have room for so many
  std::atomic<uint64_t> num_visuals_ = 0;
  std::atomic<uint64_t> num_texts_ = 0;
  std::atomic<uint64_t> num_pairs_ = 0;
  std::atomic<uint64_t> num_splits_ = 0;
  std::atomic<uint64_t> num_known_visuals_ = 0;
  std::atomic<uint64_t> num_known_texts_ = 0;
  std::atomic<uint64_t> num_same_content_ = 0;
};

}  // namespace snellen::inference
