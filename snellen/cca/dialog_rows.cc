// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/dialog_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/annotations/visdial/vector_cache.h"
#include "snellen/base/error.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/formats/npy.h"

namespace snellen::cca {
namespace {

using annotations::DialogFile;

constexpr uint64_t kTextsAtOnce = 1024;

// A text of a dialog at its first place, and how often it comes.
struct CountedText {
  std::string text;
  uint64_t times = 0;
};

// The texts in reading order, each once: words are numbered as they are first seen.
std::vector<CountedText> counted_texts(const DialogFile& dialogs) {
  constexpr uint32_t kNew = UINT32_MAX;
  std::vector<uint32_t> question_places(dialogs.questions().size(), kNew);
  std::vector<uint32_t> answer_places(dialogs.answers().size(), kNew);
  std::vector<CountedText> texts;
  auto count = [&](std::vector<uint32_t>& places, const text::StringPool& pool, uint32_t id) {
    if (places[id] == kNew) {
      places[id] = static_cast<uint32_t>(texts.size());
      texts.push_back({std::string(pool[id]), 0});
    }
    ++texts[places[id]].times;
  };
  for (size_t dialog = 0; dialog < dialogs.num_dialogs(); ++dialog) {
    texts.push_back({dialogs.caption(dialog), 1});
    for (size_t i = dialogs.first_round(dialog); i < dialogs.first_round(dialog + 1); ++i) {
      const annotations::DialogRound& round = dialogs.round(i);
      count(question_places, dialogs.questions(), round.question);
      if (round.answer) count(answer_places, dialogs.answers(), *round.answer);
    }
  }
  return texts;
}

// Work on 0..count-1 in blocks, each written where it belongs.
void for_blocks(uint64_t count,
                unsigned num_threads,
                const std::function<void(uint64_t begin, uint64_t end)>& work,
                const std::function<void(uint64_t done, uint64_t total)>& tell) {
  uint64_t num_done = 0;
  ordered_pipeline<uint64_t>((count + kTextsAtOnce - 1) / kTextsAtOnce,
                             std::max(1U, num_threads),
                             [&](uint64_t block) {
                               const uint64_t begin = block * kTextsAtOnce;
                               const uint64_t end = std::min(count, begin + kTextsAtOnce);
                               work(begin, end);
                               return end - begin;
                             },
                             [&](uint64_t&& num) {
                               num_done += num;
                               if (tell) tell(num_done, count);
                             },
                             [] { return false; });
}

}  // namespace

text::DialogVocabulary vocabulary_of(const DialogFile& dialogs,
                                     uint64_t least,
                                     unsigned num_threads) {
  const std::vector<CountedText> texts = counted_texts(dialogs);
  text::DialogVocabulary vocabulary;
  using Tokens = std::vector<std::vector<std::string>>;
  uint64_t next = 0;
  ordered_pipeline<Tokens>((texts.size() + kTextsAtOnce - 1) / kTextsAtOnce,
                           std::max(1U, num_threads),
                           [&](uint64_t block) {
                             Tokens tokens;
                             const uint64_t end =
                                 std::min<uint64_t>(texts.size(), (block + 1) * kTextsAtOnce);
                             for (uint64_t i = block * kTextsAtOnce; i < end; ++i)
                               tokens.push_back(text::dialog_tokens(texts[i].text));
                             return tokens;
                           },
                           [&](Tokens&& tokens) {
                             for (const std::vector<std::string>& one : tokens)
                               vocabulary.count(one, texts[next++].times);
                           },
                           [] { return false; });
  vocabulary.drop_rare(least);
  return vocabulary;
}

Rows embed(const text::StringPool& texts,
           const text::SentenceEncoder& encoder,
           unsigned num_threads,
           const std::function<void(uint64_t done, uint64_t total)>& tell) {
  Rows rows(static_cast<int64_t>(texts.size()), static_cast<int64_t>(encoder.dim()));
  for_blocks(
      texts.size(),
      num_threads,
      [&](uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i)
          encoder.encode(texts[static_cast<uint32_t>(i)],
                         {rows.data() + i * encoder.dim(), encoder.dim()});
      },
      tell);
  return rows;
}

