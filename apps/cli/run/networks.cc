// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/networks.h"

#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/data_folder.h"
#include "apps/cli/run/tile_unit.h"
#include "snellen/base/error.h"

namespace snellen::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kModule = "libsnellen_networks.so";

// Empty when there is none.
fs::path find_module(const Context& context) {
  fs::path folder = fs::canonical(context.program).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "lib"}) {
    std::error_code ignored;
    if (fs::exists(place / kModule, ignored)) return place / kModule;
  }
  return {};
}

}  // namespace

fs::path prepared_network_module(const Context& context) {
  fs::path file = find_module(context);
  if (file.empty()) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("{} is not beside the program", kModule),
                fs::canonical(context.program).parent_path().string(),
                "build it with torch: ./dev build"};
  }
  // oneDNN believes what the processor announces; products in bfloat16 would end the program.
  if (!runs_tile_products()) ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  return file;
}

bool has_network_module(const Context& context) {
  return !find_module(context).empty();
}

models::NetworkModule open_network_module(const Context& context) {
  return models::NetworkModule(prepared_network_module(context));
}

void add_network_flags(CLI::App& verb, NetworkFlags& flags) {
  verb.add_option("--model", flags.model, "checkpoint folder, as downloaded")
      ->required()
      ->type_name("DIR");
  verb.add_option(
          "--layout", flags.layout, "whose files to read where a folder has both (default auto)")
      ->check(CLI::IsMember({"auto", "hf", "open_clip"}));
  verb.add_option("--device", flags.device, "cpu, cuda or cuda:N (default cpu)");
  verb.add_option(
          "--dtype",
          flags.dtype,
          "numbers to compute in (default fp32; auto takes bf16 where the processor has units "
          "for it)")
      ->check(CLI::IsMember({"auto", "fp32", "bf16", "fp16"}));
  verb.add_option("--quick-gelu",
                  flags.quick_gelu,
                  "open_clip folders: QuickGELU as the config says, on or off")
      ->check(CLI::IsMember({"auto", "on", "off"}));
}

models::Layout layout_of(const NetworkFlags& flags) {
  if (flags.layout == "hf") return models::Layout::kHuggingFace;
  if (flags.layout == "open_clip") return models::Layout::kOpenClip;
  return models::Layout::kAuto;
}

models::NetworkOptions network_options(const NetworkFlags& flags) {
  models::NetworkOptions options;
  options.device = flags.device;
  options.quick_gelu = flags.quick_gelu;
  bool is_cpu = flags.device == "cpu";
  if (!is_cpu && flags.device != "cuda" && !flags.device.starts_with("cuda:"))
    throw Error{
        ErrorCode::kUsage, "is '" + flags.device + "', expected cpu, cuda or cuda:N", "--device"};
  bool is_brain =
      flags.dtype == "bf16" || (flags.dtype == "auto" && (!is_cpu || runs_tile_products()));
  if (is_brain) options.dtype = models::ElementKind::kBFloat16;
  if (flags.dtype == "fp16") {
    if (is_cpu)
      throw Error{ErrorCode::kUsage, "fp16 is for GPUs", "--dtype", "take fp32 or bf16 on the CPU"};
    options.dtype = models::ElementKind::kFloat16;
  }
  return options;
}

fs::path clip_vocabulary(const Context& context) {
  return find_data_or_none(context, fs::path("clip") / "bpe_simple_vocab_16e6.txt.gz");
}

std::unique_ptr<const text::Tokenizer> open_tokenizer(const Context& context,
                                                      const fs::path& folder,
                                                      std::optional<text::TokenizerFamily> family) {
  return text::load_tokenizer(
      {.folder = folder, .family = family, .clip_vocabulary = clip_vocabulary(context)});
}

}  // namespace snellen::cli
