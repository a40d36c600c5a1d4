// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/check/network_check.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/similarity.h"

namespace snellen::models {
namespace {

// Keeps what the model shows under the fixture's names.
class Kept : public Trace {
 public:
  void record(std::string_view name,
              std::span<const int64_t> shape,
              std::span<const float> values) override {
    tensors_.insert_or_assign(std::string(name),
                              FloatTensor{.shape = {shape.begin(), shape.end()},
                                          .values = {values.begin(), values.end()}});
  }
  const FloatTensor* find(const std::string& name) const {
    auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
  }
  void keep(const std::string& name, const Matrix& matrix, std::vector<int64_t> shape) {
    tensors_.insert_or_assign(name,
                              FloatTensor{.shape = std::move(shape), .values = matrix.values});
  }
  void keep(const std::string& name, FloatTensor tensor) {
    tensors_.insert_or_assign(name, std::move(tensor));
  }

 private:
  std::map<std::string, FloatTensor> tensors_;
};

int64_t size_of(size_t value) {
  return static_cast<int64_t>(value);
}

PixelsView view_of(const FloatTensor& picture) {
  size_t rank = picture.shape.size();
  SNELLEN_CHECK(rank == 3 || rank == 4);
  return {.count = rank == 4 ? picture.shape[0] : 1,
          .height = picture.shape[rank - 2],
          .width = picture.shape[rank - 1],
          .values = picture.values};
}

// Pictures of one size go in as one batch, which is how they are run.
template <typename Function>
void for_each_picture_batch(const NetworkCheckInputs& inputs, Function function) {
  std::map<std::pair<int64_t, int64_t>, std::vector<size_t>> by_size;
  for (size_t i = 0; i < inputs.pixels.size(); ++i) {
    PixelsView view = view_of(inputs.pixels[i]);
    by_size[{view.height, view.width}].push_back(i);
  }
  for (const auto& [size, places] : by_size) {
    FloatTensor batch;
    for (size_t place : places) {
      const std::vector<float>& values = inputs.pixels[place].values;
      batch.values.insert(batch.values.end(), values.begin(), values.end());
    }
    PixelsView view{.count = size_of(batch.values.size()) / (3 * size.first * size.second),
                    .height = size.first,
                    .width = size.second,
                    .values = batch.values};
    function(places, view);
  }
}

class NetworkCheck {
 public:
  NetworkCheck(const Network& network, const Fixture& fixture, const NetworkCheckInputs& inputs)
      : network_(network), fixture_(fixture), inputs_(inputs) {}

  Kept run() {
    if (network_.dual()) run_dual(*network_.dual());
    if (network_.pair()) run_pair(*network_.pair());
    if (network_.video()) run_video(*network_.video());
    if (network_.language()) run_language(*network_.language());
    if (network_.encoder()) run_encoder(*network_.encoder());
    return std::move(kept_);
  }

 private:
  size_t num_images() const { return inputs_.pixels.size(); }
  size_t num_texts() const { return inputs_.tokens.size(); }

  void run_dual(const DualEncoder& dual) {
    Matrix images{.num_rows = num_images(), .num_columns = 0, .values = {}};
    for_each_picture_batch(inputs_, [&](const std::vector<size_t>& places, const PixelsView& view) {
      Matrix part = dual.embed_images(view, places[0] == 0 ? &kept_ : nullptr);
      images.num_columns = part.num_columns;
      images.values.resize(images.num_rows * images.num_columns);
      for (size_t i = 0; i < places.size(); ++i) {
        std::span<const float> row = part.row(i);
        std::copy(row.begin(),
                  row.end(),
                  images.values.begin() + static_cast<ptrdiff_t>(places[i] * part.num_columns));
      }
    });
    Matrix texts = dual.embed_texts(inputs_.tokens, &kept_);
    kept_.keep("image_embeds", images, {size_of(images.num_rows), size_of(images.num_columns)});
    kept_.keep("text_embeds", texts, {size_of(texts.num_rows), size_of(texts.num_columns)});
    std::vector<int64_t> shape = {size_of(num_images()), size_of(num_texts())};
    for (const std::string& head : network_.facts().heads) {
      if (head == "itm") continue;
      Matrix scores = score_all(images, texts, dual.similarity(head));
      kept_.keep(head == "itc" ? "itc_scores" : head, scores, shape);
      if (head == network_.facts().heads[0]) kept_.keep("scores", scores, shape);
    }
  }

  void run_pair(const PairScorer& pair) {
    std::vector<std::shared_ptr<const SeenImage>> seen = see(pair);
    FloatTensor logits, scores;
    for (size_t i = 0; i < seen.size(); ++i) {
      Matrix rows = pair.match(*seen[i], inputs_.tokens, i == 0 ? &kept_ : nullptr);
      logits.shape = {size_of(seen.size()), size_of(num_texts()), size_of(rows.num_columns)};
      logits.values.insert(logits.values.end(), rows.values.begin(), rows.values.end());
      for (size_t t = 0; t < rows.num_rows; ++t)
        scores.values.push_back(rows.row(t)[pair.score_column()]);
    }
    scores.shape = {size_of(seen.size()), size_of(num_texts())};
    kept_.keep("pair_logits", std::move(logits));
    if (network_.facts().heads[0] == "itm") kept_.keep("scores", std::move(scores));
  }

