// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/pair_loss.h"

#include <limits>
#include <map>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/training/learners/losses.h"

namespace snellen::training {
namespace {

// Numbers that a float holds exactly: a text's hash in pieces of 24 bits.
constexpr uint64_t kPiece = (uint64_t{1} << 24) - 1;

struct Row {
  Match match;
  uint64_t text_hash = 0;
};

uint64_t hash_of(const models::TokenIds& ids) {
  return fnv1a64({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(ids[0])});
}

at::Tensor places(const std::vector<int64_t>& values, at::Device device) {
  return at::tensor(values, at::kLong).to(device);
}

// Texts with equal hashes get one number.
at::Tensor same_of(const std::vector<Row>& rows, at::Device device) {
  std::map<uint64_t, int64_t> known;
  std::vector<int64_t> numbers;
  numbers.reserve(rows.size());
  for (const Row& row : rows)
    numbers.push_back(
        known.emplace(row.text_hash, static_cast<int64_t>(known.size())).first->second);
  return same_texts(places(numbers, device));
}

Pairs as_tensors(const std::vector<Row>& rows,
                 const std::vector<Contrast>& contrasts,
                 at::Device device) {
  Pairs pairs;
  std::vector<int64_t> visuals, texts, right_v, right_t, wrong_v, wrong_t;
  std::vector<float> weights;
  for (const Row& row : rows) {
    visuals.push_back(row.match.visual);
    texts.push_back(row.match.text);
  }
  for (const Contrast& contrast : contrasts) {
    right_v.push_back(contrast.right.visual);
    right_t.push_back(contrast.right.text);
    wrong_v.push_back(contrast.wrong.visual);
    wrong_t.push_back(contrast.wrong.text);
    weights.push_back(contrast.weight);
  }
  pairs.visuals = places(visuals, device);
  pairs.texts = places(texts, device);
  pairs.same = same_of(rows, device);
  pairs.right_visuals = places(right_v, device);
  pairs.right_texts = places(right_t, device);
  pairs.wrong_visuals = places(wrong_v, device);
  pairs.wrong_texts = places(wrong_t, device);
  pairs.weights = at::tensor(weights, at::kFloat).to(device);
  return pairs;
}

std::vector<Row> rows_of(const Batch& batch) {
  std::vector<Row> rows;
  for (const Match& match : batch.matches)
    rows.push_back({match, hash_of(batch.texts[match.text])});
  return rows;
}

}  // namespace

Pairs pairs_of(const Batch& batch, at::Device device) {
  return as_tensors(rows_of(batch), batch.contrasts, device);
}

Pairs gathered_pairs(const Batch& batch, dist::Group& group, at::Device device) {
  if (group.size() == 1) return pairs_of(batch, device);
  auto first_visual = static_cast<uint32_t>(group.rank() * batch.num_visuals);
  auto first_text = static_cast<uint32_t>(group.rank()) * static_cast<uint32_t>(batch.texts.size());
  std::vector<float> sent;
  auto put = [&](const Match& match) {
    sent.push_back(static_cast<float>(match.visual + first_visual));
    sent.push_back(static_cast<float>(match.text + first_text));
  };
  for (const Row& row : rows_of(batch)) {
    put(row.match);
    sent.push_back(static_cast<float>(row.text_hash & kPiece));
    sent.push_back(static_cast<float>(row.text_hash >> 24 & kPiece));
  }
  std::vector<float> got = group.gather(sent);
  std::vector<Row> rows;
  for (size_t i = 0; i + 4 <= got.size(); i += 4) {
    rows.push_back({{static_cast<uint32_t>(got[i]), static_cast<uint32_t>(got[i + 1])},
                    static_cast<uint64_t>(got[i + 2]) | static_cast<uint64_t>(got[i + 3]) << 24});
  }
  sent.clear();
  for (const Contrast& contrast : batch.contrasts) {
    put(contrast.right);
    put(contrast.wrong);
    sent.push_back(contrast.weight / static_cast<float>(group.size()));
  }
  got = group.gather(sent);
  std::vector<Contrast> contrasts;
  for (size_t i = 0; i + 5 <= got.size(); i += 5) {
    contrasts.push_back({{static_cast<uint32_t>(got[i]), static_cast<uint32_t>(got[i + 1])},
                         {static_cast<uint32_t>(got[i + 2]), static_cast<uint32_t>(got[i + 3])},
                         got[i + 4]});
  }
  return as_tensors(rows, contrasts, device);
}

PairLoss pair_loss(const at::Tensor& cosines,
                   const at::Tensor& scale,
                   const Pairs& pairs,
                   const LearnerOptions& options) {
  PairLoss loss;
  at::Tensor matching = cosines.index_select(0, pairs.visuals).index_select(1, pairs.texts);
  loss.contrastive = contrastive_loss(scale * matching, pairs.same).loss;
  loss.total = options.contrastive_weight * loss.contrastive;
  if (pairs.has_contrasts()) {
    at::Tensor right = cosines.index({pairs.right_visuals, pairs.right_texts});
    at::Tensor wrong = cosines.index({pairs.wrong_visuals, pairs.wrong_texts});
    loss.contrasts = (hinge(right, wrong, options.margin) * pairs.weights).sum();
    loss.total = loss.total + options.contrast_weight * loss.contrasts;
  }
  return loss;
}

std::vector<LossPart> PairLoss::parts() const {
  std::vector<LossPart> parts = {{"loss", total.item<double>()},
                                 {"contrastive", contrastive.item<double>()}};
  if (contrasts.defined()) parts.push_back({"hinge", contrasts.item<double>()});
  return parts;
}

std::vector<Verdict> verdicts(const at::Tensor& right, const at::Tensor& wrong) {
  at::Tensor ours = right.to(at::kCPU, at::kDouble).contiguous();
  at::Tensor theirs = wrong.to(at::kCPU, at::kDouble).contiguous();
  std::vector<Verdict> all;
  for (int64_t i = 0; i < ours.numel(); ++i) {
    double a = ours.data_ptr<double>()[i], b = theirs.data_ptr<double>()[i];
    all.push_back(a > b ? Verdict::kRight : a == b ? Verdict::kTied : Verdict::kWrong);
  }
  return all;
}

Evaluation evaluated(const at::Tensor& scores, const Pairs& pairs) {
  Evaluation result;
  at::Tensor matching = scores.index_select(0, pairs.visuals).index_select(1, pairs.texts);
  at::Tensor others = matching.masked_fill(pairs.same, -std::numeric_limits<double>::infinity());
  result.matches = verdicts(matching.diagonal(), others.amax(1));
  if (pairs.has_contrasts()) {
    result.contrasts = verdicts(scores.index({pairs.right_visuals, pairs.right_texts}),
                                scores.index({pairs.wrong_visuals, pairs.wrong_texts}));
  }
  return result;
}

}  // namespace snellen::training
