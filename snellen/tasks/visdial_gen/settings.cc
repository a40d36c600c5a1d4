// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/settings.h"
#include "snellen/tasks/shared_settings.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::tasks::visdial_gen {
namespace {

namespace fs = std::filesystem;

// What is asked for: by name, or else everything whose files are there; then less what is off.
bool is_on(const VisdialSettings& settings,
           std::string_view metric,
           bool has_source,
           bool is_family_off,
           bool is_off) {
  if (is_family_off || is_off) return false;
  const std::vector<std::string>& names = settings.metrics;
  return names.empty() ? has_source : std::find(names.begin(), names.end(), metric) != names.end();
}

void require_source(bool is_wanted, bool has_source, const char* flag) {
  if (!is_wanted || has_source) return;
  throw Error{ErrorCode::kUsage,
              "the metric is asked for, but its vectors are not named",
              flag,
              fmt::format("name a file with {}, or leave the metric out of --metrics", flag)};
}

}  // namespace

config::Block settings_block() {
  using config::option;
  using metrics::CiderVariant;
  using S = VisdialSettings;
  auto place = [](fs::path S::*member, const char* name, const char* help) {
    return option(member, name, help).identity(false).value("PATH");
  };
  return {
      S{},
      {place(&S::generations, "generations", "the generated answers"),
       place(&S::references, "references", "the reference sets"),
       place(&S::dialogs, "dialogs", "with `run`: the dialogs that a model is asked about"),
       option(&S::num_answers, "k", "with `run`: answers per question")
           .range(1, 1000)
           .omit_default(),
       option(&S::n, "n", "longest n-gram of CIDEr").range(1, 64),
       option(&S::metrics,
              "metrics",
              "only these metrics (default: cider, meteor, and those whose vectors are named)")
           .choices({"cider", "meteor", "bert", "fasttext"}),
       option(&S::variant,
              "cider-variant",
              "plain as published; d: CIDEr-D of captioning toolkits",
              {{"plain", CiderVariant::kPlain}, {"d", CiderVariant::kD}}),
       option(&S::preprocess, "preprocess", "how generations are prepared; references never are")
           .choices({"nltk34", "modern", "none"}),
       place(&S::bert_cache,
             "bert-cache",
             "sentence vectors {\"dim\", \"vectors\": {text: [numbers]}}"),
       place(&S::bert_model, "bert-model", "folder of a BERT that computes them here"),
       place(&S::fasttext, "fasttext", "fastText model, .bin").alias("fast_text_model"),
       place(&S::word_vectors,
             "word-vectors",
             "table {\"dim\", \"vectors\": {word: [numbers]}} instead of a fastText model"),
       option(&S::has_no_overlap, "no-overlap", "neither CIDEr nor METEOR"),
       option(&S::has_no_embedding, "no-embedding", "neither BERT nor FastText"),
       option(&S::has_no_meteor, "no-meteor", "no METEOR"),
       option(&S::has_no_bert, "no-bert", "no BERT"),
       option(&S::has_no_fasttext, "no-fasttext", "no FastText"),
       option(&S::is_strict, "strict", "an entry without any answer is an error"),
       place(&S::meteor_data,
             "meteor-data",
             "folder of METEOR's tables (default: $SNELLEN_METEOR_DATA)"),
       place(&S::meteor_paraphrase, "meteor-paraphrase", "METEOR's paraphrase-en.gz"),
       place(&S::meteor_jar, "meteor-jar", "ignored: METEOR 1.5 is computed here, without Java"),
       place(&S::wordnet, "wordnet", "WordNet's folder, used where METEOR's synsets are missing"),
       place(&S::cache, "cache-dir", "folder for prepared tables (default: ~/.cache/snellen)")}};
}

namespace {

// Where the generations come from: a file for `score`, a model for `run`.
void set_source(const config::Options& options, Settings& settings) {
  const auto& given = options.get<VisdialSettings>();
  const auto& shared = options.get<SharedSettings>();
  if (shared.adapter == "given") {
    settings.generations = given.generations;
    return;
  }
  if (options.is_set("generations"))
    throw Error{ErrorCode::kUsage,
                "generations are read by `score`",
                "--generations",
                "leave it out, or use `snellen score visdial-gen`"};
  if (given.dialogs.empty())
    throw Error{ErrorCode::kUsage,
                "no dialogs are named",
                "--dialogs",
                "for example visdial_1.0_val.json; `snellen score visdial-gen` reads generations"};
  if (!given.bert_model.empty() || !given.bert_cache.empty())
    throw Error{ErrorCode::kUsage,
                "BERT's vectors are made from answers that are known",
                "--bert-model",
                "score the run's gens.json afterwards: `snellen score visdial-gen --generations "
                "RUN/gens.json --bert-model DIR`"};
  settings.dialogs = given.dialogs;
  settings.images = shared.images;
  settings.num_answers = given.num_answers;
}

void set_bert(const config::Options& options, Settings& settings) {
  settings.wants_bert = true;
  const auto& given = options.get<VisdialSettings>();
  if (!given.bert_cache.empty()) {
    settings.bert_vectors = given.bert_cache;
    settings.bert_files = {given.bert_cache};
  } else if (const auto* computed = options.get_if<ComputedVectors>()) {
    settings.bert_vectors = computed->vectors;
    settings.bert_files = computed->model_files;
  }
}

}  // namespace

Settings settings_of(const config::Options& options, bool is_compat) {
  const auto& given = options.get<VisdialSettings>();
  Settings settings;
  set_source(options, settings);
  settings.references = given.references;
  settings.cider = {.n = given.n, .variant = given.variant};
  settings.wants_cider = is_on(given, "cider", true, given.has_no_overlap, false);
  settings.wants_meteor = is_on(given, "meteor", true, given.has_no_overlap, given.has_no_meteor);
  settings.meteor.paraphrase_file = given.meteor_paraphrase;
  settings.meteor.named_folder = given.meteor_data;
  settings.meteor.wordnet_folder = given.wordnet;
  settings.meteor.cache_folder = given.cache;
  settings.names_meteor_jar = !given.meteor_jar.empty();
  const bool has_bert = !given.bert_cache.empty() || !given.bert_model.empty();
  const bool has_words = !given.fasttext.empty() || !given.word_vectors.empty();
  const bool wants_bert = is_on(given, "bert", has_bert, given.has_no_embedding, given.has_no_bert);
  const bool wants_words =
      is_on(given, "fasttext", has_words, given.has_no_embedding, given.has_no_fasttext);
  require_source(wants_bert, has_bert, "--bert-cache");
  require_source(wants_words, has_words, "--fasttext");
  if (wants_bert) set_bert(options, settings);
  if (wants_words) settings.words = {given.fasttext, given.word_vectors};
  if (!settings.wants_cider && !settings.wants_meteor && !wants_bert && !wants_words)
    throw Error{ErrorCode::kUsage, "every metric is switched off", "--metrics"};
  settings.preprocess = text::preprocess_of(given.preprocess);
  settings.is_strict = given.is_strict;
  settings.is_compat = is_compat;
  const unsigned threads = options.get<SharedSettings>().num_workers;
  settings.num_threads = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  return settings;
}

}  // namespace snellen::tasks::visdial_gen
