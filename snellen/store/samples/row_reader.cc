// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/row_reader.h"

#include <charconv>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/store/error_json.h"
#include "snellen/store/samples/old_rows.h"

namespace snellen::store {
namespace {

// Places of the columns that are always selected.
enum : int {
  kId,
  kPart,
  kItem,
  kCluster,
  kCluster2,
  kCategory,
  kStatus,
  kTies,
  kCorrect,
  kMargin,
  kDetail,
  kLayout,
  kMoreVisuals,
  kMoreTexts,
  kNumScores,
  kMicros,
  kFirstMore,
};

constexpr const char* kColumns =
    "id, part, item, cluster, cluster_2, category, status, ties, correct, margin, detail, layout, "
    "more_visuals, more_texts, num_scores, micros";

constexpr const char* kMoreScores = "SELECT * FROM more_scores WHERE sample = ? ORDER BY first";
constexpr const char* kShape = "SELECT shape FROM detail_shapes WHERE id = ?";
constexpr const char* kDetailNumbers =
    "SELECT * FROM detail_numbers WHERE sample = ? ORDER BY first";
constexpr const char* kDetailTexts = "SELECT text FROM detail_texts WHERE sample = ? ORDER BY hole";
constexpr const char* kFailure = "SELECT code, what, location, hint FROM failures WHERE sample = ?";
constexpr const char* kList = "SELECT * FROM lists WHERE list = ? ORDER BY first";
constexpr const char* kPairs = "SELECT visual, text FROM pairs WHERE layout = ? ORDER BY place";
constexpr const char* kVisual =
    "SELECT name, path, size, mtime_ns, content_key FROM visuals WHERE id = ?";
constexpr const char* kText = "SELECT text FROM texts WHERE id = ?";
constexpr const char* kAnswers = "SELECT text FROM answers WHERE sample = ? ORDER BY place";

constexpr size_t kLineBytes = 384;  // most lines of the digest
// Shapes of details that are remembered.
constexpr size_t kMostShapes = 1024;

bool is_scored(const Statement& row) {
  return row.text(kStatus) == "scored";
}

// `visit(statement, column)` for the first `count` numbers of stretches.
template <typename Visit>
void for_stretches(Statement& rows, size_t count, const Visit& visit) {
  for (size_t place = 0; place < count && rows.step();) {
    for (size_t i = 0; i < kStretch && place < count; ++i, ++place)
      visit(rows, static_cast<int>(2 + i));
  }
}

}  // namespace

ShownVisual read_visual(const Statement& row, int first) {
  ShownVisual visual{.name = std::string(row.text(first)),
                     .path = std::string(row.text(first + 1))};
  if (row.is_null(first + 2)) return visual;
  visual.is_looked_at = true;
  visual.read = {.size = static_cast<uint64_t>(row.integer(first + 2)),
                 .mtime_ns = row.integer(first + 3)};
  const std::string_view hex = row.text(first + 4);
  if (hex.size() != 32) return visual;
  ContentKey& key = visual.read->key.emplace();
  std::from_chars(hex.data(), hex.data() + 16, key.high, 16);
  std::from_chars(hex.data() + 16, hex.data() + 32, key.low, 16);
  return visual;
}

RowReader::RowReader(Database& database, RowLayout layout)
    : database_(database), layout_(std::move(layout)) {}

RowReader::~RowReader() = default;

Statement& RowReader::find(const char* sql, int64_t key) {
  std::unique_ptr<Statement>& statement = statements_[sql];
  if (!statement) statement = std::make_unique<Statement>(database_, sql);
  statement->reset();
  statement->bind(1, key);
  return *statement;
}

std::string RowReader::select(Reading reading) const {
  if (is_old()) return old_select();
  std::string columns = kColumns;
  auto add = [&](const char* name, size_t count) {
    if (count > 0) columns += ", " + numbered(name, count);
  };
  add("value", layout_.num_values);
  if (reading != Reading::kWithoutScores) add("score", layout_.num_scores);
  if (reading == Reading::kEverything) {
    add("visual", layout_.num_visuals);
    add("text", layout_.num_texts);
  }
  return fmt::format("SELECT {} FROM samples", columns);
}

size_t RowReader::num_values(const Statement& row) const {
  if (!is_scored(row)) return 0;
  const auto task = static_cast<size_t>(row.integer(kId) / kTaskStride);
  return task < layout_.num_columns.size() ? layout_.num_columns[task] : 0;
}

std::vector<double> RowReader::scores_of(const Statement& row) {
  const int64_t stored = row.integer(kNumScores);
  if (stored <= 0) return {};
  const auto count = static_cast<size_t>(stored);
  std::vector<double> scores;
  if (count <= layout_.num_scores) {
    const int first = kFirstMore + static_cast<int>(layout_.num_values);
    for (size_t i = 0; i < count; ++i) scores.push_back(row.number(first + static_cast<int>(i)));
    return scores;
  }
  for_stretches(
      find(kMoreScores, row.integer(kId)), count, [&](const Statement& stretch, int column) {
        scores.push_back(stretch.number(column));
      });
  if (scores.size() == count) return scores;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("holds {} scores, expected {}", scores.size(), count),
              fmt::format("samples.db: {}", row.text(kItem)),
              "it was changed by another program; run again with --overwrite"};
}

const RowReader::Shape& RowReader::shape_of(int64_t id) {
  auto found = shapes_.find(id);
  if (found != shapes_.end()) return found->second;
  if (shapes_.size() >= kMostShapes) shapes_.clear();
  Shape& shape = shapes_[id];
  Statement& text = find(kShape, id);
  if (text.step()) shape.text = text.text(0);
  for (const DetailHole& hole : holes_of(shape.text))
    ++(hole.is_text ? shape.num_texts : shape.num_numbers);
  return shape;
}