  template <typename Seer>
  std::vector<std::shared_ptr<const SeenImage>> see(const Seer& seer) {
    std::vector<std::shared_ptr<const SeenImage>> seen(num_images());
    for_each_picture_batch(inputs_, [&](const std::vector<size_t>& places, const PixelsView& view) {
      auto part = seer.see(view, places[0] == 0 ? &kept_ : nullptr);
      for (size_t i = 0; i < places.size(); ++i) seen[places[i]] = part[i];
    });
    return seen;
  }

  void run_video(const VideoEncoder& video) {
    Matrix clips;
    for_each_picture_batch(inputs_, [&](const std::vector<size_t>&, const PixelsView& view) {
      clips = video.embed_clips(view, &kept_);
    });
    Matrix texts = video.embed_texts(inputs_.tokens, &kept_);
    kept_.keep("text_embeds", texts, {size_of(texts.num_rows), size_of(texts.num_columns)});
    Matrix scores = video.score(clips, texts, &kept_);
    kept_.keep("scores", scores, {size_of(num_images()), size_of(num_texts())});
  }

  void run_language(const LanguageModel& language) {
    std::vector<TokenIds> texts;
    for (size_t i : fixture_.language_texts()) texts.push_back(inputs_.tokens[i]);
    std::vector<std::shared_ptr<const SeenImage>> seen;
    if (num_images() > 0) seen = see(language);
    size_t num_passes = std::max<size_t>(1, seen.size());
    FloatTensor want = fixture_.tensor("lm.logprobs");
    auto length = static_cast<size_t>(want.shape.back());
    FloatTensor logprobs{.shape = want.shape, .values = {}}, nll{.shape = {}, .values = {}};
    for (size_t pass = 0; pass < num_passes; ++pass) {
      auto rows = language.log_probabilities(
          texts, seen.empty() ? nullptr : seen[pass].get(), pass == 0 ? &kept_ : nullptr);
      for (const std::vector<double>& row : rows) {
        double sum = 0;
        for (size_t t = 0; t < length; ++t) {
          double value = t < row.size() ? row[t] : 0;
          logprobs.values.push_back(static_cast<float>(value));
          sum += value;
        }
        nll.values.push_back(static_cast<float>(-sum));
      }
    }
    kept_.keep("lm.logprobs", std::move(logprobs));
    kept_.keep("lm.nll", std::move(nll));
  }

  // Layers are shown for the first text of a call alone, so each text is a call of its own.
  void run_encoder(const TextEncoder& encoder) {
    TextEncoder::Encoded all = encoder.encode(inputs_.tokens, nullptr);
    std::vector<int64_t> shape = {size_of(all.first.num_rows), size_of(all.first.num_columns)};
    kept_.keep("cls", all.first, shape);
    kept_.keep("mean_pool", all.mean, shape);
    kept_.keep("pooler", all.pooled, shape);
    std::map<std::string, FloatTensor> hidden;
    for (size_t i = 0; i < num_texts(); ++i) {
      Kept layers;
      (void)encoder.encode({&inputs_.tokens[i], 1}, &layers);
      for (const FixtureStage& stage : fixture_.stages()) {
        if (!stage.name.starts_with("hidden.")) continue;
        const FloatTensor* layer = layers.find(stage.name);
        FloatTensor& whole = hidden[stage.name];
        if (whole.values.empty()) {
          whole.shape = fixture_.tensor(stage.name).shape;
          whole.values.resize(fixture_.tensor(stage.name).values.size());
        }
        // Padding rows are stored as 0.
        size_t row = whole.values.size() / num_texts();
        if (layer && layer->values.size() <= row)
          std::copy(layer->values.begin(),
                    layer->values.end(),
                    whole.values.begin() + static_cast<ptrdiff_t>(i * row));
      }
    }
    for (auto& [name, tensor] : hidden) kept_.keep(name, std::move(tensor));
  }

  const Network& network_;
  const Fixture& fixture_;
  const NetworkCheckInputs& inputs_;
  Kept kept_;
};

bool is_before_the_network(const std::string& name) {
  return name == "tokens" || name.starts_with("image.*") || name.starts_with("clip.*");
}

}  // namespace

NetworkCheckInputs stored_inputs(const Fixture& fixture) {
  NetworkCheckInputs inputs{.tokens = fixture.tokens(), .pixels = {}};
  for (size_t i = 0; i < fixture.images().size(); ++i)
    inputs.pixels.push_back(
        fixture.tensor(fmt::format("{}.{}.pixels", fixture.has_clips() ? "clip" : "image", i)));
  return inputs;
}

std::vector<StageResult> check_network(const Network& network,
                                       const Fixture& fixture,
                                       const NetworkCheckInputs& inputs,
                                       bool is_strict) {
  Kept kept = NetworkCheck(network, fixture, inputs).run();
  std::vector<StageResult> results;
  for (const FixtureStage& stage : fixture.stages()) {
    if (is_before_the_network(stage.name)) continue;
    std::string shown = stage.name.starts_with("mid.") ? stage.name.substr(4) : stage.name;
    if (const FloatTensor* got = kept.find(shown)) {
      results.push_back(
          compare_stage(stage, stage.name, *got, fixture.tensor(stage.name), is_strict));
    } else {
      StageResult missing;
      missing.name = stage.name;
      missing.was_computed = false;
      missing.note = "not computed";
      results.push_back(missing);
    }
  }
  return results;
}

}  // namespace snellen::models
