// Plays to a JACK server as one of its clients: one output port for each channel, connected to the card's.
// Opened and closed by main; the server calls on its own real-time thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/audio/server_pcm.hpp"

namespace xrunlab {

/// `request.device` is "jack:…". Rate, period (0: whatever it is) and format must be the server's: else
/// Error{audio_device}, as without a server; Error{usage} for wrong options, Error{not_possible} without
/// libjack. Ports that cannot be connected are warnings.
std::unique_ptr<ServerPcm> open_jack_pcm(const PcmRequest& request, std::vector<std::string>& warnings);

}  // namespace xrunlab
