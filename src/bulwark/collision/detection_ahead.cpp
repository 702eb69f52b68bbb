#include <bulwark/collision/detection_ahead.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace bulwark {
struct DetectionAhead::Impl {
  struct Order {
    Vectors positions;
    std::vector<double> margin;
  };
  struct Result {
    Order order;
    TrianglePairs pairs;
  };

  Impl(const OverlapSearch& s, std::vector<double> e, DetectionOptions o)
      : search(s), extra(std::move(e)), options(std::move(o)) {}

  ~Impl() {
    if (!thread.joinable()) return;
    {
      const std::lock_guard lock(mutex);
      stops = true;
    }
    wake.notify_all();
    thread.join();
  }

  Result detect(Order order) const {
    std::vector<double> reach = order.margin;
    for (std::size_t b = 0; b < reach.size(); ++b) reach[b] += extra[b];
    TrianglePairs pairs = search.find(order.positions, reach);
    return {std::move(order), std::move(pairs)};
  }

  bool covers(const Order& order, const Vectors& positions) const {
    if (order.positions.cols() != positions.cols()) return false;
    for (const int body : search.bodies()) {
      const double squared = order.margin[body] * order.margin[body];
      for (const int v : search.vertices(body)) {
        if (!((positions.col(v) - order.positions.col(v)).squaredNorm() <= squared)) return false;
      }
    }
    return true;
  }

  /// The detecting thread.
  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [this] { return stops || work.has_value(); });
      if (stops) return;
      Order order = std::move(*work);
      work.reset();
      lock.unlock();
      std::optional<Result> found;
      std::exception_ptr problem;
      try {
        if (options.before_detection) options.before_detection();
        found = detect(std::move(order));
      } catch (...) {
        problem = std::current_exception();
      }
      lock.lock();
      done = std::move(found);
      failure = problem;
      finished = true;
      wake.notify_all();
    }
  }

  void give_out(const Vectors& positions, const std::vector<double>& margin) {
    if (!thread.joinable()) thread = std::thread([this] { run(); });
    ordered = {positions, margin};
    age = 0;
    ++counts.orders;
    {
      const std::lock_guard lock(mutex);
      work = ordered;
      finished = false;
    }
    wake.notify_all();
  }

  /// The result of the order that was given out last.
  Result await() {
    std::unique_lock lock(mutex);
    wake.wait(lock, [this] { return finished; });
    ordered.reset();
    const std::exception_ptr problem = std::exchange(failure, nullptr);
    if (problem) std::rethrow_exception(problem);
    return std::move(*std::exchange(done, std::nullopt));
  }

  const OverlapSearch& search;
  std::vector<double> extra;
  DetectionOptions options;
  Counts counts;

  // Of the stepping thread.
  std::optional<Result> current;
  std::optional<Order> ordered;  ///< what the other thread works at
  int age = 0;                   ///< of it, in steps

  // Of both, under the lock.
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Order> work;
  std::optional<Result> done;
  std::exception_ptr failure;
  bool finished = false, stops = false;
  std::thread thread;
};

DetectionAhead::DetectionAhead(const OverlapSearch& search, std::vector<double> extra,
                               DetectionOptions options)
    : impl_(std::make_unique<Impl>(search, std::move(extra), std::move(options))) {}

DetectionAhead::~DetectionAhead() = default;

const TrianglePairs& DetectionAhead::pairs(const Vectors& positions,
                                           const std::function<std::vector<double>()>& margins) {
  Impl& d = *impl_;
  if (d.options.before_step) d.options.before_step();
  if (d.ordered && ++d.age >= d.options.ahead) d.current = d.await();
  if (!d.current || !d.covers(d.current->order, positions)) {
    const bool helps = d.ordered && d.covers(*d.ordered, positions);
    if (d.ordered) d.current = d.await();
    if (helps) {
      ++d.counts.early;
    } else {
      ++d.counts.fresh;
      d.current = d.detect({positions, margins()});
    }
  }
  if (!d.ordered) d.give_out(positions, margins());
  return d.current->pairs;
}

void DetectionAhead::forget() {
  if (impl_->ordered) impl_->await();
  impl_->current.reset();
}

const DetectionAhead::Counts& DetectionAhead::counts() const {
  return impl_->counts;
}

}  // namespace bulwark