Detail RowReader::detail_of(const Statement& row) {
  Detail detail;
  if (row.is_null(kDetail)) return detail;
  const Shape& shape = shape_of(row.integer(kDetail));
  detail.shape = shape.text;
  detail.numbers.reserve(shape.num_numbers);
  for_stretches(find(kDetailNumbers, row.integer(kId)),
                shape.num_numbers,
                [&](const Statement& stretch, int column) {
                  stretch.is_integer(column) ? detail.numbers.emplace_back(stretch.integer(column))
                                             : detail.numbers.emplace_back(stretch.number(column));
                });
  if (shape.num_texts == 0) return detail;
  Statement& texts = find(kDetailTexts, row.integer(kId));
  while (texts.step()) detail.texts.emplace_back(texts.text(0));
  return detail;
}

Error RowReader::error_of(const Statement& row) {
  Statement& found = find(kFailure, row.integer(kId));
  if (!found.step()) return Error{ErrorCode::kInternal, "its reason is lost", "samples.db"};
  return Error{error_code_of(std::string(found.text(0))),
               std::string(found.text(1)),
               std::string(found.text(2)),
               std::string(found.text(3))};
}

void RowReader::read_shown(const Statement& row, Sample& sample) {
  int at = kFirstMore + static_cast<int>(layout_.num_values + layout_.num_scores);
  auto ids = [&](int more, size_t count) {
    std::vector<int64_t> found;
    if (!row.is_null(more)) {
      Statement& list = find(kList, row.integer(more));
      while (list.step()) {
        for (int column = 2; column < 2 + static_cast<int>(kStretch); ++column)
          if (!list.is_null(column)) found.push_back(list.integer(column));
      }
    }
    for (size_t i = 0; i < count; ++i, ++at)
      if (!row.is_null(at)) found.push_back(row.integer(at));
    return found;
  };
  for (int64_t id : ids(kMoreVisuals, layout_.num_visuals)) {
    Statement& visual = find(kVisual, id);
    if (visual.step()) sample.visuals.push_back(read_visual(visual, 0));
  }
  for (int64_t id : ids(kMoreTexts, layout_.num_texts)) {
    Statement& text = find(kText, id);
    if (text.step()) sample.texts.emplace_back(text.text(0));
  }
  if (!row.is_null(kLayout)) {
    Statement& pairs = find(kPairs, row.integer(kLayout));
    while (pairs.step())
      sample.pairs.push_back(
          {static_cast<uint32_t>(pairs.integer(0)), static_cast<uint32_t>(pairs.integer(1))});
  }
  Statement& answers = find(kAnswers, row.integer(kId));
  while (answers.step()) sample.answers.emplace_back(answers.text(0));
}

Sample RowReader::read(const Statement& row, Reading reading) {
  if (is_old()) return read_old_row(row, reading);
  Sample sample;
  sample.task = static_cast<uint32_t>(row.integer(kId) / kTaskStride);
  sample.position = static_cast<uint64_t>(row.integer(kId) % kTaskStride);
  sample.part = static_cast<uint32_t>(row.integer(kPart));
  sample.item = row.text(kItem);
  if (std::string_view cluster = row.text(kCluster); !cluster.empty())
    sample.clusters.emplace_back(cluster);
  if (!row.is_null(kCluster2)) sample.clusters.emplace_back(row.text(kCluster2));
  sample.category = row.text(kCategory);
  sample.status = status_of(row.text(kStatus));
  if (reading != Reading::kWithoutScores) sample.scores = scores_of(row);
  const size_t count = num_values(row);
  sample.values.reserve(count);
  for (size_t i = 0; i < count; ++i)
    sample.values.push_back(row.number(kFirstMore + static_cast<int>(i)));
  sample.ties = static_cast<uint64_t>(row.integer(kTies));
  if (!row.is_null(kCorrect)) sample.is_correct = row.integer(kCorrect) != 0;
  sample.margin = row.number(kMargin);
  sample.detail = detail_of(row);
  if (sample.status != SampleStatus::kScored) sample.error = error_of(row);
  sample.micros = static_cast<uint64_t>(row.integer(kMicros));
  if (reading == Reading::kEverything) read_shown(row, sample);
  return sample;
}

std::string RowReader::digest_line(const Statement& row) {
  if (is_old()) return old_digest_line(row);
  std::string line;
  line.reserve(kLineBytes);
  auto add = [&](std::string_view text) {
    line += text;
    line.push_back('\x1f');
  };
  auto add_column = [&](int column) { add(row.is_null(column) ? "\\N" : row.text(column)); };
  for (int column : {kId, kPart, kItem, kCluster, kCategory, kStatus}) add_column(column);
  auto add_numbers = [&](int first, size_t count) {
    line.push_back('[');
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) line.push_back(',');
      append_number_json(line, row.number(first + static_cast<int>(i)));
    }
    line += "]\x1f";
  };
  const auto num_scores = static_cast<size_t>(row.integer(kNumScores));
  if (num_scores <= layout_.num_scores) {
    add_numbers(kFirstMore + static_cast<int>(layout_.num_values), num_scores);
  } else {
    append_numbers_json(line, scores_of(row));
    line.push_back('\x1f');
  }
  add_numbers(kFirstMore, num_values(row));
  for (int column : {kTies, kCorrect, kMargin}) add_column(column);
  row.is_null(kDetail) ? add("\\N") : add(detail_of(row).json());
  is_scored(row) ? add("\\N") : add(error_to_json(error_of(row)));
  line.push_back('\n');
  return line;
}

}  // namespace snellen::store
