// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/text_vectors.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "snellen/annotations/visdial/generations.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/inference/session.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"
#include "snellen/models/network_module.h"
#include "snellen/run/catalogue.h"
#include "snellen/tasks/visdial_gen/settings.h"
#include "snellen/text/string_pool.h"
#include "snellen/text/words/treebank.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using tasks::visdial_gen::VisdialSettings;

constexpr size_t kTextsAtOnce = 256;
constexpr size_t kMostTokens = 16;  // [CLS] and [SEP] among them

// Every text that is compared, once. Blank ones are never compared.
text::StringPool texts_of(const VisdialSettings& settings) {
  const annotations::Generations generations(settings.generations);
  const annotations::References references = annotations::read_references(settings.references);
  const text::Preprocess preprocess = text::preprocess_of(settings.preprocess);
  text::StringPool texts;
  auto add = [&](std::string_view text) {
    if (text.find_first_not_of(" \t\r\n\f\v") != std::string_view::npos) texts.add(text);
  };
  for (const annotations::KeyedEntry& entry : generations.entries()) {
    const auto& keys = references.keys;
    if (!std::binary_search(keys.begin(), keys.end(), entry.key)) continue;
    for (const std::string& text : generations.texts(entry.entry))
      add(text::prepare_generation(text, preprocess));
  }
  const text::StringPool& pool = references.sets.pool();
  for (uint32_t id = 0; id < pool.size(); ++id) add(pool[id]);
  return texts;
}

bool wants_vectors(const VisdialSettings& settings) {
  if (settings.bert_model.empty()) return false;
  if (settings.bert_cache.empty()) return true;
  throw Error{ErrorCode::kUsage,
              "BERT's vectors come from one source",
              "--bert-model",
              "give --bert-model or --bert-cache, not both"};
}

// A model's tokenizer and network, and the files they were read from.
struct TextModel {
  std::optional<models::NetworkModule> module;  // outlives its network
  std::unique_ptr<const models::Network> network;
  std::unique_ptr<const text::Tokenizer> tokenizer;
  std::vector<fs::path> files;
};

TextModel open_model(const inference::Installation& installation, const std::string& model) {
  TextModel opened;
  const fs::path folder = inference::folder_of_model(installation, model);
  const models::Checkpoint checkpoint(folder, models::Layout::kAuto);
  opened.module.emplace(inference::open_module(installation));
  opened.network = opened.module->architecture_of(checkpoint).load(checkpoint, {});
  if (opened.network->encoder() == nullptr)
    throw Error{ErrorCode::kUsage,
                "the model gives no vectors of texts",
                model,
                "name a folder of BERT or MiniLM"};
  opened.files = checkpoint.weights().files();
  if (fs::exists(folder / "config.json")) opened.files.push_back(folder / "config.json");
  opened.tokenizer = inference::open_tokenizer(installation, folder, {}, &opened.files);
  std::sort(opened.files.begin(), opened.files.end());
  opened.files.erase(std::unique(opened.files.begin(), opened.files.end()), opened.files.end());
  return opened;
}

// {"dim": 768, "vectors": {TEXT: [...], ...}}
void write_vectors(const fs::path& path,
                   const TextModel& model,
                   const text::StringPool& texts,
                   const TextVectors::OnProgress& on_progress) {
  AtomicFile file(path);
  std::vector<models::TokenIds> tokens;
  for (uint32_t first = 0; first < texts.size(); first += kTextsAtOnce) {
    const auto end = static_cast<uint32_t>(std::min(texts.size(), first + kTextsAtOnce));
    tokens.clear();
    for (uint32_t id = first; id < end; ++id)
      tokens.push_back(model.tokenizer->encode(texts[id], {.max_length = kMostTokens}).ids);
    const models::Matrix vectors = model.network->encoder()->encode(tokens).first;
    if (first == 0) file.write(fmt::format("{{\"dim\": {}, \"vectors\": {{", vectors.num_columns));
    for (uint32_t id = first; id < end; ++id) {
      std::string line = id == 0 ? "\n" : ",\n";
      append_python_string(line, texts[id]);
      line += ": [";
      for (size_t i = 0; i < vectors.num_columns; ++i)
        fmt::format_to(std::back_inserter(line),
                       "{}{}",
                       i == 0 ? "" : ", ",
                       vectors.values[(id - first) * vectors.num_columns + i]);
      file.write(line + "]");
    }
    on_progress("BERT", end, texts.size());
  }
  if (texts.size() == 0) file.write("{\"dim\": 1, \"vectors\": {");
  file.write("}}\n");
  file.commit(Sync::kLater);
}

}  // namespace

TextVectors::TextVectors(const Catalogue& catalogue,
                         config::Options& options,
                         const OnProgress& on_progress) {
  const auto* settings = options.get_if<VisdialSettings>();
  if (settings == nullptr || !wants_vectors(*settings)) return;
  const text::StringPool texts = texts_of(*settings);
  const TextModel model = open_model(catalogue.installation, settings->bert_model.string());
  const fs::path path = folder_.emplace("snellen-vectors") / "vectors.json";
  write_vectors(path, model, texts, on_progress);
  options.add(config::Block(tasks::visdial_gen::ComputedVectors{path, model.files}, {}));
}

}  // namespace snellen::run
