// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command.h"

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace snellen::cli {

Command Command::add_subcommand(const std::string& name, const std::string& help) {
  return Command(*app_->add_subcommand(name, help));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

bool Command::parsed() const {
  return app_->parsed();
}

Command Command::last_subcommand() const {
  return Command(*app_->get_subcommands({}).back());
}

std::function<int()> add_subcommands(Command verb,
                                     std::span<const Verb> subcommands,
                                     Context& context) {
  verb.require_subcommand();
  std::vector<std::pair<Command, std::function<int()>>> runs;
  for (Verb add : subcommands) {
    std::function<int()> run = add(verb, context);
    runs.emplace_back(verb.last_subcommand(), std::move(run));
  }
  return [runs] {
    for (const auto& [command, run] : runs) {
      if (command.parsed()) return run();
    }
    return 2;
  };
}

}  // namespace snellen::cli
