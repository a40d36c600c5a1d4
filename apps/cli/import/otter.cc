// SPDX-License-Identifier: Apache-2.0
// OTTER's checkpoint as its authors publish it, as a folder that `--model` takes.
#include <fmt/format.h>

#include "apps/cli/import/import.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "snellen/models/checkpoint/otter_layout.h"

namespace snellen::cli {
namespace {

struct OtterFlags {
  models::OtterSources sources;
  std::filesystem::path out;
};

int run_import(const Context& context, const OtterFlags& flags) {
  const models::OtterFolder made = models::convert_otter(flags.sources, flags.out);
  if (context.wants_json) {
    print_json({{"folder", flags.out.string()},
                {"tensors", made.num_tensors},
                {"left_out", made.num_left_out}});
  } else {
    fmt::print("{} weights in {}, {} entries of the file are left out\n",
               made.num_tensors,
               flags.out.string(),
               made.num_left_out);
  }
  return 0;
}

}  // namespace

std::function<int()> add_import_otter(Command import, Context& context) {
  using config::option;
  using S = OtterFlags;
  using Sources = models::OtterSources;
  Command verb = import.add_subcommand("otter", "OTTER's published checkpoint as a model folder");
  verb.footer(
      "The text encoder's folder gives its config.json and tokenizer; its weights come from the\n"
      "checkpoint. Never compared with its authors' numbers: their file could not be obtained.\n"
      "Example:\n"
      "  snellen import otter otter.pth.tar --text-model declutr-sci-base --output otter\n"
      "  snellen run --model otter --tasks probe-c --data annotations --output runs");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::nested(&S::sources,
                          {option(&Sources::checkpoint, "checkpoint", "the authors' file, .pth.tar")
                               .positional()
                               .required()
                               .value("FILE"),
                           option(&Sources::text_model, "text-model", "folder of the text encoder")
                               .required()
                               .value("DIR"),
                           option(&Sources::temperature,
                                  "temperature",
                                  "factor of the cosine, where the file holds none")
                               .above(0)}),
           {option(&S::out, "output", "model folder to write")
                .alias("o")
                .required()
                .value("DIR")}}),
      [&context](const S& flags) { return run_import(context, flags); });
}

}  // namespace snellen::cli
