#include "activation.hpp"

namespace xrunlab {
namespace {

constexpr int kActivations = 5;

}  // namespace

bool activate_client(const JackLibrary& jack, JackClient* client, const std::function<void()>& returned) {
  for (int tried = 0; tried < kActivations; ++tried) {
    const bool active = jack.activate(client) == 0;
    returned();
    if (active) return true;
    jack.deactivate(client);
    returned();
  }
  return false;
}

}  // namespace xrunlab
