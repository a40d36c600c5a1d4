// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/zeroshot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::run {
namespace {

constexpr size_t kPicturesAtOnce = 8;
constexpr size_t kTextsAtOnce = 16;
constexpr size_t kShown = 5;

const models::DualEncoder& encoder_of(const models::Network& network) {
  const models::DualEncoder* encoder = network.dual();
  if (encoder != nullptr && !network.facts().heads.empty() &&
      encoder->similarity(network.facts().heads.front()).image_vectors == 1)
    return *encoder;
  throw Error{ErrorCode::kUsage,
              "has no two towers with one vector a picture",
              "--model",
              "give a folder of CLIP's kind (snellen list models)"};
}

std::vector<double> direction_of(std::span<const float> row) {
  double squares = 0;
  for (const float x : row) squares += double{x} * double{x};
  std::vector<double> direction(row.begin(), row.end());
  for (double& x : direction) x /= std::sqrt(squares);
  return direction;
}

// One direction for each class.
class ClassDirections {
 public:
  ClassDirections(const ZeroshotModel& model,
                  const ZeroshotSet& set,
                  const ZeroshotOptions& options)
      : model_(model), encoder_(encoder_of(model.network)), set_(set), options_(options) {
    uint64_t num_done = 0;
    ordered_pipeline<Made>(
        set.classes.size(),
        options.num_threads,
        [&](uint64_t i) { return made_of(i); },
        [&](Made&& made) {
          directions_.push_back(std::move(made.direction));
          num_truncated_ += made.num_truncated;
          if (options.observe) options.observe(++num_done, set.classes.size());
        },
        [] { return false; });
  }

  uint64_t num_truncated() const { return num_truncated_; }

  // Of every class with a picture's row.
  std::vector<double> cosines(std::span<const float> row) const {
    const std::vector<double> picture = direction_of(row);
    std::vector<double> cosines;
    cosines.reserve(directions_.size());
    for (const std::vector<double>& direction : directions_)
      cosines.push_back(
          std::inner_product(direction.begin(), direction.end(), picture.begin(), 0.0));
    return cosines;
  }

 private:
  struct Made {
    std::vector<double> direction;
    uint64_t num_truncated = 0;
  };

  Made made_of(uint64_t index) const {
    Made made;
    models::Matrix rows;
    std::vector<models::TokenIds> texts;
    auto embed = [&] {
      if (texts.empty()) return;
      const models::Matrix more = encoder_.embed_texts(texts);
      rows.num_columns = more.num_columns;
      rows.num_rows += more.num_rows;
      rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
      texts.clear();
    };
    // Where the bits of a row depend on what shares its batch, each goes alone.
    const size_t at_once = model_.network.facts().is_row_exact ? kTextsAtOnce : 1;
    const auto most = static_cast<size_t>(model_.network.facts().max_text_tokens);
    for (const std::string& prompt : zeroshot_prompts(set_.classes[index], options_.templates)) {
      const text::Encoding encoding = model_.tokenizer.encode(prompt, {.max_length = most});
      made.num_truncated += encoding.num_dropped > 0 ? 1 : 0;
      texts.emplace_back(encoding.ids.begin(), encoding.ids.end());
      if (texts.size() == at_once) embed();
    }
    embed();
    made.direction = mean_direction(rows);
    return made;
  }

  const ZeroshotModel& model_;
  const models::DualEncoder& encoder_;
  const ZeroshotSet& set_;
  const ZeroshotOptions& options_;
  std::vector<std::vector<double>> directions_;
  uint64_t num_truncated_ = 0;
};

NamedPicture named(const std::vector<double>& cosines, const std::vector<uint32_t>& right) {
  NamedPicture picture;
  if (!std::all_of(cosines.begin(), cosines.end(), [](double x) { return std::isfinite(x); })) {
    picture.error = Error{ErrorCode::kInvalidInput, "the model's scores are not finite", {}, {}};
    return picture;
  }
  auto is_right = [&](uint32_t one) { return std::binary_search(right.begin(), right.end(), one); };
  double best_right = -2;
  for (const uint32_t one : right) best_right = std::max(best_right, cosines[one]);
  picture.best.resize(cosines.size());
  std::iota(picture.best.begin(), picture.best.end(), 0U);
  for (const uint32_t one : picture.best) {
    if (is_right(one) || cosines[one] < best_right) continue;
    ++picture.rank;
    picture.is_tied = picture.is_tied || cosines[one] == best_right;
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kShown, cosines.size()));
  std::partial_sort(picture.best.begin(),
                    picture.best.begin() + shown,
                    picture.best.end(),
                    [&](uint32_t a, uint32_t b) {
                      return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
                    });
  picture.best.resize(static_cast<size_t>(shown));
  for (const uint32_t one : picture.best) picture.cosines.push_back(cosines[one]);
  return picture;
}

Result<media::PixelTensor> read_picture(const std::filesystem::path& path,
                                        const media::ImageProcessor& processor) {
  try {
    const MappedFile file(path);
    const Result<media::Image> picture = media::decode_image(file.bytes(), path.string());
    if (!picture) return picture.error();
    return processor.process(*picture);
  } catch (const Error& error) {
    return error;  // a file that is not there is one picture's failure
  }
}

