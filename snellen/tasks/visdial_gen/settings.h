// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/annotations/visdial/word_vector_file.h"
#include "snellen/config/options.h"
#include "snellen/metrics/text/cider.h"
#include "snellen/text/meteor/meteor_data.h"
#include "snellen/text/words/treebank.h"

namespace snellen::tasks::visdial_gen {

// The settings of an evaluation, typed; checked once here.
struct Settings {
  std::filesystem::path generations;  // empty where a model is asked
  std::filesystem::path references;
  std::filesystem::path dialogs;  // where a model is asked
  std::filesystem::path images;
  size_t num_answers = 1;  // that it is asked for
  bool wants_cider = false;
  bool wants_meteor = false;
  metrics::CiderOptions cider;
  text::meteor::DataPlaces meteor;
  bool wants_bert = false;
  std::filesystem::path bert_vectors;             // empty: those of a model that is not asked now
  std::vector<std::filesystem::path> bert_files;  // what the vectors come from
  annotations::WordVectorPlaces words;            // none: FastText metrics are off
  text::Preprocess preprocess = text::Preprocess::kNltk34;
  bool is_strict = false;
  bool is_compat = false;
  bool names_meteor_jar = false;  // which is not used
  unsigned num_threads = 1;
};

// What the user sets: ours, and the spellings of the published evaluate.py.
struct VisdialSettings {
  std::filesystem::path generations = "generations.json";
  std::filesystem::path references = "densevisdial/refs_S_val.json";
  std::filesystem::path dialogs;
  size_t num_answers = 1;
  size_t n = 4;
  std::vector<std::string> metrics;
  metrics::CiderVariant variant = metrics::CiderVariant::kPlain;
  std::string preprocess = "nltk34";
  std::filesystem::path bert_cache;
  std::filesystem::path bert_model;
  std::filesystem::path fasttext;
  std::filesystem::path word_vectors;
  bool has_no_overlap = false;
  bool has_no_embedding = false;
  bool has_no_meteor = false;
  bool has_no_bert = false;
  bool has_no_fasttext = false;
  bool is_strict = false;
  std::filesystem::path meteor_data;
  std::filesystem::path meteor_paraphrase;
  std::filesystem::path meteor_jar;  // ignored, with a note
  std::filesystem::path wordnet;
  std::filesystem::path cache;
};
config::Block settings_block();

// The vectors that --bert-model gives, computed before the task is opened. A block of no options,
// so that a stamp names the model's files alone; where it is absent (`verify`) nothing is scored.
struct ComputedVectors {
  std::filesystem::path vectors;
  std::vector<std::filesystem::path> model_files;
};

// Throws kUsage for settings that do not fit each other: a metric asked for without its file, two
// sources of word vectors, no metric at all.
Settings settings_of(const config::Options& options, bool is_compat);

}  // namespace snellen::tasks::visdial_gen
