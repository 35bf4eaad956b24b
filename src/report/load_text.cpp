#include "xrunlab/report/load_text.hpp"

#include <fmt/format.h>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

/// What one operation of a load is called; empty where its number says nothing.
std::string operation_of(const std::string& kind) {
  if (kind == "read") return "reads";
  if (kind == "write" || kind == "record") return "writes";
  if (kind == "fault") return "page faults";
  if (kind == "exec") return "programs";
  return {};
}

std::string megabytes(double bytes_per_s) {
  return three_digits(bytes_per_s / 1e6) + " MB/s";
}

}  // namespace

std::string achieved_text(const LoadData& load) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const std::string operation = operation_of(load.kind);
  if (load.bytes_per_s && !operation.empty()) {
    std::string rate = megabytes(*load.bytes_per_s);
    if (load.asked_bytes_per_s) rate += " of " + megabytes(*load.asked_bytes_per_s);
    if (load.operations_per_s) rate += " in " + three_digits(*load.operations_per_s) + " " + operation + "/s";
    add(rate);
  }
  if (load.kind == "jack" && load.operations_per_s)
    add(three_digits(*load.operations_per_s) + " client cycles/s");
  if (load.xruns) {
    std::string xruns = counted(*load.xruns, "xrun");
    if (load.driver_late.value_or(0) > 0) xruns += ", driver late " + counted(*load.driver_late, "time");
    add(xruns);
  }
  if (load.kind == "record") add(counted(load.overruns, "overrun"));
  if (load.device_read_bytes > 0) add(binary_bytes(load.device_read_bytes) + " from the device");
  if (load.device_written_bytes > 0) add(binary_bytes(load.device_written_bytes) + " to be written");
  std::string cpus = fixed(load.cpus, 2);
  if (load.asked_cpus) cpus += " of " + fixed(*load.asked_cpus, 2);
  add(cpus + " CPUs");
  return text;
}

std::string load_lines(const LoadData& load, std::size_t indent) {
  const std::string text = labelled("load", indent, load.spec + ": " + achieved_text(load));
  return load.alive ? text : text + labelled("", indent, "DEAD: " + load.error);
}

}  // namespace xrunlab
