// SPDX-License-Identifier: Apache-2.0
// The catalogue of ways to take a picture away from a model (docs/spec/bias.md 4.1), for any task.
// A corruption is written as its name, with a parameter behind a colon where it has one: "gray",
// "gauss:100", "patchshuffle:4".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/media/corruptions/noise_stream.h"
#include "snellen/media/image.h"

namespace snellen::media {

// What the model is shown.
enum class Shows {
  kPixels,        // the item's own picture, changed
  kNothing,       // no picture
  kOtherPicture,  // the picture of another item; see mismatch.h
  kFrames,        // the item's own clip, its frames in another order or fewer; see frame_order.h
};

struct ParameterFacts {
  std::string_view name;
  double low = 0;
  double high = 0;
  bool is_low_allowed = true;
  bool is_whole = false;
};

struct CorruptionFacts {
  std::string_view name;
  std::string_view summary;  // one line
  Shows shows = Shows::kPixels;
  std::optional<ParameterFacts> parameter;
  // Null unless kPixels.
  Result<Image> (*apply)(const Image& picture, double parameter, SplitMixStream& stream) = nullptr;

  // "gauss:SIGMA"
  std::string usage() const;
  // "0 < SIGMA <= 256, whole"; empty without a parameter.
  std::string range() const;
};

std::span<const CorruptionFacts> corruption_catalogue();

// A corruption with its parameter.
class Corruption {
 public:
  const CorruptionFacts& facts() const { return *facts_; }
  double parameter() const { return parameter_; }
  // As it would be written: "gauss:100" for "gauss:1e2", "e2" for the control's level.
  std::string name() const;

 private:
  Corruption(const CorruptionFacts& facts, double parameter, std::string level = {})
      : facts_(&facts), parameter_(parameter), level_(std::move(level)) {}
  friend Result<Corruption> corruption_of(std::string_view text);

  const CorruptionFacts* facts_;
  double parameter_;
  std::string level_;  // of the control; empty for all others
};

// Also the levels of the blind-image control: e2, e3, ... and s25 are Gaussian noise of sigma 100,
// 1000, 25, drawn from the stream of that level as `media noise` draws it. kUsage for an unknown
// name (with the nearest known ones), a parameter that is missing, unwanted, no number or out of
// range.
Result<Corruption> corruption_of(std::string_view text);

// Which picture, and which repetition of the draw.
struct CorruptionKey {
  uint64_t seed = 0;
  std::string_view image_id;
  uint64_t replicate = 0;
};

// The picture corrupted; the stream is that of docs/spec/bias.md 1.3 with the corruption's name as
// level, so the same key gives the same bytes anywhere. An error for a picture the corruption
// cannot be applied to, and for corruptions that show something else than the picture.
Result<Image> corrupted(const Corruption& corruption,
                        const Image& picture,
                        const CorruptionKey& key);

}  // namespace snellen::media
