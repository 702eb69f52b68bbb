// The parameters of AdamW, and what it does to one unknown: plain arithmetic on flat arrays, for host and device.
//
//   m <- b1 m + (1 - b1) g,   s <- b2 s + (1 - b2) g^2,   m^ = m / (1 - b1^l),   s^ = s / (1 - b2^l)
//   step = -rate * length * m^ / (sqrt(s^) + epsilon)  -  decay * moved
//
// in the l-th iteration since the moments were zero. `length` is what a unit of speed moves the unknown by in a time step,
// `moved` how far it has moved in this solve.
#pragma once

#include <bulwark/base/host_device.hpp>

#include <cmath>
#include <optional>

namespace bulwark {

/// The scene's `solver.adamw`. Stopping rules that are 0 are off: then the motion that the residual would make ends a
/// solve (adamw.hpp).
struct AdamwRule {
  std::optional<double> rate;         ///< m/s; where absent, by the first gradient
  double beta1 = 0.9, beta2 = 0.999;  ///< memory of the first and second moment
  double epsilon = 1e-8;              ///< part of the first gradient's largest component
  double weight_decay = 1e-4;         ///< s/m
  double rate_decay = 1;              ///< factor of the rate in every iteration
  double rate_growth = 1.05;          ///< and after steps that were accepted whole
  int check_interval = 10;            ///< iterations between looks at the stopping rules
  double gradient_tolerance = 0;      ///< N: norm of the gradient
  double relative_tolerance = 0;      ///< norm of the gradient, over the first one
  double decrease_tolerance = 0;      ///< relative decrease of the objective between two looks
  int max_iterations = 20'000;        ///< of a solve
  int max_step_iterations = 200'000;  ///< of a step in all its parts and rounds
};

/// What all unknowns share in an iteration.
struct AdamwIteration {
  double beta1 = 0, beta2 = 0;
  double first_correction = 1, second_correction = 1;  ///< 1 - b1^l, 1 - b2^l
  double rate = 0;                                     ///< m/s
  double epsilon = 0;                                  ///< in the unit of the gradients
  double decay = 0;
};

/// The moments of an unknown.
struct AdamwMoments {
  double first = 0, second = 0;
};

/// Takes the gradient into the moments, and returns the step without the decay.
BULWARK_HD inline double adamw_step(const AdamwIteration& now, double gradient, double length,
                                    AdamwMoments& moments) {
  moments.first = now.beta1 * moments.first + (1 - now.beta1) * gradient;
  moments.second = now.beta2 * moments.second + (1 - now.beta2) * gradient * gradient;
  const double mean = moments.first / now.first_correction;
  const double size = std::sqrt(moments.second / now.second_correction) + now.epsilon;
  return size > 0 ? -now.rate * length * mean / size : 0.0;
}

}  // namespace bulwark
