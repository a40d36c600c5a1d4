// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/bert_vectors.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/build/build_output.h"
#include "apps/cli/run/networks.h"
#include "snellen/annotations/visdial/generations.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"
#include "snellen/run/catalogue.h"
#include "snellen/tasks/visdial_gen/settings.h"
#include "snellen/text/string_pool.h"
#include "snellen/text/words/treebank.h"

namespace snellen::cli {
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

}  // namespace

bool BertVectors::is_wanted(const config::Options& options) {
  const auto& settings = options.get<VisdialSettings>();
  if (settings.bert_model.empty()) return false;
  if (settings.bert_cache.empty()) return true;
  throw Error{ErrorCode::kUsage,
              "BERT's vectors come from one source",
              "--bert-model",
              "give --bert-model or --bert-cache, not both"};
}

BertVectors::BertVectors(const Context& context, const config::Options& options) {
  const auto& settings = options.get<VisdialSettings>();
  const text::StringPool texts = texts_of(settings);
  const fs::path folder = model_folder(context, settings.bert_model.string());
  const models::Checkpoint checkpoint(folder, models::Layout::kAuto);
  const models::NetworkModule module = open_network_module(context);
  const std::unique_ptr<const models::Network> network =
      module.architecture_of(checkpoint).load(checkpoint, {});
  if (network->encoder() == nullptr)
    throw Error{ErrorCode::kUsage,
                "the model gives no vectors of texts",
                settings.bert_model.string(),
                "name a folder of BERT or MiniLM"};
  model_files_ = checkpoint.weights().files();
  if (fs::exists(folder / "config.json")) model_files_.push_back(folder / "config.json");
  const auto tokenizer =
      inference::open_tokenizer(context.catalogue.installation, folder, {}, &model_files_);
  std::sort(model_files_.begin(), model_files_.end());
  model_files_.erase(std::unique(model_files_.begin(), model_files_.end()), model_files_.end());

  std::string name = (fs::temp_directory_path() / "snellen-bert-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error{ErrorCode::kIo, "no folder can be made here", fs::temp_directory_path().string()};
  folder_ = name;
  AtomicFile file(path());
  BuildProgress progress;
  std::vector<models::TokenIds> tokens;
  for (uint32_t first = 0; first < texts.size(); first += kTextsAtOnce) {
    const auto end = static_cast<uint32_t>(std::min(texts.size(), first + kTextsAtOnce));
    tokens.clear();
    for (uint32_t id = first; id < end; ++id)
      tokens.push_back(tokenizer->encode(texts[id], {.max_length = kMostTokens}).ids);
    const models::Matrix vectors = network->encoder()->encode(tokens).first;
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
    progress.show("BERT", end, texts.size());
  }
  if (texts.size() == 0) file.write("{\"dim\": 1, \"vectors\": {");
  file.write("}}\n");
  file.commit(Sync::kLater);
}

BertVectors::~BertVectors() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace snellen::cli
