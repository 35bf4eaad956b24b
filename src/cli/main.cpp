#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "xrunlab/cli/gen.hpp"
#include "xrunlab/core/error.hpp"

namespace {

int dispatch(int argc, char** argv) {
  CLI::App app{"Measures streaming of multitrack audio from disk", "xrunlab"};
  app.set_version_flag("--version", "xrunlab " XRUNLAB_VERSION);
  app.require_subcommand(1);
  xrunlab::GenOptions gen_options;
  const auto* const gen = xrunlab::add_gen(app, gen_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    return static_cast<int>(asked_for ? xrunlab::ExitCode::ok : xrunlab::ExitCode::usage);
  }
  if (gen->parsed()) return static_cast<int>(xrunlab::run_gen(gen_options));
  return static_cast<int>(xrunlab::ExitCode::usage);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const xrunlab::Error& error) {
    fmt::print(stderr, "xrunlab: {}\n", error.what());
    if (!error.remedy().empty()) fmt::print(stderr, "  {}\n", error.remedy());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "xrunlab: {}\n", error.what());
    return static_cast<int>(xrunlab::ExitCode::system);
  }
}
