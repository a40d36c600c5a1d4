// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/pictures.h"

#include <optional>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/builders/output_folder.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/masks/composite.h"
#include "snellen/media/masks/mask.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;

Result<media::Image> read_source(const ImagePlan& plan, const fs::path& images) {
  fs::path path = images / plan.image.file_name;
  Result<media::Image> picture = media::read_image(path);
  if (!picture) return picture.error();
  if (picture->width == plan.image.width && picture->height == plan.image.height) return picture;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("is {} x {} pixels, the annotations say {} x {}",
                           picture->width,
                           picture->height,
                           plan.image.width,
                           plan.image.height),
               path.string(),
               "use the pictures the annotations were made for"};
}

std::vector<fs::path> folders_of(const PictureOptions& options) {
  std::vector<fs::path> folders;
  for (media::Filler filler : options.fillers) {
    folders.push_back(removed_folder(filler));
    folders.push_back(patched_folder(filler));
    folders.push_back(alone_folder(filler));
  }
  return folders;
}

}  // namespace

fs::path removed_folder(media::Filler filler) {
  return fs::path(kRemovedFolder) / "segmentation_mask" / media::name_of(filler);
}

fs::path patched_folder(media::Filler filler) {
  return fs::path(kPatchedFolder) / media::name_of(filler);
}

fs::path alone_folder(media::Filler filler) {
  return fs::path(kAloneFolder) / "segmentation_mask" / media::name_of(filler);
}

media::Image canvas_of(media::Filler filler,
                       const annotations::CocoImage& image,
                       uint64_t seed,
                       Scenes* scenes) {
  switch (filler) {
    case media::Filler::kBlack:
      return media::solid_canvas(image.width, image.height, 0);
    case media::Filler::kGray:
      return media::solid_canvas(image.width, image.height, media::kGrayFill);
    case media::Filler::kNoise:
      return media::noise_canvas(
          image.width, image.height, Rng(fmt::format("{}|probe-b-noise|{}", seed, image.id)));
    case media::Filler::kScene:
      break;
  }
  SNELLEN_CHECK(scenes != nullptr);
  uint64_t scene =
      media::draw_scene(scenes->size(), Rng(fmt::format("{}|probe-b-scene|{}", seed, image.id)));
  return media::scene_canvas(*scenes->picture(scene), image.width, image.height);
}

bool is_whole_picture(const fs::path& path,
                      const annotations::CocoImage& image,
                      PictureFormat format) {
  std::error_code code;
  if (!fs::is_regular_file(path, code) || fs::file_size(path, code) == 0) return false;
  const FileBytes file(path);
  std::string_view ending =
      format == PictureFormat::kJpeg ? "\xff\xd9" : std::string_view("IEND\xae\x42\x60\x82", 8);
  if (!file.bytes().ends_with(ending)) return false;
  Result<media::ImageInfo> info = media::image_info(file.bytes(), path.string());
  media::ImageFormat wanted =
      format == PictureFormat::kJpeg ? media::ImageFormat::kJpeg : media::ImageFormat::kPng;
  return info && info->format == wanted && info->width == image.width &&
         info->height == image.height;
}

namespace {

// As ImagePlan::file_name() and file_name_alone() name them.
bool is_name_of_ours(std::string_view name, bool may_name_class) {
  constexpr std::string_view kStem = "COCO_val2014_", kEnding = ".jpg";
  const size_t at = name.rfind(kStem);
  if (at == std::string_view::npos || !name.ends_with(kEnding)) return false;
  if (at > 0 && (!may_name_class || name[at - 1] != '_' || at == 1)) return false;
  name.remove_prefix(at + kStem.size());
  name.remove_suffix(kEnding.size());
  return name.size() >= 12 && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// With the folders up to `out` that nothing is left in.
void remove_pictures_of(const fs::path& out, const fs::path& below, bool may_name_class) {
  std::error_code ignored;
  if (!fs::is_directory(out / below, ignored)) return;
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(out / below)) {
    const std::string name = entry.path().filename().string();
    if (is_half_written(entry.path()) || is_name_of_ours(name, may_name_class))
      ours.push_back(entry.path());
  }
  for (const fs::path& path : ours) fs::remove(path);
  for (fs::path folder = below; !folder.empty(); folder = folder.parent_path())
    fs::remove(out / folder, ignored);
}

}  // namespace

void remove_pictures(const fs::path& out) {
  using media::Filler;
  for (const Filler filler : {Filler::kBlack, Filler::kGray, Filler::kNoise, Filler::kScene}) {
    remove_pictures_of(out, removed_folder(filler), /*may_name_class=*/false);
    remove_pictures_of(out, patched_folder(filler), /*may_name_class=*/false);
    remove_pictures_of(out, alone_folder(filler), /*may_name_class=*/true);
  }
}

// A picture still to be made; the patched one has no mask.
struct PictureWriter::Target {
  fs::path path;
  const media::Rle* mask;
};

PictureWriter::PictureWriter(fs::path out, PictureOptions options, Scenes* scenes)
    : out_(std::move(out)), options_(std::move(options)), scenes_(scenes) {
  for (const fs::path& folder : folders_of(options_)) {
    builders::make_output_folder(out_ / folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(out_ / folder))
      present_.insert((folder / entry.path().filename()).native());
  }
}

std::vector<PictureWriter::Target> PictureWriter::missing(const ImagePlan& plan,
                                                          media::Filler filler) const {
  std::vector<Target> targets;
  auto want = [&](const fs::path& relative, const media::Rle* mask) {
    bool is_there = present_.contains(relative.native()) &&
                    is_whole_picture(out_ / relative, plan.image, options_.format);
    if (!is_there) targets.push_back({.path = out_ / relative, .mask = mask});
  };
  want(removed_folder(filler) / plan.file_name(), &plan.objects);
  want(patched_folder(filler) / plan.file_name(), nullptr);
  for (const PlannedClass& one : plan.classes) {
    if (one.is_alone) want(alone_folder(filler) / plan.file_name_alone(one), &one.mask);
  }
  return targets;
}

void PictureWriter::save(const fs::path& path, const media::Image& picture) const {
  std::string bytes =
      options_.format == PictureFormat::kJpeg
          ? media::encode_jpeg(picture,
                               {.quality = 95, .subsampling = media::ChromaSubsampling::k444})
          : media::encode_png(picture);
  write_text_file(path, bytes, Sync::kLater);
}

Result<size_t> PictureWriter::write(const ImagePlan& plan, const fs::path& images) const {
  std::optional<media::Image> source;
  size_t num_written = 0;
  for (media::Filler filler : options_.fillers) {
    std::vector<Target> targets = missing(plan, filler);
    if (targets.empty()) continue;
    if (!source) {
      Result<media::Image> read = read_source(plan, images);
      if (!read) return read.error();
      source = std::move(read).value();
    }
    media::Image canvas = canvas_of(filler, plan.image, options_.seed, scenes_);
    for (const Target& target : targets) {
      save(target.path,
           target.mask != nullptr
               ? media::keep_marked(*source, media::mask_of(*target.mask), canvas)
               : media::paste_patch(*source, plan.patch->place, canvas));
      ++num_written;
    }
  }
  return num_written;
}

}  // namespace snellen::builders::probe_b
