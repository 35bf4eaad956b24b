#include "xrunlab/model/doctor_finding.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace xrunlab {

std::string_view to_string(DoctorGrade grade) noexcept {
  switch (grade) {
    case DoctorGrade::ok:
      return "OK";
    case DoctorGrade::warn:
      return "WARN";
    case DoctorGrade::fail:
      return "FAIL";
    case DoctorGrade::not_applicable:
      break;
  }
  return "n-a";
}

std::int64_t count_of(DoctorGrade grade, const DoctorData& data) noexcept {
  return std::count_if(data.findings.begin(), data.findings.end(),
                       [grade](const auto& finding) { return finding.grade == grade; });
}

std::string to_json(const DoctorData& data) {
  using Json = nlohmann::ordered_json;
  Json findings = Json::array();
  for (const auto& finding : data.findings) {
    findings.push_back({{"check", finding.check},
                        {"grade", to_string(finding.grade)},
                        {"reason", finding.reason},
                        {"mend", finding.mend}});
  }
  const Json json{{"schema", "xrunlab/doctor/1"},
                  {"version", data.version},
                  {"kernel", data.kernel},
                  {"directory", data.directory},
                  {"ok", count_of(DoctorGrade::ok, data)},
                  {"warn", count_of(DoctorGrade::warn, data)},
                  {"fail", count_of(DoctorGrade::fail, data)},
                  {"not_applicable", count_of(DoctorGrade::not_applicable, data)},
                  {"findings", std::move(findings)}};
  // Names of directories and cards are bytes of whoever wrote them.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace xrunlab
