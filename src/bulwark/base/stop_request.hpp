// A request from outside to end long work: Ctrl-C, a signal, Python's KeyboardInterrupt. The work asks now
// and then, from any of its threads, and ends by an exception that leaves things as they were before.
#pragma once

#include <bulwark/base/error.hpp>

#include <functional>

namespace bulwark {

/// True when the work is to end; empty where nobody asks for that. Called from several threads at once. May
/// throw an exception of its own instead.
using StopRequest = std::function<bool()>;

/// Work was ended because somebody asked for it.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted", 130) {}
};

inline void stop_if_requested(const StopRequest& stop) {
  if (stop && stop()) throw Interrupted();
}

}  // namespace bulwark
