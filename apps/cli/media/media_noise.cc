// SPDX-License-Identifier: Apache-2.0
// The noise ladder of docs/spec/bias.md 1.3 on files.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "apps/cli/media/picture_files.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "apps/cli/worker_order.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/corruptions/noise.h"
#include "snellen/media/labelled_row.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostDrawnAhead = 8;

struct NoiseFlags : PictureFlags {
  std::vector<double> sigmas;
  std::string kind = "gaussian";
  std::string rng;
  uint64_t replicates = 1;
  bool wants_pure = false;
  bool is_compat = false;
  std::optional<uint64_t> contact_sheet;
};

struct Rung {
  std::string level;  // "e2"
  double amount = 0;
  bool is_pure = false;
};

struct Ladder {
  media::NoiseKind kind = media::NoiseKind::kGaussian;
  media::NoiseRule rule = media::NoiseRule::kOurs;
  bool is_numpy = false;
  std::vector<Rung> rungs;
};

std::vector<double> default_amounts(media::NoiseKind kind, media::NoiseRule rule) {
  if (rule == media::NoiseRule::kOurs && kind == media::NoiseKind::kSaltAndPepper)
    return {0.05, 0.2, 0.5};
  if (rule == media::NoiseRule::kOurs && kind == media::NoiseKind::kPoisson)
    return {0.1, 0.01, 0.001};
  return {1e2, 1e3, 1e4};
}

Ladder ladder_of(const NoiseFlags& flags) {
  Ladder ladder;
  ladder.kind = media::noise_kind_of(flags.kind).value();
  ladder.rule = flags.is_compat ? media::NoiseRule::kReference : media::NoiseRule::kOurs;
  ladder.is_numpy = flags.rng.empty() ? flags.is_compat : flags.rng == "numpy";
  for (double amount :
       flags.sigmas.empty() ? default_amounts(ladder.kind, ladder.rule) : flags.sigmas) {
    std::optional<Error> refused = media::refuse_amount(ladder.kind, ladder.rule, amount);
    if (refused) throw *refused;
    std::string level = media::level_name(amount);
    if (ladder.kind != media::NoiseKind::kGaussian && !flags.is_compat)
      level = fmt::format("{}-{}", flags.kind, level);
    for (const Rung& rung : ladder.rungs) {
      if (rung.level == level)
        throw Error{ErrorCode::kUsage, fmt::format("--sigmas names {} twice", amount)};
    }
    ladder.rungs.push_back({.level = level, .amount = amount});
  }
  if (flags.wants_pure) ladder.rungs.push_back({.level = "pure", .is_pure = true});
  if (ladder.is_numpy && flags.seed > 0xffffffffU) {
    throw Error{ErrorCode::kUsage,
                fmt::format("--seed {} is too large for NumPy's generator", flags.seed),
                "",
                "use a seed below 4294967296, or --rng splitmix"};
  }
  return ladder;
}

media::Image make_rung(const Ladder& ladder,
                       const Rung& rung,
                       const media::Image& picture,
                       media::NoiseStream& stream) {
  if (rung.is_pure) return media::pure_noise(picture.width, picture.height, stream);
  return media::noised(picture, ladder.kind, ladder.rule, rung.amount, stream);
}

// "5_base_e2.png"; the reference puts the level before every ".jpg" of the name.
std::string file_name(const fs::path& input, const std::string& level, const NoiseFlags& flags) {
  std::string name = input.filename().string();
  if (!flags.is_compat || name.find(".jpg") == std::string::npos)
    return fmt::format("{}_{}.{}", input.stem().string(), level, flags.extension());
  std::string mark = fmt::format("_{}.jpg", level);
  for (size_t at = 0; (at = name.find(".jpg", at)) != std::string::npos; at += mark.size())
    name.replace(at, 4, mark);
  return name;
}

struct ShownRung {
  std::string level;
  media::Image picture;
};

// One worker's part: all rungs of one picture.
class NoiseMaker {
 public:
  NoiseMaker(const NoiseFlags& flags, Ladder ladder, PictureInputs inputs)
      : flags_(flags),
        ladder_(std::move(ladder)),
        inputs_(std::move(inputs)),
        folder_(fs::path(flags.out) / "noisy"),
        numpy_(static_cast<uint32_t>(flags.seed)) {
    make_folder(folder_);
  }

  const PictureInputs& inputs() const { return inputs_; }
  const fs::path& folder() const { return folder_; }

