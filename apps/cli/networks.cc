// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/networks.h"

#include "apps/cli/data_folder.h"
#include "snellen/base/error.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::cli {

namespace fs = std::filesystem;

fs::path network_module_file(const Context& context) {
  fs::path folder = fs::canonical(context.program).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "lib"}) {
    std::error_code ignored;
    if (fs::exists(place / "libsnellen_networks.so", ignored))
      return place / "libsnellen_networks.so";
  }
  throw Error{ErrorCode::kNotFound,
              "libsnellen_networks.so is not beside the program",
              folder.string(),
              "build it with torch: ./dev build"};
}

void add_network_flags(CLI::App& verb, NetworkFlags& flags) {
  verb.add_option("--model", flags.model, "checkpoint folder, as downloaded")
      ->required()
      ->type_name("DIR");
  verb.add_option(
          "--layout", flags.layout, "whose files to read where a folder has both (default auto)")
      ->check(CLI::IsMember({"auto", "hf", "open_clip"}));
  verb.add_option("--device", flags.device, "cpu, cuda or cuda:N (default cpu)");
  verb.add_option("--dtype",
                  flags.dtype,
                  "numbers to compute in (default auto: fp32 on the CPU, bf16 on a GPU)")
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
  if (flags.dtype == "bf16" || (flags.dtype == "auto" && !is_cpu))
    options.dtype = models::ElementKind::kBFloat16;
  if (flags.dtype == "fp16") {
    if (is_cpu)
      throw Error{ErrorCode::kUsage, "fp16 is for GPUs", "--dtype", "take fp32 or bf16 on the CPU"};
    options.dtype = models::ElementKind::kFloat16;
  }
  return options;
}

std::unique_ptr<const text::Tokenizer> open_tokenizer(const Context& context,
                                                      const fs::path& folder,
                                                      models::Layout layout) {
  text::TokenizerSource source{.folder = folder, .family = {}, .clip_vocabulary = {}};
  std::error_code ignored;
  bool has_files =
      fs::exists(folder / "tokenizer.json", ignored) || fs::exists(folder / "vocab.json", ignored);
  if (!has_files && fs::exists(folder / "open_clip_config.json", ignored) &&
      layout != models::Layout::kHuggingFace) {
    source.family = text::TokenizerFamily::kOpenClip;
    if (!fs::exists(folder / "bpe_simple_vocab_16e6.txt.gz", ignored))
      source.clip_vocabulary = find_data(context, "clip/bpe_simple_vocab_16e6.txt.gz");
  }
  return text::load_tokenizer(source);
}

}  // namespace snellen::cli
