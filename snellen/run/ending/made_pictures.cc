// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/made_pictures.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/placed_picture.h"
#include "snellen/media/thumbnail.h"
#include "snellen/media/video/poster.h"
#include "snellen/store/picture_names.h"

namespace snellen::run {
namespace {

constexpr int kSmallSide = 256;
constexpr int kLargestSeen = 768;
constexpr int kLargestOfRung = 448;
constexpr size_t kMostFrames = 16;  // of a clip, side by side

std::string jpeg(const media::Image& image, int max_side, int quality) {
  return media::encode_jpeg(media::thumbnail(image, max_side),
                            {.quality = quality, .subsampling = media::ChromaSubsampling::k444});
}

// At most kMostFrames of them, evenly spread.
media::Image strip_of(const std::vector<media::Image>& frames) {
  std::vector<media::Image> some;
  const size_t count = std::min(frames.size(), kMostFrames);
  for (size_t i = 0; i < count; ++i) some.push_back(frames[i * frames.size() / count]);
  return media::contact_strip(some, std::min(some.front().height, 224));
}

Result<media::Image> whole_of(const media::VisualPlace& place) {
  return place.clip ? media::poster_frame(place.path) : media::read_image(place.path);
}

// As it is handed to a program or a server, which does with it what it will: known where it is
// changed before that.
Result<models::View> placed_view(const media::VisualPlace& place) {
  if (place.clip || media::change_key(place).empty())
    return Error{ErrorCode::kNotFound, "what this model is shown is not known"};
  Result<media::Image> whole = media::read_image(place.path);
  if (!whole) return whole.error();
  Result<media::Image> shown = media::as_placed(media::Image(*whole), place);
  if (!shown) return shown.error();
  return models::View{.whole = std::move(whole).value(), .shown = {std::move(shown).value()}};
}

Result<models::View> view_of(const models::Observed* observed, const media::VisualPlace& place) {
  Result<models::View> view =
      observed ? observed->view(place) : Error{ErrorCode::kNotFound, "not known"};
  return view || view.error().code() != ErrorCode::kNotFound ? view : placed_view(place);
}

std::string seen_jpeg(const models::View& view, const WantedPicture& wanted) {
  if (wanted.place.clip) return jpeg(strip_of(view.shown), 224 * static_cast<int>(kMostFrames), 85);
  if (wanted.control.empty()) return jpeg(view.shown.front(), kLargestSeen, 90);
  // Noise is large: what differs from one pixel to the next is stored a little coarser.
  return media::encode_jpeg(media::thumbnail(view.shown.front(), kLargestOfRung), {.quality = 80});
}

}  // namespace

MadePictures made_pictures(const WantedPicture& wanted, const models::Observed* observed) {
  MadePictures made;
  made.is_of_rung = !wanted.control.empty();
  if (!wanted.key) return made;
  const ContentKey key = *wanted.key;
  try {
    Result<models::View> view = view_of(observed, wanted.place);
    if (!made.is_of_rung) {
      Result<media::Image> whole = view && view->whole.width > 0
                                       ? Result<media::Image>(std::move(view->whole))
                                       : whole_of(wanted.place);
      if (!whole) return made;
      made.small = store::small_picture_name(key);
      made.files.emplace_back(made.small, jpeg(*whole, kSmallSide, 85));
    }
    if (!view || view->shown.empty()) return made;
    made.files.emplace_back(store::seen_picture_name(key, wanted.name, wanted.control),
                            seen_jpeg(*view, wanted));
    if (wanted.place.clip)
      made.files.emplace_back(
          store::seen_frames_name(key, wanted.name, wanted.control),
          nlohmann::ordered_json{{"seconds", view->frame_seconds}}.dump() + "\n");
  } catch (const Error&) {
    // Unreadable files fail their items; here they only have no picture.
  } catch (const std::filesystem::filesystem_error&) {
  }
  return made;
}

}  // namespace snellen::run
