// The table of `xrunlab what-if` as text. Pure; any thread.
#pragma once

#include <string>

#include "xrunlab/model/what_if.hpp"

namespace xrunlab {

/// A line a trial, then the smallest safe ring of each card, then the assumption.
std::string what_if_text(const WhatIfTable& table);

}  // namespace xrunlab
