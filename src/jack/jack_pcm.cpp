#include "xrunlab/jack/jack_pcm.hpp"

#include "jack_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"

namespace xrunlab {
namespace {

[[noreturn]] void refuse_device(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::audio_device, what, remedy);
}

/// What the server has cannot be changed from here.
PcmGrant granted(const PcmRequest& request, std::uint32_t rate, Frames period) {
  if (rate != request.rate.hz) {
    refuse_device("the JACK server runs at " + std::to_string(rate) + " Hz, the files at " +
                      std::to_string(request.rate.hz),
                  "start it with jackd ... -r " + std::to_string(request.rate.hz) + ", or play other files");
  }
  const auto check_period = [period](const char* option, Frames wanted) {
    if (wanted == period) return;
    refuse_device(std::string(option) + " " + std::to_string(wanted) + ": the JACK server's period is " +
                      std::to_string(period),
                  "start it with jackd ... -p " + std::to_string(wanted) + ", or leave the option out");
  };
  if (request.period > 0) check_period("--period-size", request.period);
  if (request.fragment) check_period("--fragment", *request.fragment);
  if (request.format && *request.format != SampleFormat::f32_le)
    refuse_device("-f: JACK takes FLOAT_LE only", "leave it out");
  // Two buffers: one plays while the other is made. What the driver holds beyond is not ours to know.
  return {.name = request.device,
          .plugin = "jack",
          .format = SampleFormat::f32_le,
          .rate = request.rate,
          .channels = request.channels,
          .period = period,
          .buffer = 2 * period,
          .fragment = period,
          .start_threshold = period,
          .avail_min = period,
          .server_driven = true,
          .server = "JACK"};
}

}  // namespace

std::unique_ptr<ServerPcm> open_jack_pcm(const PcmRequest& request, std::vector<std::string>& warnings) {
  const JackPcmOptions options = parse_jack_options(request.device.substr(request.device.find(':') + 1));
  auto output = std::make_unique<JackOutput>(
      JackLibrary::load(), options,
      [&](std::uint32_t rate, Frames period) { return granted(request, rate, period); });
  if (const std::string warning = output->connect_to(options.connect); !warning.empty())
    warnings.push_back(warning);
  return output;
}

}  // namespace xrunlab
