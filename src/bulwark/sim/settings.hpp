// Everything a scene file says beside its bodies, with the defaults of the schema.
#pragma once

#include <bulwark/base/log.hpp>
#include <bulwark/base/stop_request.hpp>
#include <bulwark/collision/contact_model_kind.hpp>
#include <bulwark/collision/detection_ahead.hpp>
#include <bulwark/math/types.hpp>
#include <bulwark/sim/patch_penalty_settings.hpp>
#include <bulwark/solve/adamw_rule.hpp>
#include <bulwark/solve/newton_rule.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bulwark {

class CcdRecorder;
struct LinearSystem;

/// A length or speed given outright, or as a fraction of a body's size.
struct Scaled {
  double value = 0;
  bool relative = false;
};

struct TimeSettings {
  double step = 0.01;  ///< s
  int steps = 100;
  std::string integrator = "implicit-euler";  ///< or "bdf2", "newmark", "static"
  std::optional<double> ramp;  ///< s, over which constant loads of statics grow; over all steps where absent
};

/// Of hydroelastic contact (sim/hydroelastic_contact.hpp).
struct HydroelasticSettings {
  double modulus = 1e6;      ///< Pa: the pressure where a body is deepest
  double dissipation = 0.1;  ///< s/m
  /// Edges of the tetrahedra that stiff bodies and obstacles are filled with, m.
  Scaled resolution = {0.1, true};
};

struct ContactSettings {
  bool enabled = true;                                 ///< some pair of bodies may touch
  ContactModelKind model = ContactModelKind::barrier;  ///< of pairs that have no other
  std::string formulation = "ipc";                     ///< or "area-weighted"
  Scaled distance = {1e-3, true};                      ///< d-hat
  double minimum_distance = 0;                         ///< m
  /// J/m^4 on squared distances, or Pa where area-weighted; adaptive when absent
  std::optional<double> stiffness;
  double restitution_damping = 0;      ///< s: Rayleigh damping of the barrier
  double friction = 0;                 ///< Coulomb coefficient
  Scaled static_speed = {1e-3, true};  ///< epsilon_v, m/s
  int friction_iterations = 1;         ///< lagging updates per step; 0 means until converged
  std::string ccd = "additive";
  std::shared_ptr<CcdRecorder> ccd_recorder;  ///< gets the queries of the step filter; no part of a scene
  std::string broad_phase = "auto";
  bool self = true;
  HydroelasticSettings hydroelastic;
  PatchPenaltySettings patch_penalty;  ///< of pairs that have no own (World::patch_pairs)
  DetectionOptions detection_delays;   ///< what slows the threads of detection down; no part of a scene
};

/// A minimiser as texts name it.
inline std::string_view minimiser_title(std::string_view minimiser) {
  return minimiser == "adamw" ? "AdamW" : "Newton";
}

struct SolverSettings {
  double tolerance = 1e-2;           ///< Newton step as a speed, in sizes of a body per second
  int max_iterations = 1000;         ///< of Newton's method
  std::string minimiser = "newton";  ///< or "adamw"
  NewtonRule newton;
  AdamwRule adamw;
  std::string linear = "auto";       ///< "cholesky", "cg", "auto"
  std::string psd = "clamp";         ///< "clamp", "abs", "none"
  int threads = 0;                   ///< 0: all
  int max_halvings = 6;              ///< a step that fails is tried in 2, 4, .. 2^max_halvings parts
  int max_step_iterations = 10'000;  ///< Newton iterations of a step in all its parts and rounds
  bool check_energy = true;          ///< take a step again in parts where it gains energy from nothing
  bool check_passing = true;         ///< and where bodies get past each other in it
  /// Gets the linear systems before they are solved; no part of a scene.
  std::function<void(std::int64_t step, const LinearSystem&)> record_system;
};

struct OutputSettings {
  int every = 1;                                              ///< steps between frames
  double checkpoint_every_seconds = 10;                       ///< of wall time
  bool velocity = true, stress = true, contact_force = true;  ///< fields in the frames
  bool contact_pressure = false;                              ///< and this
  /// Those of stress and strain at points (sim/stress_field.hpp).
  bool stress_tensor = false, second_stress = false, strain = false, principal_stress = false,
       energy_density = false;
  bool integration_points = false;  ///< all of those at the points that the elastic energy is summed over
  bool bodies_csv = true;
  bool joints_csv = true;
  bool pairs_csv = true;
};

/// A view of the scene, for pictures.
struct CameraSettings {
  Vector3 position = Vector3::Zero(), target = Vector3::Zero();
  double field_of_view_degrees = 40;  ///< the vertical one
};

struct Settings {
  std::string title;
  TimeSettings time;
  Vector3 gravity = {0, -9.81, 0};
  ContactSettings contact;
  SolverSettings solver;
  OutputSettings output;
  std::optional<CameraSettings> camera;
  LogSink log;       ///< where messages go; the process's sink when empty; no part of a scene
  StopRequest stop;  ///< asked in long work, which then ends by Interrupted; no part of a scene
};

}  // namespace bulwark
