// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/shared_chroma.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::eyechart {
namespace {

float brightness(const uint8_t* pixel) {
  return 0.299F * static_cast<float>(pixel[0]) + 0.587F * static_cast<float>(pixel[1]) +
         0.114F * static_cast<float>(pixel[2]);
}

uint8_t byte_of(float value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0F, 255.0F)));
}

// How far red and blue lie from the brightness, the mean of each 2 x 2 block.
struct ChromaPlanes {
  int width;
  int height;
  std::vector<float> red;
  std::vector<float> blue;

  size_t at(int x, int y) const {
    return static_cast<size_t>(std::clamp(y, 0, height - 1)) * static_cast<size_t>(width) +
           static_cast<size_t>(std::clamp(x, 0, width - 1));
  }
};

const uint8_t* pixel_at(const media::Image& image, int x, int y) {
  return image.row(y).data() + static_cast<ptrdiff_t>(x) * 3;
}

ChromaPlanes planes_of(const media::Image& image) {
  ChromaPlanes planes{image.width / 2, image.height / 2, {}, {}};
  for (int y = 0; y < planes.height; ++y) {
    for (int x = 0; x < planes.width; ++x) {
      float red = 0;
      float blue = 0;
      for (int i = 0; i < 4; ++i) {
        const uint8_t* pixel = pixel_at(image, 2 * x + i % 2, 2 * y + i / 2);
        const float luma = brightness(pixel);
        red += 0.25F * (static_cast<float>(pixel[0]) - luma);
        blue += 0.25F * (static_cast<float>(pixel[2]) - luma);
      }
      planes.red.push_back(red);
      planes.blue.push_back(blue);
    }
  }
  return planes;
}

// Weights 1 2 1 along one direction: encoders mix neighbouring blocks a little.
std::vector<float> smoothed(const ChromaPlanes& planes,
                            const std::vector<float>& values,
                            int dx,
                            int dy) {
  std::vector<float> result(values.size());
  for (int y = 0; y < planes.height; ++y) {
    for (int x = 0; x < planes.width; ++x) {
      result[planes.at(x, y)] = 0.25F * values[planes.at(x - dx, y - dy)] +
                                0.5F * values[planes.at(x, y)] +
                                0.25F * values[planes.at(x + dx, y + dy)];
    }
  }
  return result;
}

float green_of(float red, float blue) {
  return -(0.299F * red + 0.114F * blue) / 0.587F;
}

// Pales blocks of which a pixel is too dark or too bright for their colour: cutting would change
// its brightness, and the colour of that pixel alone.
void fit(const media::Image& image, ChromaPlanes& planes) {
  for (int y = 0; y < planes.height; ++y) {
    for (int x = 0; x < planes.width; ++x) {
      float& red = planes.red[planes.at(x, y)];
      float& blue = planes.blue[planes.at(x, y)];
      float share = 1;
      for (int i = 0; i < 4; ++i) {
        const float luma = brightness(pixel_at(image, 2 * x + i % 2, 2 * y + i / 2));
        for (const float part : {red, green_of(red, blue), blue}) {
          if (part > 0) share = std::min(share, (255 - luma) / part);
          if (part < 0) share = std::min(share, luma / -part);
        }
      }
      red *= share;
      blue *= share;
    }
  }
}

}  // namespace

void share_chroma(media::Image& image) {
  SNELLEN_CHECK(image.width % 2 == 0 && image.height % 2 == 0);
  ChromaPlanes planes = planes_of(image);
  for (auto* plane : {&planes.red, &planes.blue}) {
    *plane = smoothed(planes, *plane, 0, 1);
    *plane = smoothed(planes, *plane, 1, 0);
  }
  fit(image, planes);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const float red = planes.red[planes.at(x / 2, y / 2)];
      const float blue = planes.blue[planes.at(x / 2, y / 2)];
      uint8_t* pixel = image.row(y).data() + static_cast<ptrdiff_t>(x) * 3;
      const float luma = brightness(pixel);
      pixel[0] = byte_of(luma + red);
      pixel[1] = byte_of(luma + green_of(red, blue));
      pixel[2] = byte_of(luma + blue);
    }
  }
}

}  // namespace snellen::eyechart
