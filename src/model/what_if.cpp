#include "xrunlab/model/what_if.hpp"

#include <nlohmann/json.hpp>

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

OrderedJson trial_json(const WhatIfTrial& trial) {
  return {{"ring_frames", trial.granted.ring},
          {"period_frames", trial.granted.period},
          {"buffer_frames", trial.granted.buffer},
          {"block_frames", trial.block_frames},
          {"starvation_episodes", trial.starvations},
          {"starved_ns", trial.starved_ns},
          {"starvation_longest_ns", trial.longest_ns},
          {"device_xruns", trial.xruns},
          {"ring_low_water_frames", or_null(trial.ring_low_water)},
          {"slack_low_water_frames", or_null(trial.slack_low_water)},
          {"ring_needed_frames", or_null(trial.ring_needed)}};
}

}  // namespace

std::string assumption_of(const WhatIfTable& table) {
  const std::string reads =
      "each read takes as long as it took in the record, and is submitted when the new ring has room for it";
  return reads + (table.led_in
                      ? ", in a run that was under way before"
                      : "; what a larger ring reads before the start of a looped record cannot starve it");
}

std::string what_if_json(const WhatIfTable& table) {
  OrderedJson safe = OrderedJson::array();
  for (const auto& ring : table.safe) {
    safe.push_back(
        {{"period_frames", ring.period},
         {"buffer_frames", ring.buffer},
         {"ring_frames", ring.smallest ? OrderedJson(ring.smallest->granted.ring) : OrderedJson()},
         {"block_frames", ring.smallest ? OrderedJson(ring.smallest->block_frames) : OrderedJson()},
         {"least_tried", ring.least_tried}});
  }
  OrderedJson trials = OrderedJson::array();
  for (const auto& trial : table.trials) trials.push_back(trial_json(trial));
  const OrderedJson document{{"schema", "xrunlab/what-if/1"},
                             {"kind", "what-if"},
                             {"record", table.record},
                             {"assumption", assumption_of(table)},
                             {"rate_hz", table.rate_hz},
                             {"recorded",
                              {{"ring_frames", table.recorded.ring},
                               {"period_frames", table.recorded.period},
                               {"buffer_frames", table.recorded.buffer}}},
                             {"smallest_safe", safe},
                             {"trials", trials}};
  return document.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace xrunlab
