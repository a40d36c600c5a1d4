// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/picture_key.h"

#include "snellen/media/codecs/decode.h"
#include "snellen/media/placed_picture.h"

namespace snellen::training {

std::string picture_key(const media::VisualPlace& place) {
  return place.path.lexically_normal().string() + media::change_key(place);
}

Result<media::Image> read_picture(const media::VisualPlace& place,
                                  const media::ImageProcessor& processor) {
  Result<media::Image> decoded = media::read_image(place.path);
  if (!decoded) return decoded;
  Result<media::Image> shown = media::as_placed(std::move(decoded).value(), place);
  if (!shown) return shown;
  return processor.to_bytes(*shown);
}

}  // namespace snellen::training
