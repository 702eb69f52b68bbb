#include <bulwark/base/error.hpp>
#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/writing/csv_tables.hpp>
#include <bulwark/output/writing/frame_writer.hpp>
#include <bulwark/output/writing/run_files.hpp>

#include <fstream>
#include <utility>

namespace bulwark {
namespace {

using Clock = std::chrono::steady_clock;

/// The series is rewritten as a whole, so not for every frame of a quick run.
constexpr double series_seconds = 1;

struct CsvFile {
  const char* file;
  std::string (*header)();
};
constexpr CsvFile csv_files[] = {{"steps.csv", steps_header},
                                 {"bodies.csv", bodies_header},
                                 {"wrenches.csv", wrenches_header},
                                 {"contacts.csv", contacts_header},
                                 {"joints.csv", joints_header},
                                 {"solves.csv", solves_header},
                                 {"contact_pairs.csv", contact_pairs_header}};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool begins_with(const std::filesystem::path& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  std::string head(text.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && head == text;
}

}  // namespace

void clear_run(const std::filesystem::path& folder) {
  for (const char* name : {"checkpoint.bwk", "checkpoint.prev.bwk", series_name, points_series_name,
                           frames_name, offenders_name}) {
    remove_path(folder / name);
  }
  for (const CsvFile& table : csv_files) remove_path(folder / table.file);
  remove_path(folder / summary_name);
}

RunFiles::RunFiles(std::filesystem::path folder, TableChoice choice) : folder_(std::move(folder)) {
  make_folder(folder_ / frames_name);
  open_tables(choice, {});
}

RunFiles::RunFiles(std::filesystem::path folder, TableChoice choice, const Checkpoint& checkpoint)
    : folder_(std::move(folder)), totals_(checkpoint.totals) {
  make_folder(folder_ / frames_name);
  open_tables(choice, checkpoint.file_lengths);
  for (const FrameEntry& frame : list_frames(folder_ / frames_name)) {
    frame_times_[frame.step] = read_frame_time(frame.path);
  }
}

void RunFiles::open_tables(TableChoice choice, const std::map<std::string, std::uint64_t>& lengths) {
  for (const CsvFile& table : csv_files) {
    if (table.file == std::string("bodies.csv") && !choice.bodies) continue;
    if (table.file == std::string("joints.csv") && !choice.joints) continue;
    if (table.file == std::string("contact_pairs.csv") && !choice.pairs) continue;
    const auto known = lengths.find(table.file);
    const std::uint64_t length = known == lengths.end() ? 0 : known->second;
    const std::filesystem::path file = folder_ / table.file;
    std::error_code error;
    if (length > 0 && (std::filesystem::file_size(file, error) < length || error)) {
      throw InputError(file.string(), "this file is missing, or shorter than when the checkpoint was written",
                       "put it back, or run without --resume to start over");
    }
    if (length > 0 && !begins_with(file, table.header())) {
      throw InputError(file.string(), "its columns are those of another version of Bulwark",
                       "continue with the version that began the run, or run without --resume to start over");
    }
    AppendedFile& opened = tables_[table.file] = AppendedFile(file, length);
    if (length == 0) opened.append(table.header());
  }
}

void RunFiles::append(const std::string& table, const std::string& rows) {
  const auto file = tables_.find(table);
  if (file != tables_.end()) file->second.append(rows);
}

void RunFiles::write_start(const StepRecord& start) {
  append("bodies.csv", bodies_rows(start.rows(), start.motions));
  write_frame(start);
  write_series();
}

void RunFiles::write_step(const StepRecord& record, std::uint64_t fingerprint) {
  const auto start = Clock::now();
  const RowStep rows = record.rows();
  if (record.frame) write_frame(record);
  if (tables_.contains("bodies.csv")) append("bodies.csv", bodies_rows(rows, record.motions));
  append("wrenches.csv", wrenches_rows(rows, record.motions, record.contacts, record.reactions));
  if (tables_.contains("contact_pairs.csv"))
    append("contact_pairs.csv", contact_pairs_rows(rows, record.contacts));
  append("joints.csv", joints_rows(rows, record.joint_coordinates, record.joints));
  append("solves.csv", solves_row(record.report));

  StepReport report = record.report;
  report.profile[Phase::writing] += seconds_since(start);
  append("steps.csv", steps_row(report));
  totals_.add(report);

  if (seconds_since(last_series_) >= series_seconds) write_series();
  if (record.state) write_checkpoint(*record.state, fingerprint);
}

void RunFiles::write_frame(const StepRecord& record) {
  // Points come first: whoever finds the frame finds them.
  if (record.integration_points.count() > 0) {
    write_file_atomically(
        folder_ / frames_name / points_file_name(record.step),
        integration_points_to_vtu(record.integration_points, record.step, record.time, &points_cache_));
  }
  write_file_atomically(folder_ / frames_name / frame_file_name(record.step),
                        frame_to_vtu(*record.frame, &frame_cache_));
  frame_times_[record.step] = record.time;
  append("contacts.csv", contacts_rows(record.rows(), record.contacts));
}

void RunFiles::write_series() {
  std::vector<SeriesEntry> series, points;
  for (const auto& [step, time] : frame_times_) {
    const auto entry = [&](const std::string& file) {
      return SeriesEntry{time, std::string(frames_name) + "/" + file};
    };
    series.push_back(entry(frame_file_name(step)));
    std::error_code error;
    if (std::filesystem::exists(folder_ / frames_name / points_file_name(step), error))
      points.push_back(entry(points_file_name(step)));
  }
  write_file_atomically(folder_ / series_name, series_to_pvd(series));
  if (!points.empty()) write_file_atomically(folder_ / points_series_name, series_to_pvd(points));
  last_series_ = Clock::now();
}

void RunFiles::write_checkpoint(const State& state, std::uint64_t fingerprint) {
  flush_folder(folder_ / frames_name);
  Checkpoint checkpoint{fingerprint, state, {}, totals_};
  for (auto& [name, file] : tables_) {
    file.flush();
    checkpoint.file_lengths[name] = file.length();
  }
  bulwark::write_checkpoint(folder_, checkpoint);
}

void RunFiles::write_summary(const std::string& text) {
  write_file_atomically(folder_ / summary_name, text);
}

}  // namespace bulwark
