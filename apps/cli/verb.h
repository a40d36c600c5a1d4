// SPDX-License-Identifier: Apache-2.0
// A verb of the program: declares its flags, then runs. One file each; main.cc lists them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "snellen/run/settings.h"

namespace snellen::cli {

// What every verb gets.
struct Context {
  const run::Catalogue& catalogue;
  std::string command;      // the command line, for stamps
  std::string program;      // path of this program, to find its data
  bool wants_json = false;  // --json, on every verb
};

// Adds the verb to the program; the returned function runs it and gives the exit code.
using Verb = std::function<int()> (*)(CLI::App& app, Context& context);

std::function<int()> add_build(CLI::App& app, Context& context);
std::function<int()> add_cache(CLI::App& app, Context& context);
std::function<int()> add_check(CLI::App& app, Context& context);
std::function<int()> add_cider(CLI::App& app, Context& context);
std::function<int()> add_compare(CLI::App& app, Context& context);
std::function<int()> add_demo(CLI::App& app, Context& context);
std::function<int()> add_doctor(CLI::App& app, Context& context);
std::function<int()> add_finetune(CLI::App& app, Context& context);
std::function<int()> add_gate(CLI::App& app, Context& context);
std::function<int()> add_power(CLI::App& app, Context& context);
std::function<int()> add_list(CLI::App& app, Context& context);
std::function<int()> add_media(CLI::App& app, Context& context);
std::function<int()> add_merge(CLI::App& app, Context& context);
std::function<int()> add_meteor(CLI::App& app, Context& context);
std::function<int()> add_patch(CLI::App& app, Context& context);
std::function<int()> add_run(CLI::App& app, Context& context);
std::function<int()> add_score(CLI::App& app, Context& context);
std::function<int()> add_tokenize(CLI::App& app, Context& context);
std::function<int()> add_train(CLI::App& app, Context& context);
std::function<int()> add_vader(CLI::App& app, Context& context);
std::function<int()> add_verify(CLI::App& app, Context& context);
std::function<int()> add_zeroshot(CLI::App& app, Context& context);

}  // namespace snellen::cli
