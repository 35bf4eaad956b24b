// Finds the PCMs of this machine and asks each what it accepts, without configuring or playing anything. Used
// by `cards` and `doctor`, on the main thread.
#pragma once

#include <string>

#include "xrunlab/model/cards.hpp"

namespace xrunlab {

/// Every PCM when `device` is empty: the simulated card, the kernel's cards, and what alsa-lib's
/// configuration names (sound servers, null, PCMs of the user's own); else that one alone, by any name that
/// -D takes. Each is opened without blocking; one that is busy or fails stands in the list with the reason. A
/// sound server may be started by that, as by any program that plays. Throws Error{usage} for a wrong "sim:"
/// option.
CardsData probe_pcms(const std::string& device = {});

/// The kernel's cards alone: no sound server is started.
CardsData probe_hardware();

}  // namespace xrunlab
