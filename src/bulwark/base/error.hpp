// The exceptions of Bulwark. Each is thrown where the knowledge is and caught once, at the edge (command
// line, Python), where its exit_code() becomes the program's.
#pragma once

#include <stdexcept>
#include <string>

namespace bulwark {

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_code) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// Bad input. Names the place (a file, a JSON path, a line), what is wrong, and what would be right.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message, 2) {}
  InputError(const std::string& place, const std::string& problem, const std::string& remedy = "")
      : Error(place + ": " + problem + (remedy.empty() ? "" : "\n  " + remedy), 2) {}
};

/// A time step could not be solved, not even in halves.
class SolveError : public Error {
 public:
  explicit SolveError(const std::string& message) : Error(message, 3) {}
};

/// The start state has surfaces that pass through each other.
class IntersectionError : public Error {
 public:
  explicit IntersectionError(const std::string& message) : Error(message, 4) {}
};

/// Output could not be written.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(message, 5) {}
};

}  // namespace bulwark
