#include <bulwark/collision/tight_inclusion.hpp>

namespace bulwark {
namespace {

class TightInclusionCcd final : public Ccd {
 public:
  explicit TightInclusionCcd(int advances) : advances_(advances) {}

  double point_triangle(const CcdQuery& query, const CcdOptions& options) const override {
    return tight_inclusion_ccd<false>(query, options, advances_);
  }
  double edge_edge(const CcdQuery& query, const CcdOptions& options) const override {
    return tight_inclusion_ccd<true>(query, options, advances_);
  }
  CcdAnswer point_triangle_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return tight_inclusion_impact<false>(query, options, advances_);
  }
  CcdAnswer edge_edge_impact(const CcdQuery& query, const CcdImpactOptions& options) const override {
    return tight_inclusion_impact<true>(query, options, advances_);
  }

 private:
  int advances_;
};

}  // namespace

std::unique_ptr<Ccd> make_tight_inclusion_ccd(int advances) {
  return std::make_unique<TightInclusionCcd>(advances);
}

}  // namespace bulwark
