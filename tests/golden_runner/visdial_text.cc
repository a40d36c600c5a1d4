// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/visdial_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/annotations/visdial/generations.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/metrics/text/cider.h"
#include "snellen/metrics/text/embedding_distance.h"
#include "snellen/metrics/text/visdial_metrics.h"
#include "snellen/text/characters.h"
#include "snellen/text/vectors/fasttext.h"
#include "snellen/text/vectors/word_vectors.h"
#include "snellen/text/words/number_words.h"
#include "snellen/text/words/treebank_join.h"
#include "tests/golden_runner/visdial_meteor.h"

namespace snellen::golden {
namespace {

using Texts = std::vector<std::string>;

Texts tokens_of(const Texts& sentences, text::Treebank version) {
  Texts all;
  for (const std::string& sentence : sentences) {
    for (std::string& token : text::treebank_tokens(sentence, version))
      all.push_back(std::move(token));
  }
  return all;
}

// Apostrophes out, numbers as words, lower case: what the CCA baseline does before it tokenises.
std::string cca_text_of(std::string text) {
  std::erase(text, '\'');
  return text::lower(text::replace_numbers(text));
}

std::string joined(const Texts& tokens, text::Treebank version) {
  return text::treebank_join_text(fmt::format("{}", fmt::join(tokens, " ")), version);
}

void check_string(const Json& one, Tally& tally) {
  Texts sentences = one["sentences"];
  tally.start(Json(sentences).dump());
  Texts tokens = tokens_of(sentences, text::Treebank::kNltk34);
  tally.same(tokens, one["tokens"], 0, "tokens");
  std::string prepared = joined(tokens, text::Treebank::kNltk34);
  tally.same(prepared, one["detok"], 0, "detok");
  Texts modern = tokens_of(sentences, text::Treebank::kModern);
  tally.same(joined(modern, text::Treebank::kModern), one["detok_modern"], 0, "detok_modern");
  if (one.contains("fasttext_words")) {
    tally.same(text::embedding_words(prepared), one["fasttext_words"], 0, "fasttext_words");
  }
  if (!one.contains("cca_text") || sentences.size() != 1) return;
  std::string cca = cca_text_of(sentences[0]);
  tally.same(cca, one["cca_text"], 0, "cca_text");
  tally.same(
      text::treebank_tokens(cca, text::Treebank::kNltk34), one["cca_tokens"], 0, "cca_tokens");
}

text::StringSets sets_of(const Json& references) {
  text::StringSets sets;
  for (const Json& set : references) {
    sets.start_set();
    for (const Json& text : set) sets.add(text.get<std::string>());
  }
  return sets;
}

std::vector<double> flat(const Json& vectors) {
  std::vector<double> all;
  for (const Json& vector : vectors) {
    for (const Json& x : vector) all.push_back(x);
  }
  return all;
}

void check_fasttext_file(const std::filesystem::path& path, const Json& json, Tally& tally) {
  tally.start(path.filename().string());
  text::FastText model(path);
  tally.same(model.dim(), json["dim"], 0, "dim");
  tally.same(model.num_buckets(), json["bucket"], 0, "bucket");
  tally.same(model.min_ngram(), json["minn"], 0, "minn");
  tally.same(model.max_ngram(), json["maxn"], 0, "maxn");
  tally.same(model.num_words(), json["nwords"], 0, "nwords");
  std::vector<double> vector(model.dim());
  for (const Json& one : json["words"]) {
    std::string word = one["word"];
    tally.same(model.contains(word), one["in_vocab"], 0, word + " in_vocab");
    Texts ngrams = model.ngrams(word);
    tally.same(ngrams, one["ngrams"], 0, word + " ngrams");
    std::vector<uint64_t> rows;
    for (const std::string& ngram : ngrams) rows.push_back(model.row_of_ngram(ngram));
    tally.same(rows, one["rows"], 0, word + " rows");
    model.read(word, vector);
    tally.same(vector, one["vector"], 1e-6, word + " vector");
  }
  for (const Json& one : json["sentences"]) {
    std::string text = one["text"];
    tally.same(text::embedding_words(text), one["words"], 0, text + " words");
    text::MeanOfWords(model).encode(text, vector);
    tally.same(vector, one["vector"], 1e-6, text + " vector");
  }
}

// Mean and spread of cider_1.. over entries, as the summary takes them.
Json cider_summary(const metrics::CiderCorpus& corpus,
                   const std::vector<metrics::VisdialEntry>& entries) {
  Texts columns;
  for (size_t n = 1; n <= corpus.options().n; ++n) columns.push_back(fmt::format("cider_{}", n));
  Json summary;
  for (const metrics::ColumnSummary& column : metrics::summarize(columns, entries).columns) {
    summary[column.name] = {{"mean", column.mean}, {"std", column.std}};
  }
  return summary;
}

struct RealGenerations {
  Texts in_file_order;
  Texts in_key_order;
};

RealGenerations read_real(const std::filesystem::path& path) {
  annotations::Generations generations(path);
  RealGenerations real;
  for (size_t i = 0; i < generations.size(); ++i)
    real.in_file_order.push_back(generations.texts(i).at(0));
  for (const annotations::KeyedEntry& entry : generations.entries()) {
    real.in_key_order.push_back(real.in_file_order[entry.entry]);
  }
  return real;
}

std::string hash_of_lines(const Texts& texts) {
  Sha256 hash;
  for (const std::string& text : texts) {
    hash.add(text);
    hash.add("\n");
  }
  return hash.hex();
}

// The references of entry i are the generations of entries i+1, i+7, i+13 in key order, around the
// end.
text::StringSets pseudo_references(const Texts& in_key_order) {
  text::StringSets sets;
  for (size_t i = 0; i < in_key_order.size(); ++i) {
    sets.start_set();
    for (size_t step : {1, 7, 13}) sets.add(in_key_order[(i + step) % in_key_order.size()]);
  }
  return sets;
}

}  // namespace

void check_preprocess(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["strings"]) check_string(one, tally);
  for (const Json& one : json["numbers"]) {
    std::string digits = one["digits"];
    tally.start("number " + digits);
    tally.same(text::number_words(digits), one["words"], 0, "words");
    tally.same(text::replace_numbers(digits), one["replaced"], 0, "replaced");
  }
}

