#include "flexible_beam.hpp"
#include "peer_program.hpp"
#include "programs.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace bulwark::app {
namespace {

constexpr double calculix_patience = 1800;  // s

void write_node_set(std::ostream& out, const char* name, const std::vector<int>& nodes) {
  out << "*NSET, NSET=" << name << "\n";
  for (const int node : nodes) out << node + 1 << ",\n";
}

/// CalculiX reads twenty characters of a number. C3D10 has the node order of VTK's quadratic tetrahedron, which is ours.
void write_input(const std::filesystem::path& file, const FlexibleBeam& beam, int steps, bool at_rest) {
  std::ofstream out(file);
  out << "*NODE, NSET=ALL\n";
  for (int i = 0; i < static_cast<int>(beam.mesh.vertices.cols()); ++i) {
    const Vector3 x = beam.mesh.vertices.col(i);
    out << fmt::format("{}, {:.12g}, {:.12g}, {:.12g}\n", i + 1, x.x(), x.y(), x.z());
  }
  out << "*ELEMENT, TYPE=C3D10, ELSET=BEAM\n";
  for (int c = 0; c < beam.mesh.cell_count(); ++c) {
    out << c + 1;
    for (const int node : beam.mesh.cell(c)) out << ", " << node + 1;
    out << "\n";
  }
  write_node_set(out, "HELD", beam.held);
  write_node_set(out, "LOADED", beam.loaded);
  write_node_set(out, "TIP", {beam.tip});
  const ElasticMaterial& m = beam.material;
  out << fmt::format("*MATERIAL, NAME=M\n*ELASTIC\n{:.12g}, {:.12g}\n*DENSITY\n{:.12g}\n", m.young, m.poisson,
                     m.density)
      << "*SOLID SECTION, ELSET=BEAM, MATERIAL=M\n*BOUNDARY\nHELD, 1, 3\n";
  if (beam.ramped) out << fmt::format("*AMPLITUDE, NAME=RAMP\n0, 0, {:.12g}, 1\n", beam.steps * beam.step);
  out << fmt::format("*STEP, NLGEOM, INC={}\n", steps + 1)
      << (at_rest ? "*STATIC, DIRECT\n" : "*DYNAMIC, DIRECT, ALPHA=0\n")
      << fmt::format("{:.12g}, {:.12g}\n", beam.step, steps * beam.step);
  out << (beam.ramped ? "*CLOAD, AMPLITUDE=RAMP\n" : "*CLOAD\n");
  for (int axis = 0; axis < 3; ++axis) {
    const double share = beam.force[axis] / static_cast<double>(beam.loaded.size());
    if (share != 0) out << fmt::format("LOADED, {}, {:.12g}\n", axis + 1, share);
  }
  out << "*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
}

/// Lines of the .dat file that hold a node and three numbers.
std::vector<Vector3> read_displacements(const std::filesystem::path& file) {
  std::vector<Vector3> history;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    int node = 0;
    Vector3 u;
    if (words >> node >> u.x() >> u.y() >> u.z()) history.push_back(u);
  }
  return history;
}

}  // namespace

PeerBeamRun run_calculix(const FlexibleBeam& beam, int threads) {
  if (beam.material.model != ElasticModel::svk) return {{}, "CalculiX has another Mooney-Rivlin law"};
  if (!find_program("ccx")) return {{}, "CalculiX is not installed (calculix-ccx)"};
  const ScratchFolder folder;
  const auto seconds_of_steps = [&](int steps) {
    write_input(folder.path() / "beam.inp", beam, steps, false);
    const PeerRun run = run_peer({"ccx", "beam"}, folder.path(), threads, calculix_patience);
    return run.exit_code != 0 ? -1 : threads == 1 ? run.processor_seconds : run.wall_seconds;
  };
  const double one = seconds_of_steps(1), all = seconds_of_steps(beam.steps);
  if (one < 0 || all < 0) return {{}, "CalculiX: " + last_words(folder.path())};
  BeamRun result;
  result.tip = read_displacements(folder.path() / "beam.dat");
  if (result.tip.size() != static_cast<std::size_t>(beam.steps))
    return {{}, fmt::format("CalculiX wrote {} of {} steps", result.tip.size(), beam.steps)};
  result.seconds = (all - one) * beam.steps / (beam.steps - 1);
  result.about = "CalculiX, SPOOLES";
  return {result, ""};
}

PeerBeamRun run_calculix_static(const FlexibleBeam& beam, int threads) {
  if (!find_program("ccx")) return {{}, "CalculiX is not installed (calculix-ccx)"};
  const ScratchFolder folder;
  write_input(folder.path() / "beam.inp", beam, 1, true);
  const PeerRun run = run_peer({"ccx", "beam"}, folder.path(), threads, calculix_patience);
  BeamRun result;
  result.tip = read_displacements(folder.path() / "beam.dat");
  if (run.exit_code != 0 || result.tip.size() != 1) return {{}, "CalculiX: " + last_words(folder.path())};
  result.seconds = threads == 1 ? run.processor_seconds : run.wall_seconds;
  result.about = "CalculiX, SPOOLES, the whole program";
  return {result, ""};
}

}  // namespace bulwark::app
