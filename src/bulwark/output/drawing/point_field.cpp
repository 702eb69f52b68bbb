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

template <class Columns>
std::vector<float> row_of(const Columns& columns, int row) {
  std::vector<float> result;
  for (Eigen::Index i = 0; i < columns.cols(); ++i) result.push_back(static_cast<float>(columns(row, i)));
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
  const FieldSource& source = described(field).source;
  if (source.width == 1) {
    const std::vector<double>& numbers = source.array == "contact_pressure" ? frame.contact_pressure
                                         : source.array == "energy_density" ? frame.stress.energy_density
                                                                            : frame.stress.von_mises;
    if (numbers.empty() && field == ViewedField::von_mises_stress) return mean_stress(frame);
    return {numbers.begin(), numbers.end()};
  }
  if (source.width == 3) {
    const Vectors& vectors = source.array == "velocity"           ? frame.velocity
                             : source.array == "contact_force"    ? frame.contact_force
                             : source.array == "contact_traction" ? frame.contact_traction
                                                                  : frame.stress.principal;
    if (source.component == FieldSource::length) return lengths(vectors);
    return row_of(vectors, source.component);
  }
  return row_of(source.array == "stress_tensor"   ? frame.stress.cauchy
                : source.array == "second_stress" ? frame.stress.second
                                                  : frame.stress.strain,
                source.component);
}

}  // namespace bulwark
