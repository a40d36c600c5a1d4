// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "snellen/metrics/text/meteor/set_scorer.h"
#include "snellen/metrics/text/visdial_metrics.h"
#include "snellen/tasks/visdial_gen/settings.h"

namespace snellen::tasks::visdial_gen {

// Everything the metrics are made from: frequencies of the references, METEOR's tables, vectors.
// What is switched off is neither opened nor built. Const methods are safe from many threads.
class Sources {
 public:
  // Throws kNotFound or kInvalidInput for files that cannot be used. `references` must outlive
  // this.
  Sources(const Settings& settings, const text::StringSets& references);

  // Views of what this holds.
  metrics::VisdialSources views() const;
  // The files that were used, for the stamp.
  std::vector<std::filesystem::path> files() const;
  // Null when METEOR is off.
  const text::meteor::MeteorData* meteor_data() const {
    return meteor_ == nullptr ? nullptr : &meteor_->data();
  }

 private:
  void open_word_vectors(const Settings& settings, const text::StringSets& references);

  std::unique_ptr<metrics::CiderCorpus> cider_;
  std::unique_ptr<metrics::meteor::SetScorer> meteor_;
  std::unique_ptr<text::VectorTable> bert_table_;
  std::unique_ptr<text::CachedSentences> bert_;
  std::unique_ptr<text::WordVectors> words_;
  std::unique_ptr<text::CachingWordVectors> remembered_;
  std::unique_ptr<text::MeanOfWords> fasttext_;
  std::vector<std::filesystem::path> vector_files_;
};

}  // namespace snellen::tasks::visdial_gen
