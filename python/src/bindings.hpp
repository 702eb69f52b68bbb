// The parts of the extension module; module.cpp calls them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

namespace bulwark::python {

class RunningScene;

/// Bulwark's exceptions become those of bulwark/errors.py, with the same messages.
void bind_errors();
/// Warnings go to Python's logger "bulwark".
void bind_log();
void bind_report(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
/// Joints to steer, and what holds bodies.
void bind_joints_and_reactions(pybind11::class_<RunningScene, std::shared_ptr<RunningScene>>& scene);
void bind_recording(pybind11::module_& module);

}  // namespace bulwark::python