Rows unit_projections(const Projector& projector,
                      int64_t num_rows,
                      const FillRows& fill,
                      unsigned num_threads,
                      const std::function<void(uint64_t done, uint64_t total)>& tell) {
  Rows units(num_rows, projector.num_dimensions());
  for_blocks(
      static_cast<uint64_t>(num_rows),
      num_threads,
      [&](uint64_t begin, uint64_t end) {
        const auto first = static_cast<int64_t>(begin);
        Rows block(static_cast<int64_t>(end - begin), projector.width());
        fill(first, block);
        Rows projected = projector.project(block);
        for (int64_t i = 0; i < projected.rows(); ++i) {
          const double norm = projected.row(i).norm();
          units.row(first + i) = projected.row(i) * (norm > 0 ? 1 / norm : 0.0);
        }
      },
      tell);
  return units;
}

Rows unit_projections(const Projector& projector,
                      const text::StringPool& texts,
                      const text::SentenceEncoder& encoder,
                      unsigned num_threads,
                      const std::function<void(uint64_t done, uint64_t total)>& tell) {
  const auto fill = [&](int64_t first, Rows& block) {
    for (int64_t i = 0; i < block.rows(); ++i)
      encoder.encode(texts[static_cast<uint32_t>(first + i)],
                     {block.data() + i * block.cols(), encoder.dim()});
  };
  return unit_projections(projector, static_cast<int64_t>(texts.size()), fill, num_threads, tell);
}

TrainingPairs all_pairs(const DialogFile& dialogs) {
  TrainingPairs pairs;
  for (size_t dialog = 0; dialog < dialogs.num_dialogs(); ++dialog) {
    for (size_t i = dialogs.first_round(dialog); i < dialogs.first_round(dialog + 1); ++i) {
      const annotations::DialogRound& round = dialogs.round(i);
      if (!round.answer) continue;
      pairs.answers.push_back(*round.answer);
      pairs.questions.push_back(round.question);
      pairs.dialogs.push_back(static_cast<uint32_t>(dialog));
    }
  }
  return pairs;
}

TrainingPairs human_pairs(const DialogFile& dialogs,
                          const annotations::DenseAnnotations& annotations) {
  annotations::expect_rounds_among(annotations, dialogs);
  TrainingPairs pairs;
  for (size_t dialog = 0; dialog < dialogs.num_dialogs(); ++dialog) {
    std::vector<std::vector<uint32_t>> candidates;
    for (size_t i = dialogs.first_round(dialog); i < dialogs.first_round(dialog + 1); ++i) {
      const std::span<const double> relevance = annotations.find(dialogs.key(i));
      if (relevance.empty()) continue;
      if (candidates.empty()) candidates = dialogs.candidates(dialog);
      const std::vector<uint32_t>& round = candidates[i - dialogs.first_round(dialog)];
      for (size_t place = 0; place < round.size(); ++place) {
        if (relevance[place] <= 0 && dialogs.round(i).given != place) continue;
        pairs.answers.push_back(round[place]);
        pairs.questions.push_back(dialogs.round(i).question);
        pairs.dialogs.push_back(static_cast<uint32_t>(dialog));
      }
    }
  }
  return pairs;
}

Rows image_features(const std::filesystem::path& path, const DialogFile& dialogs) {
  const auto num_rows = static_cast<int64_t>(dialogs.num_dialogs());
  if (path.extension() == ".npy") {
    const formats::NpyMatrix matrix = formats::read_npy_matrix(path);
    if (matrix.num_rows != dialogs.num_dialogs())
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "has {} rows, {} has {} dialogs", matrix.num_rows, dialogs.path().string(), num_rows),
          path.string(),
          "give one row per dialog, in the order of the file"};
    return Eigen::Map<const Rows>(
        matrix.values.data(), num_rows, static_cast<int64_t>(matrix.num_columns));
  }
  const text::VectorTable table = annotations::read_vector_cache(path);
  Rows rows(num_rows, static_cast<int64_t>(table.dim()));
  for (size_t dialog = 0; dialog < dialogs.num_dialogs(); ++dialog) {
    const std::string id = std::to_string(dialogs.image_id(dialog));
    if (!table.read(id, {rows.data() + dialog * table.dim(), table.dim()}))
      throw Error{
          ErrorCode::kInvalidInput, fmt::format("has no features of image {}", id), path.string()};
  }
  return rows;
}

}  // namespace snellen::cca
