#include "xrunlab/model/cards.hpp"

#include <nlohmann/json.hpp>

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson to_object(const PcmLimits& limits) {
  return {{"formats", limits.formats},
          {"rate_least_hz", limits.rate_hz.least},
          {"rate_most_hz", limits.rate_hz.most},
          {"usual_rates_hz", limits.usual_rates_hz},
          {"channels_least", limits.channels.least},
          {"channels_most", limits.channels.most},
          {"period_least_frames", limits.period_frames.least},
          {"period_most_frames", limits.period_frames.most},
          {"buffer_least_frames", limits.buffer_frames.least},
          {"buffer_most_frames", limits.buffer_frames.most}};
}

OrderedJson to_object(const PcmEntry& pcm) {
  return {{"name", pcm.name},
          {"kind", pcm.kind},
          {"description", pcm.description},
          {"plugin", pcm.plugin},
          {"server", pcm.server},
          {"accepts", pcm.accepts ? to_object(*pcm.accepts) : OrderedJson(nullptr)},
          {"problem", pcm.problem},
          {"remedy", pcm.remedy}};
}

}  // namespace

std::string to_json(const CardsData& cards) {
  OrderedJson pcms = OrderedJson::array();
  for (const auto& pcm : cards.pcms) pcms.push_back(to_object(pcm));
  const OrderedJson json{{"schema", "xrunlab/cards/1"},
                         {"version", cards.version},
                         {"kernel_has_sound", cards.kernel_has_sound},
                         {"card_count", cards.card_count},
                         {"pcms", std::move(pcms)}};
  // Names of cards and hints are bytes of whoever wrote them.
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace xrunlab
