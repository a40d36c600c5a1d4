// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/blip_learner.h"

#include <set>

#include "snellen/base/rng.h"

namespace snellen::training {
namespace {

using models::nn::l2_normalized;

// The published model keeps no temperature; this is the one it was trained from (0.07).
constexpr double kScale = 1 / 0.07;
// Each holds keys and values of its picture.

// One column of those that are not `hidden`, by its weight; -1 when all are hidden.
int64_t drawn(Rng& rng, at::TensorAccessor<float, 1> weights, at::TensorAccessor<bool, 1> hidden) {
  double total = 0;
  for (int64_t j = 0; j < weights.size(0); ++j) total += hidden[j] ? 0 : weights[j];
  double left = rng.u01() * total;
  int64_t last = -1;
  for (int64_t j = 0; j < weights.size(0); ++j) {
    if (hidden[j]) continue;
    last = j;
    left -= weights[j];
    if (left < 0) break;
  }
  return last;
}

at::Tensor places(const std::vector<int64_t>& values, at::Device device) {
  return at::tensor(values, at::kLong).to(device);
}

}  // namespace

BlipLearner::BlipLearner(const std::filesystem::path& folder,
                         const LearnerOptions& options,
                         dist::Group& group)
    : LearnerBase(folder, options, group) {
  layers();
  settle();
}

models::blip::Retrieval BlipLearner::layers() {
  models::nn::Weights from = weights();
  return models::blip::load_retrieval(from, config());
}

BlipLearner::Seen BlipLearner::see(const models::blip::Retrieval& blip, const Batch& batch) {
  Seen seen;
  seen.tokens = blip.vision(pixels(batch, 0, batch.num_visuals), nullptr);
  seen.texts = texts(batch.texts, blip.embeddings.vocabulary(), blip.embeddings.max_tokens());
  seen.cosines = l2_normalized(blip.embed_images(seen.tokens).to(at::kFloat))
                     .matmul(l2_normalized(blip.embed_texts(seen.texts).to(at::kFloat)).t());
  seen.remembered = blip.remember(seen.tokens);
  return seen;
}

BlipLearner::Judged BlipLearner::judged_pairs(const Batch& batch,
                                              const Pairs& pairs,
                                              const at::Tensor& cosines) const {
  at::Tensor matching =
      (cosines.detach().index_select(0, pairs.visuals).index_select(1, pairs.texts) * kScale).cpu();
  at::Tensor by_row = matching.softmax(1), by_column = matching.t().softmax(1).contiguous();
  at::Tensor same = pairs.same.cpu();
  auto row = by_row.accessor<float, 2>();
  auto column = by_column.accessor<float, 2>();
  auto hidden = same.accessor<bool, 2>();
  Rng rng = Rng(options().seed)
                .fork("train-negatives")
                .fork(num_steps())
                .fork(static_cast<uint64_t>(group().rank()));
  Judged judged;
  for (const Match& match : batch.matches) judged.add(match.visual, match.text, /*is_match=*/true);
  for (int64_t i = 0; i < std::ssize(batch.matches); ++i) {
    const Match& match = batch.matches[static_cast<size_t>(i)];
    int64_t text = drawn(rng, row[i], hidden[i]);
    if (text >= 0) judged.add(match.visual, batch.matches[static_cast<size_t>(text)].text, false);
    int64_t visual = drawn(rng, column[i], hidden[i]);
    if (visual >= 0)
      judged.add(batch.matches[static_cast<size_t>(visual)].visual, match.text, false);
  }
  std::set<std::pair<uint32_t, uint32_t>> wrong;  // contrasts share their wrong pairs
  for (const Contrast& contrast : batch.contrasts) {
    if (wrong.emplace(contrast.wrong.visual, contrast.wrong.text).second)
      judged.add(contrast.wrong.visual, contrast.wrong.text, /*is_match=*/false);
  }
  return judged;
}

at::Tensor BlipLearner::logits(const models::blip::Retrieval& blip,
                               const Seen& seen,
                               const Judged& pairs) {
  at::Tensor visuals = places(pairs.visuals, seen.tokens.device());
  at::Tensor rows = places(pairs.texts, seen.tokens.device());
  std::vector<models::nn::KeysAndValues> layers = seen.remembered;
  for (models::nn::KeysAndValues& layer : layers) {  // a copy for each pair of a picture
    layer.k = layer.k.index_select(0, visuals);
    layer.v = layer.v.index_select(0, visuals);
  }
  models::nn::TextBatch batch;
  batch.ids = seen.texts.ids.index_select(0, rows);
  if (seen.texts.hidden_keys.defined())
    batch.hidden_keys = seen.texts.hidden_keys.index_select(0, rows);
  for (int64_t text : pairs.texts)
    batch.lengths.push_back(seen.texts.lengths[static_cast<size_t>(text)]);
  return blip.match(batch, layers).to(at::kFloat);
}

std::vector<LossPart> BlipLearner::add_gradients(const Batch& batch, double share) {
  models::blip::Retrieval blip = layers();
  Seen seen = see(blip, batch);
  Pairs pairs = pairs_of(batch, seen.cosines.device());
  at::Tensor scale = at::full({}, kScale, seen.cosines.options());
  PairLoss contrastive = pair_loss(seen.cosines, scale, pairs, options());
  Judged judged = judged_pairs(batch, pairs, seen.cosines);
  at::Tensor matching = at::cross_entropy_loss(logits(blip, seen, judged),
                                               places(judged.labels, seen.cosines.device()));
  at::Tensor total = contrastive.contrastive * options().contrastive_weight + matching;
  (total * (share / group().size())).backward();
  return {{"loss", total.item<double>()},
          {"contrastive", contrastive.contrastive.item<double>()},
          {"matching", matching.item<double>()}};
}

Evaluation BlipLearner::evaluate_now(const Batch& batch) {
  models::blip::Retrieval blip = layers();
  Seen seen = see(blip, batch);
  Pairs pairs = pairs_of(batch, seen.cosines.device());
  Evaluation result = evaluated(seen.cosines, pairs);
  if (batch.contrasts.empty()) {
    at::Tensor scale = at::full({}, kScale, seen.cosines.options());
    result.loss = pair_loss(seen.cosines, scale, pairs, options()).total.item<double>();
    return result;
  }
  // Contrasts by the matching head, which is what the model is asked with.
  Judged judged;
  for (const Contrast& contrast : batch.contrasts) {
    judged.add(contrast.right.visual, contrast.right.text, true);
    judged.add(contrast.wrong.visual, contrast.wrong.text, false);
  }
  at::Tensor all = logits(blip, seen, judged);
  at::Tensor scores = all.select(1, 1).view({-1, 2});
  result.contrasts = verdicts(scores.select(1, 0), scores.select(1, 1));
  result.loss =
      at::cross_entropy_loss(all, places(judged.labels, seen.cosines.device())).item<double>();
  return result;
}

}  // namespace snellen::training
