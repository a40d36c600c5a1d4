// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/network_probe_scorer.h"

#include <algorithm>
#include <limits>
#include <map>

#include "snellen/models/similarity.h"

namespace snellen::training {
namespace {

// Where the bits of a row depend on what shares its batch, each goes alone.
constexpr int64_t kAtOnce = 8;

struct Parts {
  const models::Network& network;
  const media::ImageProcessor& processor;

  int64_t at_once() const { return network.facts().is_row_exact ? kAtOnce : 1; }
};

// Calls `take` with stretches of pictures as floats.
void for_pictures(const Parts& parts,
                  const Batch& batch,
                  const std::function<void(const models::PixelsView&)>& take) {
  const auto picture = static_cast<size_t>(batch.side * batch.side * 3);
  for (int64_t first = 0; first < batch.num_visuals; first += parts.at_once()) {
    const int64_t count = std::min(parts.at_once(), batch.num_visuals - first);
    std::vector<float> values(static_cast<size_t>(count) * picture);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      parts.processor.to_floats(
          std::span(batch.pixels).subspan((static_cast<size_t>(first) + i) * picture, picture),
          std::span(values).subspan(i * picture, picture));
    }
    take({.count = count, .height = batch.side, .width = batch.side, .values = values});
  }
}

void append(models::Matrix& all, const models::Matrix& more) {
  all.num_columns = more.num_columns;
  all.num_rows += more.num_rows;
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
}

std::vector<double> dual_scores(const Parts& parts,
                                const Batch& batch,
                                std::span<const Match> asked) {
  const models::DualEncoder& encoder = *parts.network.dual();
  const models::Similarity similarity = encoder.similarity(parts.network.facts().heads.front());
  models::Matrix visuals, texts;
  for_pictures(parts, batch, [&](const models::PixelsView& pixels) {
    append(visuals, encoder.embed_images(pixels));
  });
  const auto at_once = static_cast<size_t>(parts.at_once());
  for (size_t first = 0; first < batch.texts.size(); first += at_once) {
    append(
        texts,
        encoder.embed_texts(
            std::span(batch.texts).subspan(first, std::min(at_once, batch.texts.size() - first))));
  }
  auto ready = [&](models::Matrix& rows, size_t num_vectors) {
    for (size_t i = 0; i < rows.num_rows; ++i)
      models::make_ready(std::span(rows.values).subspan(i * rows.num_columns, rows.num_columns),
                         num_vectors,
                         similarity);
  };
  ready(visuals, similarity.image_vectors);
  ready(texts, 1);
  std::vector<double> scores;
  scores.reserve(asked.size());
  for (const Match& match : asked)
    scores.push_back(
        models::score_of(visuals.row(match.visual), texts.row(match.text), similarity));
  return scores;
}

std::vector<double> pair_scores(const Parts& parts,
                                const Batch& batch,
                                std::span<const Match> asked) {
  const models::PairScorer& scorer = *parts.network.pair();
  std::map<uint32_t, std::vector<size_t>> by_picture;  // places in asked
  for (size_t i = 0; i < asked.size(); ++i) by_picture[asked[i].visual].push_back(i);
  std::vector<double> scores(asked.size());
  uint32_t number = 0;
  const auto at_once = static_cast<size_t>(parts.at_once());
  auto match = [&](const models::SeenImage& image, std::span<const size_t> places) {
    std::vector<models::TokenIds> texts;
    for (const size_t place : places) texts.push_back(batch.texts[asked[place].text]);
    const models::Matrix logits = scorer.match(image, texts);
    for (size_t i = 0; i < places.size(); ++i)
      scores[places[i]] = logits.row(i)[scorer.score_column()];
  };
  for_pictures(parts, batch, [&](const models::PixelsView& pixels) {
    for (const std::shared_ptr<const models::SeenImage>& image : scorer.see(pixels)) {
      const std::vector<size_t>& places = by_picture[number++];
      for (size_t first = 0; first < places.size(); first += at_once)
        match(*image, std::span(places).subspan(first, std::min(at_once, places.size() - first)));
    }
  });
  return scores;
}

}  // namespace

ProbeScorer network_probe_scorer(const models::Network& network,
                                 const media::ImageProcessor& processor) {
  const Parts parts = {network, processor};
  const bool is_dual = network.dual() != nullptr && !network.facts().heads.empty() &&
                       (!network.pair() || network.facts().heads.front() != "itm");
  if (!is_dual && !network.pair())
    throw Error{ErrorCode::kUsage,
                "does not score a picture with a text",
                "--probe",
                "ask it with `snellen run`, and compare the runs"};
  return {.score =
              [parts, is_dual](const Batch& batch, std::span<const Match> asked) {
                return is_dual ? dual_scores(parts, batch, asked)
                               : pair_scores(parts, batch, asked);
              },
          .is_safe_from_threads = true};
}

}  // namespace snellen::training
