#include <bulwark/collision/additive_ccd.hpp>

namespace bulwark {
namespace {

class AdditiveCcd final : public Ccd {
 public:
  double point_triangle(const CcdQuery& query, const CcdOptions& options) const override {
    return additive_ccd<false>(query, options);
  }
  double edge_edge(const CcdQuery& query, const CcdOptions& options) const override {
    return additive_ccd<true>(query, options);
  }
  CcdAnswer point_triangle_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return additive_impact<false>(query, options);
  }
  CcdAnswer edge_edge_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return additive_impact<true>(query, options);
  }
};

}  // namespace

std::unique_ptr<Ccd> make_additive_ccd() {
  return std::make_unique<AdditiveCcd>();
}

}  // namespace bulwark
