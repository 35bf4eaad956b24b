#include "alsa_negotiate.hpp"

#include <array>

#include "alsa_format.hpp"
#include "alsa_limits.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::array kBestFirst{SampleFormat::s32_le, SampleFormat::s24_3le, SampleFormat::s24_le,
                                SampleFormat::s16_le, SampleFormat::f32_le};

std::string span_text(const ValueRange& span) {
  const std::string least = std::to_string(span.least);
  return span.least == span.most ? least : least + " … " + std::to_string(span.most);
}

/// Whether alsa-lib's plug would help: it converts all but the rate, which we forbid it.
enum class Plug { helps, does_not_help };

/// One step of the negotiation failed: what was asked, and what the card has instead.
[[noreturn]] void refuse(snd_pcm_t* pcm, const PcmRequest& request, const std::string& asked,
                         Plug plug = Plug::helps) {
  auto remedy = "it has " + describe_card(pcm);
  if (plug == Plug::does_not_help) {
    remedy += "; convert the files to a rate that it has";
  } else if (request.device.starts_with("hw:")) {
    remedy += "; -D plug" + request.device + " converts what it cannot play";
  }
  throw Error(ExitCode::audio_device, "'" + request.device + "' cannot play " + asked, remedy);
}

void check(int error, const PcmRequest& request, const char* attempted) {
  if (error < 0) {
    throw Error(ExitCode::audio_device,
                "'" + request.device + "': cannot " + attempted + ": " + errno_text(-error));
  }
}

SampleFormat choose_format(snd_pcm_t* pcm, snd_pcm_hw_params_t* params, const PcmRequest& request) {
  if (request.format) {
    if (snd_pcm_hw_params_set_format(pcm, params, to_alsa(*request.format)) < 0) {
      refuse(pcm, request, std::string(to_string(*request.format)));
    }
    return *request.format;
  }
  for (const auto format : kBestFirst) {
    if (snd_pcm_hw_params_set_format(pcm, params, to_alsa(format)) == 0) return format;
  }
  refuse(pcm, request, "any of S32_LE S24_3LE S24_LE S16_LE FLOAT_LE");
}

void set_sizes(snd_pcm_t* pcm, snd_pcm_hw_params_t* params, const PcmRequest& request, PcmGrant& grant,
               std::vector<std::string>& warnings) {
  auto period = static_cast<snd_pcm_uframes_t>(request.period);
  int direction = 0;
  check(snd_pcm_hw_params_set_period_size_near(pcm, params, &period, &direction), request, "set a period");
  const auto wanted = request.buffer.value_or(request.periods * static_cast<Frames>(period));
  auto buffer = static_cast<snd_pcm_uframes_t>(wanted);
  check(snd_pcm_hw_params_set_buffer_size_near(pcm, params, &buffer), request, "set a buffer");
  check(snd_pcm_hw_params(pcm, params), request, "set what was negotiated");
  snd_pcm_hw_params_get_period_size(params, &period, &direction);
  snd_pcm_hw_params_get_buffer_size(params, &buffer);
  grant.period = static_cast<Frames>(period);
  grant.buffer = static_cast<Frames>(buffer);
  if (grant.period != request.period) {
    warnings.push_back("asked for a period of " + std::to_string(request.period) +
                       " frames, the card granted " + std::to_string(grant.period));
  }
  if (grant.buffer != wanted) {
    warnings.push_back("asked for a card buffer of " + std::to_string(wanted) + " frames, the card granted " +
                       std::to_string(grant.buffer));
  }
}

void pass_thresholds(snd_pcm_t* pcm, const PcmRequest& request, PcmGrant& grant) {
  grant.fragment = request.fragment.value_or(grant.period);
  set_thresholds(grant);
  snd_pcm_sw_params_t* params;
  snd_pcm_sw_params_alloca(&params);
  check(snd_pcm_sw_params_current(pcm, params), request, "read the thresholds");
  const auto frames = [](Frames count) { return static_cast<snd_pcm_uframes_t>(count); };
  check(snd_pcm_sw_params_set_start_threshold(pcm, params, frames(grant.start_threshold)), request,
        "set the start threshold");
  check(snd_pcm_sw_params_set_stop_threshold(pcm, params, frames(grant.buffer)), request,
        "set the stop threshold");
  check(snd_pcm_sw_params_set_avail_min(pcm, params, frames(grant.avail_min)), request, "set avail_min");
  check(snd_pcm_sw_params_set_tstamp_mode(pcm, params, SND_PCM_TSTAMP_ENABLE), request, "get time stamps");
  // Drivers without it say so here; stopped_at() then finds wall-clock times implausible and says nothing.
  snd_pcm_sw_params_set_tstamp_type(pcm, params, SND_PCM_TSTAMP_TYPE_MONOTONIC);
  check(snd_pcm_sw_params(pcm, params), request, "set the thresholds");
  // alsa-lib 1.2.8 raises avail_min to the period: what poll really wakes at is what lateness counts from.
  snd_pcm_uframes_t avail_min = 0;
  if (snd_pcm_sw_params_get_avail_min(params, &avail_min) == 0)
    grant.avail_min = static_cast<Frames>(avail_min);
}

}  // namespace

std::string describe_card(snd_pcm_t* pcm) {
  const auto limits = read_limits(pcm);
  if (!limits) return "nothing that could be read";
  std::string text;
  for (const auto& format : limits->formats) text += (text.empty() ? "" : " ") + format;
  text += ", " + span_text(limits->rate_hz) + " Hz";
  std::string rates;
  for (const auto rate : limits->usual_rates_hz) rates += (rates.empty() ? "" : " ") + std::to_string(rate);
  if (limits->rate_hz.least != limits->rate_hz.most && !rates.empty()) text += " (" + rates + ")";
  text += ", " + span_text(limits->channels) + (limits->channels.most == 1 ? " channel" : " channels");
  return text + ", periods of " + span_text(limits->period_frames) + " frames";
}

PcmGrant negotiate(snd_pcm_t* pcm, const PcmRequest& request, std::vector<std::string>& warnings) {
  PcmGrant grant;
  grant.name = request.device;
  grant.plugin = type_name(pcm);
  snd_pcm_hw_params_t* params;
  snd_pcm_hw_params_alloca(&params);
  check(snd_pcm_hw_params_any(pcm, params), request, "read what the card has");
  snd_pcm_hw_params_set_rate_resample(pcm, params, 0);
  if (snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED) < 0) {
    refuse(pcm, request, "interleaved samples");
  }
  grant.format = choose_format(pcm, params, request);
  if (snd_pcm_hw_params_set_channels(pcm, params, static_cast<unsigned>(request.channels)) < 0) {
    refuse(pcm, request, std::to_string(request.channels) + " channels");
  }
  if (snd_pcm_hw_params_set_rate(pcm, params, request.rate.hz, 0) < 0) {
    refuse(pcm, request, "at " + std::to_string(request.rate.hz) + " Hz", Plug::does_not_help);
  }
  grant.rate = request.rate;
  grant.channels = request.channels;
  set_sizes(pcm, params, request, grant, warnings);
  pass_thresholds(pcm, request, grant);
  return grant;
}

}  // namespace xrunlab