// Pictures of one size that go through the model together.
struct Batch {
  int width = 0;
  int height = 0;
  std::vector<size_t> places;  // in their stretch
  std::vector<float> values;
};

std::vector<Batch> batches_of(std::span<const ZeroshotPicture> pictures,
                              const ZeroshotModel& model,
                              std::vector<NamedPicture>& all) {
  std::vector<Batch> batches;
  for (size_t i = 0; i < pictures.size(); ++i) {
    Result<media::PixelTensor> pixels = read_picture(pictures[i].file, model.processor);
    if (!pixels) {
      all[i].error = pixels.error();
      continue;
    }
    const bool joins = !batches.empty() && model.network.facts().is_row_exact &&
                       batches.back().width == pixels->width &&
                       batches.back().height == pixels->height;
    if (!joins) batches.push_back({pixels->width, pixels->height, {}, {}});
    batches.back().places.push_back(i);
    batches.back().values.insert(
        batches.back().values.end(), pixels->values.begin(), pixels->values.end());
  }
  return batches;
}

// The pictures of one stretch of the set.
std::vector<NamedPicture> named_stretch(const ZeroshotModel& model,
                                        const ClassDirections& classes,
                                        std::span<const ZeroshotPicture> pictures) {
  const models::DualEncoder& encoder = encoder_of(model.network);
  std::vector<NamedPicture> all(pictures.size());
  for (const Batch& batch : batches_of(pictures, model, all)) {
    const models::Matrix rows =
        encoder.embed_images({.count = static_cast<int64_t>(batch.places.size()),
                              .height = batch.height,
                              .width = batch.width,
                              .values = batch.values});
    for (size_t i = 0; i < batch.places.size(); ++i) {
      const ZeroshotPicture& picture = pictures[batch.places[i]];
      NamedPicture& one = all[batch.places[i]];
      one = named(classes.cosines(rows.row(i)), picture.right);
      if (one.error) one.error = one.error->within(picture.file.string());
    }
  }
  return all;
}

ZeroshotShare share_of(uint64_t num_right, uint64_t num_named, double confidence) {
  ZeroshotShare share{.num_right = num_right};
  if (num_named == 0) return share;
  share.value = static_cast<double>(num_right) / static_cast<double>(num_named);
  share.interval = stats::wilson(num_right, num_named, confidence);
  return share;
}

}  // namespace

std::vector<std::string> zeroshot_prompts(const std::string& name,
                                          const std::vector<std::string>& templates) {
  std::vector<std::string> prompts;
  for (const std::string& one : templates) {
    const size_t place = one.find("{}");
    SNELLEN_CHECK(place != std::string::npos);
    prompts.push_back(one.substr(0, place) + name + one.substr(place + 2));
  }
  return prompts;
}

std::vector<double> mean_direction(const models::Matrix& rows) {
  std::vector<double> sum(rows.num_columns, 0);
  for (size_t i = 0; i < rows.num_rows; ++i) {
    const std::vector<double> direction = direction_of(rows.row(i));
    for (size_t j = 0; j < sum.size(); ++j) sum[j] += direction[j];
  }
  const double squares = std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0);
  if (!(squares > 0) || !std::isfinite(squares)) {
    throw Error{
        ErrorCode::kInvalidInput,
        "the prompts of a class have no direction: their embeddings are zero, not finite, or "
        "cancel out",
        "the model's text tower",
        "check the folder with snellen check"};
  }
  for (double& x : sum) x /= std::sqrt(squares);
  return sum;
}

ZeroshotResult name_pictures(const ZeroshotModel& model,
                             const ZeroshotSet& set,
                             const ZeroshotOptions& options,
                             const std::function<void(size_t picture, const NamedPicture&)>& take) {
  const ClassDirections classes(model, set, options);
  ZeroshotResult result;
  result.num_truncated = classes.num_truncated();
  const std::span<const ZeroshotPicture> pictures(set.pictures);
  size_t number = 0;
  ordered_pipeline<std::vector<NamedPicture>>(
      (pictures.size() + kPicturesAtOnce - 1) / kPicturesAtOnce,
      options.num_threads,
      [&](uint64_t stretch) {
        const size_t begin = stretch * kPicturesAtOnce;
        return named_stretch(
            model,
            classes,
            pictures.subspan(begin, std::min(kPicturesAtOnce, pictures.size() - begin)));
      },
      [&](std::vector<NamedPicture>&& stretch) {
        for (const NamedPicture& picture : stretch) {
          if (picture.error) {
            ++result.num_failed;
          } else {
            ++result.num_named;
            result.num_ties += picture.is_tied ? 1 : 0;
            result.top1.num_right += picture.rank == 0 ? 1 : 0;
            result.top5.num_right += picture.rank < 5 ? 1 : 0;
          }
          take(number++, picture);
        }
        if (options.observe) options.observe(number, pictures.size());
      },
      [] { return false; });
  result.top1 = share_of(result.top1.num_right, result.num_named, options.confidence);
  result.top5 = share_of(result.top5.num_right, result.num_named, options.confidence);
  return result;
}

}  // namespace snellen::run
