// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/dialog_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/file_lock.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/cca/view_rows.h"
#include "snellen/formats/json.h"
#include "snellen/formats/npy.h"

namespace snellen::cca {
namespace {

namespace fs = std::filesystem;
using annotations::DialogFile;
using Json = nlohmann::ordered_json;

constexpr const char* kAnswer = "answer";
constexpr const char* kImage = "img";
constexpr const char* kQuestion = "question";
constexpr const char* kFormat = "snellen-cca";

void check(const DialogFitSettings& settings) {
  auto fail = [](const char* what, const char* flag, const char* hint) {
    throw Error{ErrorCode::kUsage, what, flag, hint};
  };
  if (settings.dialogs.empty()) fail("no dialogs are named", "--dialogs", "name a VisDial file");
  if (settings.vectors.is_empty())
    fail("no word vectors are named", "--fasttext", "name a fastText model or --word-vectors");
  const bool is_human = settings.pairs == PairChoice::kHuman;
  if (is_human && settings.annotations.size() != settings.dialogs.size())
    fail("human pairs need the annotations of every file of dialogs",
         "--annotations",
         "name them in the order of --dialogs");
  if (!is_human && !settings.annotations.empty())
    fail("annotations are used for human pairs only", "--annotations", "add --pairs human");
  if (!settings.image_features.empty() && settings.image_features.size() != settings.dialogs.size())
    fail("image features are needed for every file of dialogs",
         "--image-features",
         "name them in the order of --dialogs");
}

// The rows of all files, one view each.
class FitRows {
 public:
  void add(const DialogFile& dialogs,
           const TrainingPairs& pairs,
           const text::SentenceEncoder& encoder,
           const fs::path& features,
           unsigned num_threads,
           const Observe& observe) {
    auto tell = [&](const char* step) {
      return [&observe, step](uint64_t done, uint64_t total) {
        if (observe) observe(step, done, total);
      };
    };
    answers_.append(embed(dialogs.answers(), encoder, num_threads, tell("answers")), pairs.answers);
    questions_.append(embed(dialogs.questions(), encoder, num_threads, tell("questions")),
                      pairs.questions);
    if (!features.empty()) images_.append(image_features(features, dialogs), pairs.dialogs);
  }

  std::vector<std::string> names() const {
    if (images_.rows.rows() == 0) return {kAnswer, kQuestion};
    return {kAnswer, kImage, kQuestion};
  }
  std::vector<ViewRows> views() const {
    std::vector<ViewRows> views = {answers_.view()};
    if (images_.rows.rows() > 0) views.push_back(images_.view());
    views.push_back(questions_.view());
    return views;
  }

 private:
  struct Stack {
    Rows rows;
    std::vector<uint32_t> index;

    void append(Rows more, const std::vector<uint32_t>& places) {
      const int64_t before = rows.rows();
      if (before == 0) {
        rows = std::move(more);
      } else {
        if (more.cols() != rows.cols())
          throw Error{
              ErrorCode::kInvalidInput,
              fmt::format("features of {} numbers follow ones of {}", more.cols(), rows.cols()),
              "--image-features"};
        rows.conservativeResize(before + more.rows(), Eigen::NoChange);
        rows.bottomRows(more.rows()) = more;
      }
      for (uint32_t place : places) index.push_back(static_cast<uint32_t>(before) + place);
    }
    ViewRows view() const { return {{rows.data(), rows.rows(), rows.cols()}, index}; }
  };
  Stack answers_;
  Stack images_;
  Stack questions_;
};

fs::path mean_file(const fs::path& folder, const std::string& view) {
  return folder / (view + "_mean.npy");
}
fs::path weights_file(const fs::path& folder, const std::string& view) {
  return folder / (view + "_weights.npy");
}

void write_rows(const fs::path& path, const Rows& rows) {
  formats::write_npy(path,
                     {rows.data(), static_cast<size_t>(rows.size())},
                     static_cast<uint64_t>(rows.rows()),
                     static_cast<uint64_t>(rows.cols()));
}

Rows read_rows(const fs::path& path) {
  const formats::NpyMatrix matrix = formats::read_npy_matrix(path);
  const bool is_finite = std::all_of(
      matrix.values.begin(), matrix.values.end(), [](double x) { return std::isfinite(x); });
  if (!is_finite)
    throw Error{ErrorCode::kInvalidInput, "holds a number that is not finite", path.string()};
  return Eigen::Map<const Rows>(matrix.values.data(),
                                static_cast<int64_t>(matrix.num_rows),
                                static_cast<int64_t>(matrix.num_columns));
}

}  // namespace

DialogModel fit_dialogs(const DialogFitSettings& settings,
                        unsigned num_threads,
                        const Observe& observe) {
  check(settings);
  const std::unique_ptr<text::WordVectors> words = annotations::open_word_vectors(settings.vectors);
  std::vector<NamedSource> sources;
  std::optional<text::DialogEncoder> encoder;
  FitRows rows;
  for (size_t i = 0; i < settings.dialogs.size(); ++i) {
    const DialogFile dialogs(settings.dialogs[i]);
    sources.push_back({"dialogs", sha256_of_file(settings.dialogs[i])});
    if (!encoder)
      encoder.emplace(vocabulary_of(dialogs, settings.least_count, num_threads), *words);
    TrainingPairs pairs;
    if (settings.pairs == PairChoice::kHuman) {
      pairs = human_pairs(dialogs, annotations::read_dense_annotations(settings.annotations[i]));
      sources.push_back({"annotations", sha256_of_file(settings.annotations[i])});
    } else {
      pairs = all_pairs(dialogs);
    }
    const fs::path features =
        settings.image_features.empty() ? fs::path() : settings.image_features[i];
    if (!features.empty()) sources.push_back({"image features", sha256_of_file(features)});
    rows.add(dialogs, pairs, *encoder, features, num_threads, observe);
  }
  const std::vector<ViewRows> views = rows.views();
  if (views[0].index.size() < 2)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} training rows are too few", views[0].index.size()),
                settings.dialogs[0].string()};
  std::vector<int64_t> widths;
  for (const ViewRows& view : views) widths.push_back(view.distinct.cols());
  const Covariance covariance =
      covariance_of(views, num_threads, [&](uint64_t done, uint64_t total) {
        if (observe) observe("covariances", done, total);
      });
  return {.encoder = std::move(*encoder),
          .projections = fit(covariance, widths, settings.fit),
          .views = rows.names(),
          .power = settings.power,
          .method = settings.fit.method == Method::kMardia ? "mardia" : "generalised",
          .num_rows = views[0].index.size(),
          .sources = std::move(sources)};
}

