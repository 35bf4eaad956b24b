// The table that `cards` prints, within 80 columns. Called by main.
#pragma once

#include <string>

#include "xrunlab/model/cards.hpp"

namespace xrunlab {

/// A line of limits for each PCM, with what it is, its formats and usual rates below; then, where the kernel
/// has no card, how to do without one and how to get one.
std::string cards_text(const CardsData& cards);

}  // namespace xrunlab
