// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/media/picture_files.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/control/noise_set.h"

namespace snellen::cli {
namespace {

struct ControlFlags : BuildFlags {
  std::vector<std::string> images;
  std::string format = "png";
  bool has_no_pure = false;
};

int run_build_control(const Context& context, const ControlFlags& flags) {
  const PictureInputs inputs = find_pictures(flags.images);
  for (const std::filesystem::path& path : inputs.skipped)
    print_note("snellen: {}: not a picture by its name, skipped\n", path.string());
  BuildProgress progress;
  const builders::BuildReport report = builders::control::build(inputs.files,
                                                                {.seed = flags.seed.value_or(0),
                                                                 .has_pure = !flags.has_no_pure,
                                                                 .is_jpeg = flags.format == "jpg"},
                                                                flags.out,
                                                                workers_of(flags, progress));
  return show_build(context, report, flags.out);
}

}  // namespace

std::function<int()> add_build_control(Command build, Context& context) {
  using config::option;
  using S = ControlFlags;
  Command verb =
      build.add_subcommand("control", "the noise levels of the blind-image control, as files");
  verb.footer(
      "Writes DIR/noisy/{stem}_{level}.png for e2, e3, e4 and pure, a contact sheet per picture, "
      "and\n"
      "DIR/statistics.json: what the noise must give and what it gave, for each picture, channel "
      "and\n"
      "level. `run --tasks control` needs none of these files: it draws the same noise itself.\n"
      "Example:\n  snellen build control --images images --out noise_set");
  return verb_with(
      verb,
      S{},
      config::joined({config::inherited<S, BuildFlags>(build_options()),
                      {option(&S::images, "images", "pictures, or a folder of them")
                           .many()
                           .required()
                           .value("DIR"),
                       option(&S::format, "format", "png, or jpg of quality 95 with 4:2:0 chroma")
                           .choices({"png", "jpg"}),
                       option(&S::has_no_pure,
                              "no-pure",
                              "leave out the level that does not depend on the picture")}}),
      [&context](const S& flags) { return run_build_control(context, flags); });
}

}  // namespace snellen::cli
