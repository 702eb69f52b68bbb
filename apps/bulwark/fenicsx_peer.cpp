#include "flexible_beam.hpp"
#include "peer_program.hpp"
#include "programs.hpp"
#include "scene_library.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace bulwark::app {
namespace {

/// Debian's module belongs to Debian's Python, whatever the PATH finds first.
constexpr const char* fenicsx_python = "/usr/bin/python3";
constexpr double fenicsx_patience = 1800;  // s

nlohmann::json as_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

nlohmann::json fenicsx_problem(const FlexibleBeam& beam, double tolerance) {
  const ElasticMaterial& m = beam.material;
  nlohmann::json points = nlohmann::json::array(), cells = nlohmann::json::array();
  for (int i = 0; i < beam.corner_count(); ++i) points.push_back(as_json(beam.mesh.vertices.col(i)));
  for (int c = 0; c < beam.mesh.cell_count(); ++c) {
    const auto corners = beam.mesh.cell(c).first(4);
    cells.push_back({corners[0], corners[1], corners[2], corners[3]});
  }
  return {{"points", points},
          {"cells", cells},
          {"material",
           {{"model", m.model == ElasticModel::svk ? "svk" : "mooney-rivlin"},
            {"young", m.young},
            {"poisson", m.poisson},
            {"density", m.density},
            {"c10", m.c10},
            {"c01", m.c01},
            {"bulk", m.bulk}}},
          {"force", as_json(beam.force)},
          {"step", beam.step},
          {"steps", beam.steps},
          {"tip", as_json(beam.mesh.vertices.col(beam.tip))},
          {"tolerance", tolerance}};
}

}  // namespace

PeerBeamRun run_fenicsx(const FlexibleBeam& beam, int threads, double tolerance) {
  const std::filesystem::path script =
      shipped_scenes_folder().parent_path() / "scripts/peers/fenicsx_beam.py";
  if (!std::filesystem::exists(script)) return {{}, fmt::format("there is no {}", script.string())};
  const ScratchFolder folder;
  if (run_peer({fenicsx_python, "-c", "import dolfinx"}, folder.path(), 1, 60).exit_code != 0)
    return {{}, "FEniCSx is not installed (python3-dolfinx)"};
  std::ofstream(folder.path() / "problem.json") << fenicsx_problem(beam, tolerance);
  std::vector<std::string> command = {fenicsx_python, script.string(), "problem.json", "result.json"};
  if (threads > 1) {
    if (!find_program("mpirun")) return {{}, "FEniCSx needs mpirun for several processes"};
    command.insert(command.begin(),
                   {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", std::to_string(threads)});
  }
  // Threads of BLAS under processes of MPI would be more than asked for.
  const PeerRun run = run_peer(command, folder.path(), 1, fenicsx_patience);
  std::ifstream file(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (run.exit_code != 0 || !json.is_object()) return {{}, "FEniCSx: " + last_words(folder.path())};
  BeamRun result;
  result.seconds = json[threads == 1 ? "processor_seconds" : "seconds"];
  result.solves = json["solves"];
  for (const auto& u : json["tip"]) result.tip.emplace_back(u[0], u[1], u[2]);
  result.about =
      fmt::format("FEniCSx {}, {}", json["version"].get<std::string>(), json["solver"].get<std::string>());
  return {result, ""};
}

}  // namespace bulwark::app
