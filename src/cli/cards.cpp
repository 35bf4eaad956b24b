#include "xrunlab/cli/cards.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/audio/pcm_probe.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/report/cards_text.hpp"

namespace xrunlab {

CLI::App* add_cards(CLI::App& app, CardsOptions& options) {
  auto* const cards = app.add_subcommand("cards", "List the PCMs that can be played to and what they accept");
  cards->add_option("-D,--device", options.device, "Only this one, by any name that play -D takes")
      ->type_name("PCM");
  add_json_option(*cards, options.json, "As JSON");
  cards->footer(
      "Nothing is configured or played; a PCM that is busy or fails is listed with the\n"
      "reason. Sizes are in frames. The JSON is explained in docs/cards.md.\n"
      "Exit codes: 0 listed, also where there is no card; 2 usage; 3 the output failed;\n"
      "5 the PCM of -D cannot be had.\n");
  return cards;
}

ExitCode run_cards(const CardsOptions& options) {
  check_json_option(options.json);
  CardsData cards = probe_pcms(options.device);
  cards.version = XRUNLAB_VERSION;
  if (names_file(options.json)) write_json_file(to_json(cards), options.json);
  if (options.json == "-") print_out(to_json(cards));
  if (options.json.empty()) print_out(cards_text(cards));
  const bool refused = !options.device.empty() && !cards.pcms.front().accepts;
  return exit_code_after_output(refused ? ExitCode::audio_device : ExitCode::ok);
}

}  // namespace xrunlab
