// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <array>

#include "snellen/annotations/visdial/references.h"
#include "snellen/builders/densevisdial/build.h"
#include "snellen/cca/answer_finder.h"
#include "snellen/cca/dialog_model.h"
#include "tests/golden_runner/verb_call.h"
#include "tests/golden_runner/visdial_checks.h"
#include "tests/golden_runner/visdial_sets.h"

namespace snellen::golden {
namespace {

namespace sets = builders::densevisdial;
using Numbers = std::vector<double>;

// What the toy data set's chain is checked with: a fit, and its projections of the val split.
struct Toy {
  cca::DialogModel model;
  annotations::DialogFile train;
  annotations::DialogFile val;
  annotations::DenseAnnotations val_annotations;
};

cca::DialogModel fit_toy(const std::filesystem::path& folder,
                         const std::string& rows,
                         const Json& want) {
  cca::DialogFitSettings settings;
  settings.dialogs = {folder / "visdial_1.0_train.json"};
  settings.vectors.word_vectors = folder / "word_vectors.json";
  settings.fit.num_dimensions = want["k"].get<int64_t>();
  settings.power = want["p"].get<double>();
  if (rows == "QA_human_trainval") {
    settings.dialogs.push_back(folder / "visdial_1.0_val.json");
    settings.annotations = {folder / "visdial_1.0_train_dense_annotations.json",
                            folder / "visdial_1.0_val_dense_annotations.json"};
    settings.pairs = cca::PairChoice::kHuman;
  }
  return cca::fit_dialogs(settings, 2);
}

void check_embeddings(Tally& tally, const Toy& toy, const Json& want) {
  tally.start("vocabulary and vectors");
  tally.same(Json(toy.model.encoder.vocabulary().words()), want["vocab"], 0, "vocabulary");
  expect_rows(tally,
              cca::embed(toy.train.questions(), toy.model.encoder, 1),
              want["question_embeddings"],
              "vectors of questions");
  const cca::Rows answers = cca::embed(toy.train.answers(), toy.model.encoder, 1);
  expect_rows(tally, answers.topRows(10), want["answer_embeddings_first10"], "vectors of answers");
}

// Through the files that the verb writes.
void check_toy_sets(Tally& tally,
                    const Workplace& place,
                    const std::filesystem::path& folder,
                    const cca::DialogModel& model,
                    const Json& want) {
  const std::filesystem::path out = place.next_output();
  model.write(out / "cca");
  sets::Statistics statistics;
  sets::build({.dialogs = folder / "visdial_1.0_val.json",
               .annotations = folder / "visdial_1.0_val_dense_annotations.json",
               .projections = out / "cca"},
              {.rules = {sets::Rule::kSigma,
                         sets::Rule::kMeanShift,
                         sets::Rule::kWard,
                         sets::Rule::kHuman}},
              out / "sets",
              {.num_threads = 2},
              statistics);
  for (const char* letter : {"S", "M", "G", "H"}) {
    const Json& rounds = want[fmt::format("clusters_{}", letter)];
    const std::vector<annotations::MemberSet> found =
        annotations::read_member_sets(out / "sets" / fmt::format("refs_{}_full_val.json", letter));
    tally.expect(found.size() == rounds.size(), fmt::format("{}: rounds", letter));
    for (size_t i = 0; i < std::min(found.size(), rounds.size()); ++i) {
      std::vector<size_t> places;
      for (size_t c = 0; c < found[i].members.size(); ++c)
        if (found[i].members[c]) places.push_back(c);
      const Json& round = rounds[i];
      const bool is_same = found[i].key.image_id == round["image_id"].get<int64_t>() &&
                           found[i].key.round_id == round["round_id"].get<int32_t>() &&
                           places == round["members"].get<std::vector<size_t>>();
      tally.expect(
          is_same,
          fmt::format(
              "{}: members of {} round {}", letter, found[i].key.image_id, found[i].key.round_id));
    }
  }
}

void check_toy_ranks(Tally& tally, const Toy& toy, const Json& want) {
  const cca::Rows questions = cca::unit_projections(
      toy.model.question_projector(), toy.val.questions(), toy.model.encoder, 1);
  const cca::Rows answers =
      cca::unit_projections(toy.model.answer_projector(), toy.val.answers(), toy.model.encoder, 1);
  RankMeters meters;
  stats::Moments gains;
  for (size_t dialog = 0; dialog < toy.val.num_dialogs(); ++dialog) {
    const auto candidates = toy.val.candidates(dialog);
    for (size_t i = toy.val.first_round(dialog); i < toy.val.first_round(dialog + 1); ++i) {
      Numbers scores;
      for (uint32_t answer : candidates[i - toy.val.first_round(dialog)])
        scores.push_back(
            cca::rounded_cosine(answers.row(answer).dot(questions.row(toy.val.round(i).question))));
      const std::vector<uint32_t> ranks = metrics::visdial::ranks_of(scores);
      if (i == 0)
        tally.expect(ranks == want["first_ranks"].get<std::vector<uint32_t>>(), "first ranks");
      const uint32_t rank = ranks[*toy.val.round(i).given];
      tally.expect(rank == want["gt_ranks"][i].get<uint32_t>(), fmt::format("rank {}", i));
      meters.add(rank);
      const std::span<const double> relevance = toy.val_annotations.find(toy.val.key(i));
      if (!relevance.empty()) gains.add(*metrics::visdial::ndcg(ranks, relevance));
    }
  }
  meters.compare(tally, want);
  tally.near(gains.mean(), want["NDCG"], 1e-9, "NDCG");
}

void check_toy_generations(Tally& tally,
                           const std::filesystem::path& folder,
                           const Toy& toy,
                           const Json& want) {
  for (const bool is_compat : {false, true}) {
    const cca::AnswerFinder finder(toy.model, folder / "visdial_1.0_train.json", is_compat, 2);
    const cca::Rows questions = cca::embed(toy.val.questions(), toy.model.encoder, 1);
    const auto found = finder.find(questions, std::array<size_t, 2>{5, 1});
    for (size_t i = 0; i < want.size(); ++i) {
      const uint32_t question = toy.val.round(i).question;
      const std::string where = fmt::format("round {}", i);
      tally.same(Json(found[question][0].rounds), want[i]["top5_train_flat_index"], 0, where);
      tally.same(Json(found[question][1].texts), want[i]["generations_k1"], 0, where);
      tally.same(
          Json(found[question][0].texts),
          want[i][is_compat ? "generations_k5_ranked_compat_uncentred" : "generations_k5_ranked"],
          0,
          where);
    }
  }
}

}  // namespace

void check_toy(const Context& context, Tally& tally) {
  const Json vectors = context.json();
  const std::filesystem::path folder = context.file.parent_path();
  const Workplace place;
  for (const auto& [name, want] : vectors["cca"].items()) {
    const Toy toy{.model = fit_toy(folder, name, vectors),
                  .train = annotations::DialogFile(folder / "visdial_1.0_train.json"),
                  .val = annotations::DialogFile(folder / "visdial_1.0_val.json"),
                  .val_annotations = annotations::read_dense_annotations(
                      folder / "visdial_1.0_val_dense_annotations.json")};
    check_embeddings(tally, toy, vectors);
    tally.start(name + ": fit");
    tally.expect(toy.model.num_rows == want["rows"].get<uint64_t>(), "rows");
    expect_eigenvalues(tally, toy.model.projections, want["eigenvalues"]);
    tally.start(name + ": reference sets");
    check_toy_sets(tally, place, folder, toy.model, want);
    tally.start(name + ": ranks");
    if (want.contains("ranking")) check_toy_ranks(tally, toy, want["ranking"]);
    tally.start(name + ": generations");
    if (want.contains("generation")) check_toy_generations(tally, folder, toy, want["generation"]);
  }
}

}  // namespace snellen::golden
