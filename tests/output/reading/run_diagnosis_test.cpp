// What explain makes of a run's tables.
#include <bulwark/base/profile.hpp>
#include <bulwark/output/reading/run_diagnosis.hpp>
#include <bulwark/output/writing/csv_tables.hpp>

#include <gtest/gtest.h>
#include <output/temporary_folder.hpp>

namespace bulwark {
namespace {

BodyPart node(const std::string& body, int number) {
  BodyPart part;
  part.body = body;
  part.kind = BodyPart::Kind::node;
  part.number = number;
  return part;
}

/// All that is said of a run with these steps.
std::string diagnosis_of(const std::vector<StepReport>& reports) {
  const TemporaryFolder folder;
  std::string steps = steps_header(), solves = solves_header();
  for (const StepReport& report : reports) {
    steps += steps_row(report);
    solves += solves_row(report);
  }
  write_all(folder / "steps.csv", steps);
  write_all(folder / "solves.csv", solves);
  std::string text;
  for (const std::string& finding : diagnose_run(folder.path()).findings) text += finding + "\n";
  return text;
}

TEST(RunDiagnosis, BodiesMayHaveAnyNames) {
  // Names with quotes, commas and words that messages have too.
  const std::string first = "it's, and 'that'", second = "node 3 of 'x' and \"y\"";
  std::vector<StepReport> reports(4);
  for (std::size_t k = 0; k < reports.size(); ++k) {
    StepReport& report = reports[k];
    report.step = static_cast<std::int64_t>(k) + 1;
    report.newton_iterations = 40;
    report.seconds = 1;
    report.worst_point = node(second, static_cast<int>(k));
    report.smallest_step = 0.01;
    report.limited_by.reason = LimitReason::contact;
    // The same two bodies by other points, in either order.
    report.limited_by.parts = {node(k % 2 == 0 ? first : second, 7), node(k % 2 == 0 ? second : first, 8)};
  }
  const std::string text = diagnosis_of(reports);
  EXPECT_NE(text.find("'" + first + "' and '" + second + "' limited the line search most often, in 4 of 4"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Body '" + second + "' is the last to converge in 4 of 4"), std::string::npos) << text;
}

TEST(RunDiagnosis, NamesWhatIsNoPairOfBodies) {
  StepReport report;
  report.step = 1;
  report.seconds = 1;
  report.smallest_step = 0.5;
  report.limited_by.reason = LimitReason::joint_range;
  report.limited_by.joint = "knee";
  EXPECT_NE(diagnosis_of({report}).find("the range of joint 'knee' limited"), std::string::npos);
  report.limited_by = {LimitReason::contact, {node("rope", 1), node("rope", 9)}, ""};
  EXPECT_NE(diagnosis_of({report}).find("'rope' with itself limited"), std::string::npos);
  report.limited_by = {LimitReason::volume, {node("ball", 1)}, ""};
  EXPECT_NE(diagnosis_of({report}).find("'ball' limited"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
