#include <bulwark/output/drawing/point_field.hpp>

namespace bulwark {
namespace {

std::vector<float> lengths(const Vectors& vectors) {
  std::vector<float> result;
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    result.push_back(static_cast<float>(vectors.col(i).norm()));
  }
  return result;
}

std::vector<float> mean_stress(const Frame& frame) {
  if (frame.von_mises_stress.empty()) return {};
  std::vector<double> sum(frame.point_body.size(), 0);
  std::vector<int> count(sum.size(), 0);
  for_each_solid(frame, [&](std::size_t cell, std::span<const int> points) {
    for (const int point : points) {
      sum[point] += frame.von_mises_stress[cell];
      ++count[point];
    }
  });
  std::vector<float> mean(sum.size(), 0);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (count[i] > 0) mean[i] = static_cast<float>(sum[i] / count[i]);
  }
  return mean;
}

}  // namespace

std::vector<float> point_field(const Frame& frame, ViewedField field) {
  switch (field) {
    case ViewedField::speed:
      return lengths(frame.velocity);
    case ViewedField::contact_force:
      return lengths(frame.contact_force);
    case ViewedField::contact_pressure:
      return {frame.contact_pressure.begin(), frame.contact_pressure.end()};
    case ViewedField::von_mises_stress:
      break;
  }
  if (!frame.stress.von_mises.empty()) return {frame.stress.von_mises.begin(), frame.stress.von_mises.end()};
  return mean_stress(frame);
}

std::string_view field_unit(ViewedField field) {
  switch (field) {
    case ViewedField::speed:
      return "m/s";
    case ViewedField::contact_force:
      return "N";
    case ViewedField::contact_pressure:
    case ViewedField::von_mises_stress:
      break;
  }
  return "Pa";
}

}  // namespace bulwark
