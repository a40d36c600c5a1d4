// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_pixels.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/models/checkpoint/safetensors.h"

namespace snellen::golden {
namespace {

// Both stages of the frames of one picture or clip, one after the other, channels first.
struct Stages {
  std::vector<uint8_t> bytes;
  std::vector<float> floats;
};

void append_planes(const media::Image& image, std::vector<uint8_t>& out) {
  for (size_t channel = 0; channel < 3; ++channel) {
    for (size_t i = channel; i < image.pixels.size(); i += 3) out.push_back(image.pixels[i]);
  }
}

Stages stages_of(const media::ImageProcessor& processor,
                 const std::filesystem::path& folder,
                 const std::vector<std::string>& frames) {
  Stages stages;
  for (const std::string& frame : frames) {
    media::Image bytes = processor.to_bytes(media::read_image(folder / frame).value()).value();
    append_planes(bytes, stages.bytes);
    std::vector<float> floats(bytes.pixels.size());
    processor.to_floats(bytes, floats);
    stages.floats.insert(stages.floats.end(), floats.begin(), floats.end());
  }
  return stages;
}

double tolerance_of(const Json& fixture, const std::string& stage) {
  for (const Json& one : fixture["stages"]) {
    if (one["name"] == stage) return one.value("tol", 0.0);
  }
  return 0.0;
}

// The stored answers by name.
class Answers {
 public:
  explicit Answers(const std::filesystem::path& path)
      : file_(path), tensors_(models::read_safetensors(file_.bytes(), path.string())) {}

  const models::StoredTensorView& at(const std::string& name) const {
    for (const models::NamedTensor& one : tensors_) {
      if (one.name == name) return one.tensor;
    }
    throw Error{ErrorCode::kInvalidInput, "no tensor " + name, file_.path().string()};
  }

 private:
  MappedFile file_;
  std::vector<models::NamedTensor> tensors_;
};

void compare(const Stages& got,
             const Answers& want,
             const std::string& name,
             double tolerance,
             Tally& tally) {
  const models::StoredTensorView& bytes = want.at(name + ".u8");
  tally.expect(bytes.type == models::ElementType::kU8 && bytes.bytes.size() == got.bytes.size() &&
                   std::memcmp(bytes.bytes.data(), got.bytes.data(), got.bytes.size()) == 0,
               "u8 differs");
  const models::StoredTensorView& pixels = want.at(name + ".pixels");
  std::vector<float> floats(pixels.bytes.size() / sizeof(float));
  tally.expect(pixels.type == models::ElementType::kF32 && floats.size() == got.floats.size(),
               "pixels: another number of values");
  std::memcpy(floats.data(), pixels.bytes.data(), floats.size() * sizeof(float));
  double worst = 0;
  for (size_t i = 0; i < std::min(floats.size(), got.floats.size()); ++i)
    worst = std::max(worst, std::abs(double{floats[i]} - double{got.floats[i]}));
  tally.expect(worst <= tolerance, fmt::format("pixels differ by {}", worst));
}

// Pillow changed its order of passes with release 13; a fixture says which one made it.
media::PassOrder order_of(const Json& fixture) {
  const std::string version = fixture["reference"].value("pillow", "13");
  return std::stoi(version) >= 13 ? media::PassOrder::kPillow13
                                  : media::PassOrder::kHorizontalFirst;
}

}  // namespace

void check_pixel_stages(const std::filesystem::path& folder, Tally& tally) {
  const Json fixture = Json::parse(read_text_file(folder / "fixture.json"));
  const bool has_clips = fixture.contains("clips") && !fixture["clips"].empty();
  const bool has_images = fixture.contains("images") && !fixture["images"].empty();
  if (!has_clips && !has_images) return;
  const media::ImageProcessor processor(media::read_processor_config(folder), order_of(fixture));
  const Answers want(folder / "fixture.safetensors");
  for (const char* kind : {"image", "clip"}) {
    const std::string list = fmt::format("{}s", kind);
    if (!fixture.contains(list)) continue;
    const double tolerance = tolerance_of(fixture, fmt::format("{}.*.pixels", kind));
    for (size_t i = 0; i < fixture[list].size(); ++i) {
      const Json& one = fixture[list][i];
      const std::string name = fmt::format("{}.{}", kind, i);
      tally.start(name);
      std::vector<std::string> frames = one.contains("frames")
                                            ? one["frames"].get<std::vector<std::string>>()
                                            : std::vector<std::string>{one["file"]};
      compare(stages_of(processor, folder, frames), want, name, tolerance, tally);
    }
  }
}

}  // namespace snellen::golden
