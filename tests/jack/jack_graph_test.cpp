#include "xrunlab/jack/jack_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::function<void()>& parse) {
  try {
    parse();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return std::string(error.what()) + " (" + error.remedy() + ")";
  }
  return "accepted";
}

TEST(JackGraph, ServersAreNamedAsTyped) {
  for (const char* text : {"dummy", "running", "alsa:hw:0", "alsa:plughw:1,0"}) {
    EXPECT_EQ(to_string(parse_jack_server("--server", text)), text);
  }
  EXPECT_EQ(parse_jack_server("--server", "alsa:hw:0").device, "hw:0");
  for (const char* text : {"", "alsa", "alsa:", "net"}) {
    EXPECT_THAT(refusal_of([text] { parse_jack_server("--server", text); }), HasSubstr("is no server"));
  }
}

TEST(JackGraph, TopologiesAreNamedAsTyped) {
  for (const char* text : {"silent", "chain", "star"}) {
    EXPECT_EQ(to_string(parse_jack_topology("--topology", text)), text);
  }
  EXPECT_THAT(refusal_of([] { parse_jack_topology("--topology", "ring"); }),
              HasSubstr("silent, chain or star"));
}

TEST(JackGraph, WhatJackdCannotHoldIsRefusedWithTheArithmetic) {
  GraphRequest request;
  EXPECT_NO_THROW(check_graph(request));
  request.clients = kMostJackClients - 1;
  EXPECT_NO_THROW(check_graph(request));
  request.clients = kMostJackClients;
  EXPECT_THAT(refusal_of([&] { check_graph(request); }), HasSubstr("are more than the 62 that jackd holds"));
  request.clients = 60;
  request.ports = 35;
  EXPECT_THAT(refusal_of([&] { check_graph(request); }),
              HasSubstr("60 clients x 35 ports x 2 and the driver's 4 are 4204 ports, jackd holds 4095"));
  request.ports = 20;
  request.topology = JackTopology::star;
  EXPECT_THAT(refusal_of([&] { check_graph(request); }), HasSubstr("needs 1180 connections of one port"));
}

TEST(JackGraph, ARunningServersLimitsAreNotKnown) {
  GraphRequest request;
  request.server.driver = JackDriver::running;
  request.clients = 500;
  EXPECT_NO_THROW(check_graph(request));
}

}  // namespace
}  // namespace xrunlab
