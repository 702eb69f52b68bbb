// Replays the seeds and finds of every fuzzer, and some hundred damaged copies of each, without a fuzzer's
// build. Whatever comes, a reader reads it or answers by an InputError: no crash, no hang, no memory beyond a
// bound.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <fuzz/feeds.hpp>
#include <output/temporary_folder.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace bulwark::fuzz {
namespace {

struct Seed {
  std::string name, bytes;
};

std::vector<Seed> corpus_of(const Feed& feed) {
  const auto folder =
      std::filesystem::path(BULWARK_SOURCE_DIR) / "tests/fuzz" / (std::string(feed.name) + "_corpus");
  std::vector<Seed> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    seeds.push_back({entry.path().filename().string(), read_all(entry.path())});
  }
  std::sort(seeds.begin(), seeds.end(), [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return seeds;
}

/// The bytes with some damage: cut, flipped, overwritten by numbers that are often mishandled, doubled.
std::string damaged(std::string bytes, std::mt19937& random) {
  static const std::vector<std::string> odd = {std::string(8, '\0'),
                                               std::string(8, '\xff'),
                                               std::string("\0\0\0\0\0\0\xf0\x7f", 8),
                                               std::string("\0\0\0\0\0\0\xf8\x7f", 8),
                                               std::string("\xff\xff\xff\x7f", 4),
                                               std::string("\0\0\0\x80", 4),
                                               "nan",
                                               "-1",
                                               "1e308",
                                               "inf",
                                               "99999999999999999999",
                                               "\"",
                                               "\n",
                                               ","};
  const std::size_t times = 1 + random() % 4;
  for (std::size_t k = 0; k < times && !bytes.empty(); ++k) {
    const std::size_t place = random() % bytes.size();
    switch (random() % 5) {
      case 0:
        bytes.resize(place);
        break;
      case 1:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
        break;
      case 2:
        bytes.replace(place, std::min<std::size_t>(8, bytes.size() - place), odd[random() % odd.size()]);
        break;
      case 3:
        bytes.insert(place, odd[random() % odd.size()]);
        break;
      default:
        bytes.insert(place, bytes.substr(random() % bytes.size(), random() % 64));
    }
  }
  return bytes;
}

std::size_t most_memory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

class Corpus : public testing::TestWithParam<Feed> {};

TEST_P(Corpus, EverySeedIsReadOrAnswered) {
  const std::vector<Seed> seeds = corpus_of(GetParam());
  EXPECT_FALSE(seeds.empty());
  for (const Seed& seed : seeds) {
    SCOPED_TRACE(seed.name);
    EXPECT_NO_THROW(GetParam().take(seed.bytes));
  }
}

TEST_P(Corpus, DamagedSeedsAreReadOrAnsweredWithinMemory) {
  constexpr int tries = 300;
  constexpr std::size_t longest = 20000, most_growth = std::size_t{1} << 30;
  const std::size_t before = most_memory();
  std::mt19937 random(7);
  for (const Seed& seed : corpus_of(GetParam())) {
    if (seed.bytes.size() > longest) continue;
    for (int i = 0; i < tries; ++i) {
      SCOPED_TRACE(seed.name + ", try " + std::to_string(i));
      ASSERT_NO_THROW(GetParam().take(damaged(seed.bytes, random)));
    }
  }
  EXPECT_LT(most_memory() - before, most_growth);
}

INSTANTIATE_TEST_SUITE_P(OfReaders, Corpus, testing::ValuesIn(feeds),
                         [](const auto& feed) { return std::string(feed.param.name); });

}  // namespace
}  // namespace bulwark::fuzz
