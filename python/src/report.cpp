#include "bindings.hpp"

#include <bulwark/sim/report.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

namespace bulwark::python {
namespace py = pybind11;

void bind_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "The record that a step leaves.")
      .def_readonly("step", &StepReport::step, "Number of the step, from 1.")
      .def_readonly("time", &StepReport::time, "Simulated time at its end (s).")
      .def_readonly("newton_iterations", &StepReport::newton_iterations,
                    "Newton iterations of all its solves.")
      .def_readonly("adamw_iterations", &StepReport::adamw_iterations,
                    "Iterations of AdamW of all its solves.")
      .def_readonly("linear_solves", &StepReport::linear_solves, "Linear systems solved.")
      .def_readonly("friction_updates", &StepReport::friction_updates, "Solves with updated friction forces.")
      .def_readonly("friction_converged", &StepReport::friction_converged,
                    "Whether the lagged friction forces settled.")
      .def_readonly("substeps", &StepReport::substeps, "More than 1 when the step was solved in parts.")
      .def_readonly("contacts", &StepReport::contacts, "Pairs closer than the contact distance.")
      .def_readonly("min_distance", &StepReport::min_distance,
                    "Smallest distance of a pair in contact (m); infinity when there is none.")
      .def_readonly("newton_speed", &StepReport::newton_speed, "The last Newton step, as a speed (m/s).")
      .def_readonly("residual", &StepReport::residual,
                    "Norm of the forces that the last solve left over (N).")
      .def_property_readonly(
          "worst_point", [](const StepReport& report) { return describe(report.worst_point); },
          "Where that was measured.")
      .def_property_readonly(
          "limiting_pair", [](const StepReport& report) { return describe(report.limited_by); },
          "What limited a line search most, in words.")
      .def_property_readonly(
          "limited_by", [](const StepReport& report) { return reason_name(report.limited_by.reason); },
          "Why it did: contact, volume, length, strain-limit, joint-range or pair-count; '' when nothing did.")
      .def_property_readonly(
          "limiting_bodies",
          [](const StepReport& report) {
            std::vector<std::string> names;
            for (const BodyPart& part : report.limited_by.parts) names.push_back(part.body);
            return names;
          },
          "Names of the bodies concerned.")
      .def_readonly("smallest_step", &StepReport::smallest_step, "The part of a Newton step that it allowed.")
      .def_readonly("rigidity_error", &StepReport::rigidity_error, "Largest strain of a stiff body.")
      .def_readonly("barrier_stiffness", &StepReport::barrier_stiffness, "Of the contact barrier (J/m^4).")
      .def_readonly("seconds", &StepReport::seconds, "Wall time of the step.")
      .def_property_readonly(
          "energies",
          [](const StepReport& report) {
            const Energies& e = report.energies;
            return std::map<std::string, double>{{"kinetic", e.kinetic},
                                                 {"elastic", e.elastic},
                                                 {"gravity", e.gravity},
                                                 {"contact", e.contact},
                                                 {"total", e.total()}};
          },
          "Energies at its end (J): kinetic, elastic, gravity, contact, total.")
      .def_property_readonly(
          "profile",
          [](const StepReport& report) {
            std::map<std::string, double> seconds;
            for (std::size_t phase = 0; phase < phase_names.size(); ++phase)
              seconds[std::string(phase_names[phase])] = report.profile.seconds[phase];
            return seconds;
          },
          "Wall time by phase (s).")
      .def("__repr__", [](const StepReport& report) {
        return fmt::format(
            "<StepReport step={} time={:.6g} newton_iterations={} contacts={} min_distance={:.3g}>",
            report.step, report.time, report.newton_iterations, report.contacts, report.min_distance);
      });
}

}  // namespace bulwark::python
