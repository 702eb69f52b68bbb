// The commands of the program: each takes its options as plain data and returns the exit code. They throw
// bulwark::Error, which main turns into a message and an exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bulwark::app {

/// 128 + SIGINT, as shells report an interrupted program.
inline constexpr int exit_interrupted = 130;

struct RunOptions {
  std::string scene;
  std::string folder;  ///< empty: out/SCENE_NAME
  std::optional<int> steps, threads;
  std::string device = "cpu";
  bool resume = false;
  bool force = false;                  ///< replace the results that the folder has
  bool quiet = false;                  ///< print nothing but warnings and errors
  std::vector<std::string> overrides;  ///< JSON_POINTER=VALUE
  std::string recorded_queries;        ///< file for the CCD queries of the run; "": none
};
int run(const RunOptions& options);

struct ValidateOptions {
  std::string scene;
  std::string offenders;  ///< file for the triangles of a start that intersects
  std::vector<std::string> overrides;
};
int validate(const ValidateOptions& options);

int check(const std::string& folder);

struct ImportOptions {
  std::string file;   ///< a URDF, or a scene of rigid-ipc
  std::string scene;  ///< the scene file to write
  std::string mesh_folder;
  bool rigid = false;
  bool copy_meshes = false;
  // Of URDF files alone:
  std::vector<std::string> package_paths;
  std::vector<std::string> joint_values;  ///< NAME=VALUE
  bool free_base = false, ground = false, hold = false;
};
int import_scene(const ImportOptions& options);

struct RenderOptions {
  std::string folder;
  std::string output;         ///< a picture, numbered pictures (%04d.png) or a video
  std::optional<long> frame;  ///< of a picture: the step that the frame shows; empty: the last
  std::string size = "1280x720";
  std::string color = "body";  ///< body, speed, stress or contact_force
  std::string camera;          ///< "x,y,z,tx,ty,tz"; "": the scene's, or one that fits
  bool mesh_edges = false;
  bool quiet = false;
  std::optional<int> every;  ///< of videos and numbered pictures: frames from one to the next
  std::optional<double> frames_per_second;
};
int render(const RenderOptions& options);

struct PlotOptions {
  std::string folder;
  std::string output;  ///< the file, or the folder for the usual plots; "": in the run folder
  std::string file = "steps.csv";
  std::vector<std::string> columns;  ///< empty: the usual plots
  std::vector<std::string> names;    ///< of bodies or joints to show; empty: all
  std::string x;                     ///< column of the horizontal axis; "": time
  bool logarithmic = false;
  bool quiet = false;
};
int plot(const PlotOptions& options);

struct ExportOptions {
  std::string folder;
  std::string format;         ///< gltf, obj, ply, stl, vtk or vtu; "": told by the output's name
  std::string output;         ///< a file, or the folder of the files; "": in the folder `export` of the run
  std::optional<long> frame;  ///< the step of the only frame to write; empty: all
  int every = 1;              ///< frames from one to the next
  bool quiet = false;
};
int export_run(const ExportOptions& options);

struct ExplainOptions {
  std::string folder;
  std::optional<long> step;  ///< empty: the whole run
};
int explain(const ExplainOptions& options);

int doctor();

struct ViewOptions {
  std::string run;                     ///< a run folder, or a scene whose start is shown
  std::vector<std::string> overrides;  ///< of a scene
  std::optional<int> port;             ///< empty: the usual one, or the next that is free
  bool browser = true;                 ///< open it
  std::string html;                    ///< write a page instead of serving one; "": serve
  double limit_megabytes = 50;
};
int view(const ViewOptions& options);

struct CcdCommandOptions {
  std::vector<std::string> files;  ///< or folders
  std::string method = "tight-inclusion";
  std::string kind;  ///< vertex-face or edge-edge; "": by the file's path
  double tolerance = 1e-6;
  int max_iterations = 1'000'000;
  double minimum_separation = 0;
  bool bisection_only = false;
  std::string json;
};
int ccd(const CcdCommandOptions& options);

struct RestitutionOptions {
  double speed = 0;    ///< m/s
  double step = 0.01;  ///< s
  double bounce = 0;   ///< wanted: speed after over speed before
  std::string integrator = "bdf2";
  std::optional<double> distance;  ///< m; empty: as small as the bounce allows
  double mass = 1;                 ///< kg
  int points = 4;                  ///< at which the bodies touch
};
int restitution(const RestitutionOptions& options);

struct BenchOptions {
  std::string name;
  std::string json;  ///< file for the results; "" for none
  int threads = 0;
  bool quick = false;  ///< the small sizes only, to see that it works
  std::string only;    ///< of `stiff`: the one part to run: light, medium, full, kinds, growth; "": all
  std::vector<std::string> scenes;  ///< of `stiff`: to compare affine and rigid bodies on
  int largest = 100;                ///< of `stiff`: the growth is measured up to N x N pairs of bodies
};
int bench(const BenchOptions& options);

int list_scenes(bool names_only);
int print_schema(bool markdown);
int print_version();

}  // namespace bulwark::app
