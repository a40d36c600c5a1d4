// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/picture_check.h"

#include <gtest/gtest.h>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/masks/composite.h"
#include "snellen/media/masks/fillers.h"

namespace snellen::builders::probe_b {
namespace {

using media::Image;
using media::Mask;

class PictureCheck : public testing::Test {
 protected:
  PictureCheck()
      : picture_(media::noise_canvas(64, 48, Rng("picture"))),
        canvas_(media::noise_canvas(64, 48, Rng("canvas"))),
        mask_(Mask::blank(64, 48)) {
    for (int y = 8; y < 40; ++y) {
      for (size_t x = 13; x < 50; ++x) mask_.row(y)[x] = 1;
    }
  }

  static Image through_jpeg(const Image& image) {
    std::string bytes =
        media::encode_jpeg(image, {.quality = 95, .subsampling = media::ChromaSubsampling::k444});
    return media::decode_image(bytes, "test").value();
  }

  Image picture_;
  Image canvas_;
  Mask mask_;
};

TEST_F(PictureCheck, PassesWhatJpegDoesToNoise) {
  Image made = through_jpeg(media::keep_marked(picture_, mask_, canvas_));
  EXPECT_EQ(difference_from(made, picture_, mask_, canvas_), "");
}

TEST_F(PictureCheck, FindsAnotherPictureAnotherFillerAndOneWrongBlock) {
  Image made = media::keep_marked(picture_, mask_, canvas_);
  EXPECT_NE(difference_from(canvas_, picture_, mask_, canvas_).find("kept"), std::string::npos);
  EXPECT_NE(difference_from(picture_, picture_, mask_, canvas_).find("removed"), std::string::npos);
  for (int y = 0; y < 8; ++y) {
    for (size_t i = 0; i < 24; ++i) made.row(y)[i] = static_cast<uint8_t>(made.row(y)[i] + 128);
  }
  EXPECT_NE(difference_from(made, picture_, mask_, canvas_).find("removed"), std::string::npos);
  EXPECT_NE(difference_from(Image::blank(8, 8), picture_, mask_, canvas_).find("8 x 8"),
            std::string::npos);
}

}  // namespace
}  // namespace snellen::builders::probe_b