void check_cider(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(one["name"]);
    text::StringSets sets = sets_of(one["references"]);
    metrics::CiderCorpus corpus(sets, {.n = one["n"].get<size_t>()});
    // The texts of this vector are prepared already.
    metrics::VisdialSettings settings{.preprocess = text::Preprocess::kNone};
    metrics::VisdialMetrics scorer(sets, {.cider = &corpus, .meteor = {}}, settings);
    const Json& expected = one["expected"];
    std::vector<metrics::VisdialEntry> entries;
    for (size_t i = 0; i < sets.size(); ++i) {
      Texts generations = one["generations"][i];
      for (size_t j = 0; j < generations.size(); ++j) {
        const Json& want = expected["per_generation"][i][j];
        if (want.is_null()) continue;
        tally.same(corpus.score(generations[j], i),
                   want,
                   1e-9,
                   fmt::format("per_generation[{}][{}]", i, j));
      }
      entries.push_back(scorer.evaluate(i, generations));
      tally.same(
          entries.back().values, expected["per_entry"][i], 1e-9, fmt::format("per_entry[{}]", i));
    }
    metrics::VisdialSummary summary = metrics::summarize(scorer.columns(), entries);
    tally.same(summary.num_empty, expected["empty"], 0, "empty");
    for (size_t k = 0; k < summary.columns.size(); ++k) {
      tally.near(summary.columns[k].mean, expected["mean"][k], 1e-9, "mean");
      tally.near(summary.columns[k].std, expected["std"][k], 1e-9, "std");
    }
  }
}

