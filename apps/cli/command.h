// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace snellen::cli {

// A verb or sub-command. CLI11 stays behind it, because its header costs seconds in every file that
// includes it. Copies name the same command.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_subcommand(const std::string& name, const std::string& help);
  // Shown below the flags: an example, and what else people ask.
  void footer(const std::string& text);
  // One of the sub-commands must be named.
  void require_subcommand();
  // Whether the command line names it.
  bool parsed() const;
  // The sub-command that was added last.
  Command last_subcommand() const;

  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

struct Context;  // verb.h

// Adds the verb to the program; the returned function runs it and gives the exit code.
using Verb = std::function<int()> (*)(Command app, Context& context);

// Adds sub-commands of `verb`, one of which must be named; the returned function runs that one.
std::function<int()> add_subcommands(Command verb,
                                     std::span<const Verb> subcommands,
                                     Context& context);

}  // namespace snellen::cli
