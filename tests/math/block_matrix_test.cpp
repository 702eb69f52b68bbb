#include <bulwark/base/parallel.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <random>

namespace bulwark {
namespace {

/// Random blocks between `controls` controls, and the dense matrix that they add up to.
BlockList random_blocks(std::mt19937& random, int controls, int count, double scale, MatrixX& dense) {
  BlockList list;
  list.resize(count);
  std::uniform_int_distribution<int> control(0, controls - 1);
  for (int k = 0; k < count; ++k) {
    const int a = control(random), b = control(random);
    Matrix3 block = Matrix3::Random();
    if (a == b) block = (block + block.transpose()).eval();
    list.set(k, a, b, block);
    dense.block<3, 3>(3 * a, 3 * b) += scale * block;
    if (a != b) dense.block<3, 3>(3 * b, 3 * a) += scale * block.transpose();
  }
  return list;
}

MatrixX to_dense(const BlockMatrix& matrix) {
  MatrixX dense = MatrixX::Zero(3 * matrix.rows, 3 * matrix.rows);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      dense.block<3, 3>(3 * i, 3 * matrix.column[k]) = matrix.value[k];
      dense.block<3, 3>(3 * matrix.column[k], 3 * i) = matrix.value[k].transpose();
    }
  }
  return dense;
}

/// A map without factors: control i goes to row[i].
BlockMap plain_map(const std::vector<int>& row) {
  BlockMap map;
  map.rows = *std::max_element(row.begin(), row.end()) + 1;
  map.row = row;
  map.plain.assign(row.size(), 1);
  map.factor.assign(row.size(), Matrix3::Identity());
  return map;
}

TEST(BlockAssembler, AddsUpAllListsOverTheFreeControls) {
  std::mt19937 random(3);
  const int controls = 30;
  std::vector<int> free_index(controls, -1), free;
  for (int i = 0; i < controls; ++i) {
    if (i % 4 == 1) continue;
    free_index[i] = static_cast<int>(free.size());
    free.push_back(i);
  }
  BlockAssembler assembler;
  MatrixX steady = MatrixX::Zero(3 * controls, 3 * controls);
  const BlockList first = random_blocks(random, controls, 200, 1, steady);
  for (int round = 0; round < 5; ++round) {
    MatrixX dense = steady;
    const BlockList second = random_blocks(random, controls, 20 * round, 2.5, dense);
    const std::vector<BlockAssembler::Source> sources = {{&first, 1}, {&second, 2.5}};
    const BlockMatrix& matrix = assembler.assemble(sources, plain_map(free_index));
    const MatrixX assembled = to_dense(matrix);
    VectorX x = VectorX::Random(3 * free.size()), y;
    matrix.multiply(x, y);
    EXPECT_LT((y - assembled * x).norm(), 1e-12 * y.norm());
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (std::size_t j = 0; j < free.size(); ++j) {
        EXPECT_LT((assembled.block<3, 3>(3 * i, 3 * j) - dense.block<3, 3>(3 * free[i], 3 * free[j])).norm(),
                  1e-12);
      }
    }
  }
}

TEST(BlockAssembler, TakesBlocksThroughTheFactorsOfTheirControls) {
  // Controls 1, 2 and 3 share one row, as the columns of a rigid body do.
  std::mt19937 random(4);
  BlockMap map = plain_map({0, 1, 1, 1, 2});
  MatrixX factors = MatrixX::Zero(15, 9);
  for (int i = 0; i < 5; ++i) {
    map.plain[i] = map.row[i] != 1;
    if (!map.plain[i]) map.factor[i] = Matrix3::Random();
    factors.block<3, 3>(3 * i, 3 * map.row[i]) = map.factor[i];
  }
  MatrixX dense = MatrixX::Zero(15, 15);
  const BlockList list = random_blocks(random, 5, 60, 1, dense);
  const std::vector<BlockAssembler::Source> sources = {{&list, 1}};
  BlockAssembler assembler;
  const MatrixX assembled = to_dense(assembler.assemble(sources, map));
  EXPECT_LT((assembled - factors.transpose() * dense * factors).norm(), 1e-12 * assembled.norm());
}

TEST(BlockAssembler, KeepsItsPatternWhileNewBlocksFitIntoIt) {
  std::mt19937 random(5);
  MatrixX unused = MatrixX::Zero(60, 60);
  std::vector<int> all(20);
  for (int i = 0; i < 20; ++i) all[i] = i;
  const BlockList many = random_blocks(random, 20, 100, 1, unused);
  BlockList fewer = many;
  fewer.resize(97);
  BlockAssembler assembler;
  const std::vector<BlockAssembler::Source> with_many = {{&many, 1}}, with_fewer = {{&fewer, 1}};
  const auto version = assembler.assemble(with_many, plain_map(all)).pattern_version;
  EXPECT_EQ(assembler.assemble(with_fewer, plain_map(all)).pattern_version, version);
  BlockList none;
  const std::vector<BlockAssembler::Source> with_none = {{&none, 1}};
  EXPECT_NE(assembler.assemble(with_none, plain_map(all)).pattern_version, version);
}

TEST(BlockAssembler, GivesTheSameBitsOnAnyNumberOfThreads) {
  MatrixX unused = MatrixX::Zero(1500, 1500);
  std::mt19937 random(9);
  const BlockList list = random_blocks(random, 500, 20000, 1, unused);
  std::vector<int> all(500);
  for (int i = 0; i < 500; ++i) all[i] = i;
  const std::vector<BlockAssembler::Source> sources = {{&list, 0.3}};
  set_thread_count(1);
  const MatrixX one = to_dense(BlockAssembler().assemble(sources, plain_map(all)));
  for (int threads : {2, 3, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(one, to_dense(BlockAssembler().assemble(sources, plain_map(all)))) << threads;
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace bulwark