  MadeFiles make(size_t i) {
    // NumPy's one generator runs on from file to file, so its noise is drawn in turn.
    std::optional<OrderedSection> section;
    if (ladder_.is_numpy) section.emplace(order_, i);
    MadeFiles made;
    Result<media::Image> picture =
        media::read_image(inputs_.files[i], {.alpha_on_white = !flags_.is_compat});
    if (!picture) {
      made.errors.push_back(picture.error());
      return made;
    }
    if (section) section->wait();
    // A few rungs are drawn at once, so that others can draw while these are encoded; many would
    // not fit in memory.
    std::vector<media::Image> drawn;
    if (section && ladder_.rungs.size() * flags_.replicates <= kMostDrawnAhead) {
      for_each_rung([&](const Rung& rung, uint64_t) {
        drawn.push_back(make_rung(ladder_, rung, *picture, numpy_));
      });
      section.reset();
    }
    std::vector<ShownRung> sheet;
    size_t next = 0;
    for_each_rung([&](const Rung& rung, uint64_t replicate) {
      MadePicture file{.path = path_of(i, rung, replicate),
                       .picture = !drawn.empty() ? std::move(drawn[next++])
                                  : section      ? make_rung(ladder_, rung, *picture, numpy_)
                                                 : keyed_rung(rung, *picture, i, replicate),
                       .format = flags_.wanted_format(),
                       .is_noise = true};
      write_picture(file);
      made.written.push_back(file.path);
      if (is_on_sheet(i) && replicate == 0) sheet.push_back({rung.level, std::move(file.picture)});
    });
    if (is_on_sheet(i)) made.written.push_back(write_sheet(i, *picture, sheet));
    return made;
  }

 private:
  template <typename Visit>
  void for_each_rung(Visit visit) const {
    for (const Rung& rung : ladder_.rungs) {
      for (uint64_t replicate = 0; replicate < flags_.replicates; ++replicate)
        visit(rung, replicate);
    }
  }

  media::Image keyed_rung(const Rung& rung,
                          const media::Image& picture,
                          size_t i,
                          uint64_t replicate) const {
    std::string stem = inputs_.files[i].stem().string();
    media::SplitMixStream stream(media::NoiseKey{
        .seed = flags_.seed, .image_id = stem, .level = rung.level, .replicate = replicate});
    return make_rung(ladder_, rung, picture, stream);
  }

  fs::path path_of(size_t i, const Rung& rung, uint64_t replicate) const {
    std::string level = replicate == 0 ? rung.level : fmt::format("{}_r{}", rung.level, replicate);
    return folder_ / file_name(inputs_.files[i], level, flags_);
  }

  bool is_on_sheet(size_t i) const { return flags_.contact_sheet && *flags_.contact_sheet == i; }

  // The picture and its rungs in one row, as the reference's window shows them.
  fs::path write_sheet(size_t i,
                       const media::Image& picture,
                       const std::vector<ShownRung>& rungs) const {
    std::vector<media::LabelledPicture> shown = {{&picture, "original"}};
    for (const ShownRung& rung : rungs) shown.push_back({&rung.picture, rung.level});
    fs::path path = fs::path(flags_.out) / fmt::format("contact_sheet_{}.png", i);
    write_picture({.path = path,
                   .picture = media::labelled_row(shown),
                   .format = PictureFormat::kPng,
                   .is_noise = true});
    return path;
  }

  const NoiseFlags& flags_;
  Ladder ladder_;
  PictureInputs inputs_;
  fs::path folder_;
  WorkerOrder order_;
  media::NumpyStream numpy_;  // used by whose turn it is
};

int run_noise(const Context& context, NoiseFlags& flags) {
  if (flags.is_compat) flags.format = "jpg";
  Ladder ladder = ladder_of(flags);
  PictureInputs inputs = find_pictures(flags.inputs);
  if (flags.contact_sheet && *flags.contact_sheet >= inputs.files.size()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("--contact-sheet {} but there are {} pictures",
                            *flags.contact_sheet,
                            inputs.files.size()),
                "",
                "pictures are counted from 0 in natural order of their names"};
  }
  NoiseMaker maker(flags, std::move(ladder), std::move(inputs));
  return make_picture_files(
      context, maker.inputs(), flags.threads(), maker.folder(), [&](size_t i) {
        return maker.make(i);
      });
}

}  // namespace

std::function<int()> add_media_noise(Command media, Context& context) {
  using config::option;
  using S = NoiseFlags;
  Command verb = media.add_subcommand("noise", "the noise levels of the blind-image control");
  verb.footer(
      "Writes DIR/noisy/{stem}_{level}.png: e2 is sigma 100, s25 is sigma 25. --compat\n"
      "reproduces the reference: NumPy's generator, JPEG, and its own salt_and_pepper and "
      "poisson.\n"
      "Example:\n  snellen media noise images --out noised --pure --contact-sheet 5");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, PictureFlags>(picture_options()),
           {option(&S::sigmas,
                   "sigmas",
                   "noise levels in gray values, separated by commas (default 1e2,1e3,1e4); a "
                   "share for salt_and_pepper, a factor for poisson")
                .many()
                .value("S,..."),
            option(
                &S::wants_pure, "pure", "add a level of noise that does not depend on the image"),
            option(&S::kind, "noise-kind", "gaussian, uniform, salt_and_pepper or poisson"),
            option(&S::rng, "rng", "random numbers: our keyed streams, or NumPy's generator")
                .choices({"splitmix", "numpy"}),
            option(&S::replicates, "replicates", "repetitions per level").range(1, 1000),
            option(&S::contact_sheet,
                   "contact-sheet",
                   "also write a labelled strip of image N (counted from 0) and its levels"),
            option(&S::is_compat, "compat", "reproduce the reference script")}}),
      [&context](S flags) { return run_noise(context, flags); });
}

}  // namespace snellen::cli
