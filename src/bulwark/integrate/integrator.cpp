#include <bulwark/base/error.hpp>
#include <bulwark/integrate/integrator.hpp>

namespace bulwark {
namespace {

class ImplicitEuler : public Integrator {
 public:
  double beta() const override { return 1; }
  bool dissipates() const override { return true; }
  Prediction predict(const State& s, double h) const override {
    return {s.position + h * s.velocity, beta(), s.position, 1 / h};
  }
  void advance(State& s, const Vectors& position, double h) const override {
    const Vectors velocity = (position - s.position) / h;
    s.acceleration = (velocity - s.velocity) / h;
    s.previous_position = s.position;
    s.previous_velocity = s.velocity;
    s.position = position;
    s.velocity = velocity;
  }
};

class Bdf2 : public Integrator {
 public:
  double beta() const override { return 4.0 / 9; }
  Prediction predict(const State& s, double h) const override {
    if (s.previous_position.cols() != s.position.cols()) return first_.predict(s, h);
    return {(4 * s.position - s.previous_position) / 3 + (2 * h / 9) * (4 * s.velocity - s.previous_velocity),
            beta(), (4 * s.position - s.previous_position) / 3, 1.5 / h, true};
  }
  void advance(State& s, const Vectors& position, double h) const override {
    if (s.previous_position.cols() != s.position.cols()) return first_.advance(s, position, h);
    const Prediction prediction = predict(s, h);
    s.acceleration = (9 / (4 * h * h)) * (position - prediction.target);
    const Vectors velocity = (4 * s.velocity - s.previous_velocity) / 3 + (2 * h / 3) * s.acceleration;
    s.previous_position = s.position;
    s.previous_velocity = s.velocity;
    s.position = position;
    s.velocity = velocity;
  }
  const Integrator& for_part_of_step(int /*failures*/) const override { return first_; }

 private:
  ImplicitEuler first_;  ///< the first step has no history
};

class Newmark : public Integrator {
 public:
  double beta() const override { return 0.25; }
  Prediction predict(const State& s, double h) const override {
    return {s.position + h * s.velocity + (h * h / 4) * s.acceleration,
            beta(),
            s.position + (h / 2) * s.velocity,
            2 / h,
            false,
            true};
  }
  void advance(State& s, const Vectors& position, double h) const override {
    const Vectors velocity = (2 / h) * (position - s.position) - s.velocity;
    s.acceleration = (2 / h) * (velocity - s.velocity) - s.acceleration;
    s.previous_position = s.position;
    s.previous_velocity = s.velocity;
    s.position = position;
    s.velocity = velocity;
  }
  bool needs_acceleration() const override { return true; }
  const Integrator& for_part_of_step(int failures) const override {
    if (failures < 2) return *this;
    return lossy_;
  }

 private:
  ImplicitEuler lossy_;  ///< where half a step does not help either, its vibrations are what can go
};

class Static : public Integrator {
 public:
  double beta() const override { return 1; }
  bool dissipates() const override { return true; }
  bool is_static() const override { return true; }
  Prediction predict(const State& s, double) const override { return {s.position, beta(), s.position, 0}; }
  void advance(State& s, const Vectors& position, double) const override {
    s.previous_position = s.position;
    s.position = position;
    for (Vectors* rate : {&s.velocity, &s.acceleration, &s.previous_velocity})
      rate->setZero(3, position.cols());
  }
};

}  // namespace

std::unique_ptr<Integrator> make_integrator(const std::string& name) {
  if (name == "implicit-euler") return std::make_unique<ImplicitEuler>();
  if (name == "bdf2") return std::make_unique<Bdf2>();
  if (name == "newmark") return std::make_unique<Newmark>();
  if (name == "static") return std::make_unique<Static>();
  throw InputError("/time/integrator", "unknown integrator '" + name + "'",
                   "use one of: implicit-euler, bdf2, newmark, static");
}

}  // namespace bulwark