void check_gens(const Context& context, Tally& tally) {
  Json json = context.json();
  std::filesystem::path path = context.find_data("visdial/gens.json");
  if (path.empty()) {
    tally.skip("visdial/gens.json is not in the data folder");
    return;
  }
  tally.start("preprocessing of the real generations");
  tally.same(sha256_of_file(path), json["gens_json_sha256"], 0, "gens_json_sha256");
  RealGenerations real = read_real(path);
  Texts prepared;
  size_t num_changed = 0;
  for (const std::string& text : real.in_file_order) {
    prepared.push_back(text::prepare_generation(text, text::Preprocess::kNltk34));
    num_changed += prepared.back() != text;
  }
  tally.same(real.in_file_order.size(), json["entries"], 0, "entries");
  std::set<std::string> distinct(real.in_file_order.begin(), real.in_file_order.end());
  tally.same(distinct.size(), json["distinct_strings"], 0, "distinct_strings");
  tally.same(num_changed, json["changed_by_preprocessing"], 0, "changed_by_preprocessing");
  tally.same(hash_of_lines(real.in_file_order), json["sha256_raw"], 0, "sha256_raw");
  tally.same(hash_of_lines(prepared), json["sha256_preprocessed"], 0, "sha256_preprocessed");

  tally.start("CIDEr of the real generations");
  text::StringSets sets = pseudo_references(real.in_key_order);
  metrics::CiderCorpus corpus(sets, {.n = json["cider"].size()});
  metrics::VisdialMetrics scorer(sets, {.cider = &corpus, .meteor = {}}, {});
  std::vector<metrics::VisdialEntry> entries;
  for (size_t i = 0; i < sets.size(); ++i)
    entries.push_back(scorer.evaluate(i, std::span(&real.in_key_order[i], 1)));
  tally.same(cider_summary(corpus, entries), json["cider"], 1e-9, "cider");
  check_gens_meteor(json, context, tally);
}

void check_embedding(const Context& context, Tally& tally) {
  Json json = context.json();
  for (size_t i = 0; i < json["cases"].size(); ++i) {
    tally.start(fmt::format("case {}", i));
    const Json& one = json["cases"][i];
    const Json& expected = one["expected"];
    std::vector<double> references = flat(one["references"]);
    double l2 = 0;
    double cs = 0;
    size_t num_generations = one["generations"].size();
    for (size_t g = 0; g < num_generations; ++g) {
      std::vector<double> generation = one["generations"][g];
      for (size_t r = 0; r < one["references"].size(); ++r) {
        std::vector<double> reference = one["references"][r];
        tally.near(metrics::shifted_l2(reference, generation),
                   expected["per_pair_l2"][g][r],
                   1e-9,
                   "per_pair_l2");
        tally.near(metrics::floored_cosine(reference, generation),
                   expected["per_pair_cs"][g][r],
                   1e-9,
                   "per_pair_cs");
      }
      metrics::EmbeddingDistance distance = metrics::embedding_distance(generation, references);
      tally.near(distance.l2, expected["per_generation"][g]["l2"], 1e-9, "per_generation l2");
      tally.near(distance.cs, expected["per_generation"][g]["cs"], 1e-9, "per_generation cs");
      l2 += distance.l2 / static_cast<double>(num_generations);
      cs += distance.cs / static_cast<double>(num_generations);
    }
    tally.near(l2, expected["entry"]["l2"], 1e-9, "entry l2");
    tally.near(cs, expected["entry"]["cs"], 1e-9, "entry cs");
  }
}

void check_fasttext(const Context& context, Tally& tally) {
  Json json = context.json();
  tally.start("hashes");
  for (const Json& one : json["hashes"]) {
    tally.same(text::FastText::hash(one["ngram"].get<std::string>()),
               one["fnv"],
               0,
               one["ngram"].get<std::string>());
  }
  for (const Json& one : json["files"]) {
    // "name (what it is)"
    std::string name = one;
    check_fasttext_file(context.kind / name.substr(0, name.find(' ')), json, tally);
  }
}

}  // namespace snellen::golden
