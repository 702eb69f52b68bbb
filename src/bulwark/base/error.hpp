// The exceptions of Bulwark. Each is thrown where the knowledge is and caught once, at the edge (command
// line, Python), where its exit_code() becomes the program's.
#pragma once

#include <stdexcept>
#include <string>

namespace bulwark {

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_code, const std::string& place = "",
        const std::string& remedy = "")
      : std::runtime_error(message), exit_code_(exit_code), place_(place), remedy_(remedy) {}
  int exit_code() const { return exit_code_; }
  /// Parts of the message, where they are known: a file, a JSON path, a body; and what to do about it.
  const std::string& place() const { return place_; }
  const std::string& remedy() const { return remedy_; }

 private:
  int exit_code_;
  std::string place_, remedy_;
};

/// Bad input. Names the place (a file, a JSON path, a line), what is wrong, and what would be right.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message, 2) {}
  InputError(const std::string& place, const std::string& problem, const std::string& remedy = "")
      : Error(place + ": " + problem + (remedy.empty() ? "" : "\n  " + remedy), 2, place, remedy) {}
  /// Of several: the message has all of them, place and remedy are the first one's.
  static InputError of_several(const std::string& message, const std::string& place,
                               const std::string& remedy) {
    return InputError(Error(message, 2, place, remedy));
  }

 private:
  explicit InputError(const Error& error) : Error(error) {}
};

/// A time step could not be solved, not even in halves.
class SolveError : public Error {
 public:
  explicit SolveError(const std::string& message, const std::string& remedy = "")
      : Error(message, 3, "", remedy) {}
};

/// The start state has surfaces that pass through each other.
class IntersectionError : public Error {
 public:
  explicit IntersectionError(const std::string& message, const std::string& remedy = "")
      : Error(message, 4, "", remedy) {}
};

/// Output could not be written.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(message, 5) {}
};

}  // namespace bulwark