Projector DialogModel::projector(const std::string& view, bool is_centred) const {
  const auto found = std::find(views.begin(), views.end(), view);
  SNELLEN_CHECK(found != views.end());
  return {projections, static_cast<size_t>(found - views.begin()), power, is_centred};
}

namespace {

Error is_there(const fs::path& folder) {
  return Error{ErrorCode::kUsage,
               "is there already",
               folder.string(),
               "name a new folder with --output, or remove this one"};
}

}  // namespace

void DialogModel::write(const fs::path& folder) const {
  if (fs::exists(folder)) throw is_there(folder);
  const fs::path place = fs::absolute(folder).lexically_normal();
  const fs::path parent = (place.has_filename() ? place : place.parent_path()).parent_path();
  const fs::path target = place.has_filename() ? place : place.parent_path();
  fs::create_directories(parent);
  const FileLock lock(target.string() + ".lock", "wait for it, or name another --output");
  if (fs::exists(target)) throw is_there(target);
  remove_half_written_in(parent, target.filename().string());
  const fs::path draft = half_written_path(target);
  fs::create_directories(draft);
  Json json = {{"format", kFormat},
               {"version", 1},
               {"method", method},
               {"dimensions", projections.num_dimensions()},
               {"power", power},
               {"eps", projections.eps},
               {"rows", num_rows},
               {"views", views},
               {"sources", Json::array()},
               {"vocabulary", encoder.vocabulary().words()}};
  for (const NamedSource& source : sources)
    json["sources"].push_back({{"name", source.name}, {"sha256", source.sha256}});
  write_text_file(draft / "cca.json",
                  json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  formats::write_npy(
      draft / "word_vectors.npy", encoder.vectors(), encoder.vocabulary().size(), encoder.dim());
  write_rows(draft / "eigenvalues.npy", projections.eigenvalues.transpose());
  for (size_t i = 0; i < views.size(); ++i) {
    write_rows(mean_file(draft, views[i]), projections.views[i].mean);
    write_rows(weights_file(draft, views[i]), projections.views[i].weights);
  }
  rename_into_place(draft, target);
}

DialogModel DialogModel::read(const fs::path& folder) {
  const fs::path description = folder / "cca.json";
  auto fail = [&](const std::string& what) -> Error {
    return Error{ErrorCode::kInvalidInput,
                 what,
                 description.string(),
                 "write the folder with `snellen train cca`"};
  };
  const Json json =
      formats::parse_ordered_json_object(read_text_file(description), description.string());
  try {
    if (json.value("format", "") != kFormat) throw fail("is not of a CCA folder");
    const formats::NpyMatrix vectors = formats::read_npy_matrix(folder / "word_vectors.npy");
    const Rows eigenvalues = read_rows(folder / "eigenvalues.npy");
    if (eigenvalues.rows() != 1) throw fail("has more or less than one row of eigenvalues");
    DialogModel model{
        .encoder = text::DialogEncoder(
            text::DialogVocabulary(json.at("vocabulary").get<std::vector<std::string>>()),
            vectors.values),
        // Named: GCC 12 destroys a nested {} twice when a later member throws.
        .projections = Projections{.eigenvalues = eigenvalues.row(0).transpose(),
                                   .views = {},
                                   .eps = json.at("eps").get<double>()},
        .views = json.at("views").get<std::vector<std::string>>(),
        .power = json.at("power").get<double>(),
        .method = json.at("method").get<std::string>(),
        .num_rows = json.at("rows").get<uint64_t>(),
        .sources = {}};
    const bool has_views = model.views.size() >= 2 && model.views.size() <= 3 &&
                           model.views.front() == kAnswer && model.views.back() == kQuestion &&
                           (model.views.size() == 2 || model.views[1] == kImage);
    if (!has_views) throw fail("'views' are not answer, img, question");
    for (const std::string& view : model.views) {
      const Rows mean = read_rows(mean_file(folder, view));
      const Rows weights = read_rows(weights_file(folder, view));
      const bool is_text = view != kImage;
      const bool fits = mean.rows() == 1 && mean.cols() == weights.rows() &&
                        weights.cols() == model.projections.num_dimensions() &&
                        (!is_text || weights.rows() == static_cast<int64_t>(model.encoder.dim()));
      if (!fits) throw fail(fmt::format("the matrices of '{}' do not fit each other", view));
      model.projections.views.push_back({.mean = mean.row(0), .weights = weights});
    }
    for (const Json& source : json.at("sources"))
      model.sources.push_back(
          {source.at("name").get<std::string>(), source.at("sha256").get<std::string>()});
    return model;
  } catch (const Json::exception& error) {
    throw fail(error.what());
  }
}

}  // namespace snellen::cca
