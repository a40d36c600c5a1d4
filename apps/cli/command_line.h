// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "snellen/base/error.h"
#include "snellen/config/options.h"

namespace snellen::cli {

// '--batch_size' as '--batch-size': '_' and '-' are the same in names.
std::vector<std::string> canonical_arguments(int argc, char** argv);
// The command as it could be typed again.
std::string command_line(int argc, char** argv);

// Flags made of declared options; what the user gave is put into `values`.
class OptionFlags {
 public:
  OptionFlags(CLI::App& app,
              std::vector<config::OptionFacts> declared,
              const std::vector<std::string>& hidden = {});

  // The options as the command line (and, below it, a --config file) set them.
  config::Options options(const std::string& config_file = {}) const;
  void set(const std::string& name, const std::string& value) { given_[name] = value; }

 private:
  std::vector<config::OptionFacts> declared_;
  std::shared_ptr<std::map<std::string, std::string>> from_flags_ =
      std::make_shared<std::map<std::string, std::string>>();
  std::map<std::string, std::string> given_;
};

int exit_code_of(ErrorCode code);

}  // namespace snellen::cli
