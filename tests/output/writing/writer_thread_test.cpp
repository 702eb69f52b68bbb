#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/writer_thread.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <vector>

namespace bulwark {
namespace {

/// A job that holds the writer until it is let go.
class Gate {
 public:
  std::function<void()> job() {
    return [this] {
      reached_.set_value();
      open_.get_future().wait();
    };
  }
  void wait_until_reached() { reached_.get_future().wait(); }
  void open() { open_.set_value(); }

 private:
  std::promise<void> reached_, open_;
};

TEST(WriterThread, DoesJobsInTheirOrderOnAnotherThread) {
  std::vector<int> done;
  std::thread::id thread;
  WriterThread writer(2);
  for (int i = 0; i < 100; ++i) {
    writer.add([&, i] {
      done.push_back(i);
      thread = std::this_thread::get_id();
    });
  }
  writer.finish();
  ASSERT_EQ(done.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[i], i);
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(WriterThread, HoldsNoMoreJobsThanItHasRoomFor) {
  Gate gate;
  std::atomic<int> handed_in = 0, done = 0;
  WriterThread writer(2);
  writer.add(gate.job());
  gate.wait_until_reached();
  std::thread maker([&] {
    for (int i = 0; i < 5; ++i) {
      writer.wait_for_room();
      EXPECT_LE(handed_in - done, 2);
      writer.add([&] { ++done; });
      ++handed_in;
    }
  });
  while (handed_in < 2) std::this_thread::yield();
  EXPECT_EQ(done, 0);
  gate.open();
  maker.join();
  writer.finish();
  EXPECT_EQ(done, 5);
}

TEST(WriterThread, AFailureEndsItAndIsThrownByWhatComesNext) {
  bool done_after = false;
  Gate gate;
  WriterThread writer(2);
  writer.add(gate.job());
  gate.wait_until_reached();
  writer.add([] { throw OutputError("cannot write a.csv: no space is left on the disk"); });
  writer.add([&] { done_after = true; });
  gate.open();
  for (int call = 0; call < 2; ++call) {
    try {
      writer.finish();
      FAIL() << "the failure is not reported";
    } catch (const OutputError& error) {
      EXPECT_EQ(error.exit_code(), 5);
      EXPECT_STREQ(error.what(), "cannot write a.csv: no space is left on the disk");
    }
  }
  EXPECT_THROW(writer.wait_for_room(), OutputError);
  EXPECT_THROW(writer.add([&] { done_after = true; }), OutputError);
  EXPECT_FALSE(done_after) << "nothing is written behind a gap";
}

TEST(WriterThread, ADyingWriterDoesWhatWaits) {
  int done = 0;
  {
    Gate gate;
    WriterThread writer(3);
    writer.add(gate.job());
    gate.wait_until_reached();
    for (int i = 0; i < 3; ++i) writer.add([&] { ++done; });
    gate.open();
  }
  EXPECT_EQ(done, 3);
}

TEST(WriterThread, AFailureThatNobodyAskedForIsAWarning) {
  std::vector<std::string> warnings;
  set_log_sink([&](LogLevel, const std::string& message) { warnings.push_back(message); });
  {
    WriterThread writer(1);
    writer.add([] { throw OutputError("cannot write b.csv"); });
  }
  set_log_sink({});
  EXPECT_EQ(warnings, std::vector<std::string>{"cannot write b.csv"});
}

}  // namespace
}  // namespace bulwark
