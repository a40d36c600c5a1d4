// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/sources.h"

#include "snellen/annotations/visdial/vector_cache.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::tasks::visdial_gen {
namespace {

namespace fs = std::filesystem;

void run_on_threads(size_t num_parts, const std::function<void(size_t)>& part) {
  ordered_pipeline<bool>(
      num_parts,
      static_cast<unsigned>(num_parts),
      [&](uint64_t i) { return part(i), true; },
      [](bool&&) {},
      [] { return false; });
}

}  // namespace

Sources::Sources(const Settings& settings, const text::StringSets& references) {
  if (settings.wants_cider) {
    cider_ = std::make_unique<metrics::CiderCorpus>(
        references,
        settings.cider,
        metrics::Parts{.num_parts = settings.num_threads, .run = run_on_threads});
  }
  if (settings.wants_meteor) {
    auto data = std::make_shared<const text::meteor::MeteorData>(
        text::meteor::load_meteor_data(settings.meteor));
    meteor_ = std::make_unique<metrics::meteor::SetScorer>(data, references, settings.is_compat);
  }
  if (settings.wants_bert) {
    vector_files_ = settings.bert_files;
    const fs::path& vectors = settings.bert_vectors;
    bert_table_ = std::make_unique<text::VectorTable>(
        vectors.empty() ? text::VectorTable(1) : annotations::read_vector_cache(vectors));
    bert_ = std::make_unique<text::CachedSentences>(*bert_table_, vectors.string());
  }
  open_word_vectors(settings, references);
}

void Sources::open_word_vectors(const Settings& settings, const text::StringSets& references) {
  words_ = annotations::open_word_vectors(settings.words);
  if (words_ == nullptr) return;
  vector_files_.push_back(settings.words.file());
  remembered_ = std::make_unique<text::CachingWordVectors>(*words_, references.pool());
  fasttext_ = std::make_unique<text::MeanOfWords>(*remembered_);
}

metrics::VisdialSources Sources::views() const {
  metrics::VisdialSources views{
      .cider = cider_.get(), .meteor = {}, .bert = bert_.get(), .fasttext = fasttext_.get()};
  if (meteor_ != nullptr) {
    views.meteor = [scorer = meteor_.get()](std::string_view generation, size_t set) {
      return scorer->score(generation, set);
    };
  }
  return views;
}

std::vector<std::filesystem::path> Sources::files() const {
  std::vector<std::filesystem::path> files = vector_files_;
  if (meteor_ == nullptr) return files;
  const text::meteor::DataFiles& tables = meteor_->data().files;
  for (const std::filesystem::path& path :
       {tables.paraphrase, tables.synsets, tables.exceptions, tables.jar}) {
    if (!path.empty()) files.push_back(path);
  }
  return files;
}

}  // namespace snellen::tasks::visdial_gen
