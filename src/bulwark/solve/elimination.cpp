#include <bulwark/solve/elimination.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace bulwark {
namespace {

/// A coefficient below this part of a row's largest is no pivot.
constexpr double smallest_pivot = 0.1;
/// What is left of a coefficient or a value after cancellation counts as zero below this part of what it was.
constexpr double rounding = 1e-9;

using Sparse = std::map<int, double>;

class Eliminator {
 public:
  Eliminator(const std::vector<Eliminable>& role, const std::vector<double>& length,
             const std::vector<unsigned char>& held, const std::vector<double>& position, int most_controls)
      : most_controls_(most_controls),
        role_(role),
        length_(length),
        held_(held),
        position_(position),
        users_(3 * role.size()) {}

  enum class Result { used, redundant, contradictory };

  Result add(const ConstraintRow& row) {
    Sparse entries;
    double value = row.value, size = std::abs(row.value), largest = 0;
    auto substitute = [&](int scalar, double c) {
      const auto follower = followers_.find(scalar);
      if (follower == followers_.end()) {
        if (never_moves(scalar)) {
          value -= c * position_[scalar];
          size += std::abs(c * position_[scalar]);
        } else {
          entries[scalar] += c;
        }
        return;
      }
      value -= c * follower->second.constant;
      size += std::abs(c * follower->second.constant);
      for (const auto& [s, e] : follower->second.on) entries[s] += c * e;
    };
    for (const auto& [scalar, c] : row.entries) {
      if (c == 0) continue;
      largest = std::max(largest, std::abs(c) / length_[scalar / 3]);
      size += std::abs(c * position_[scalar]);
      substitute(scalar, c);
    }
    std::erase_if(entries, [&](const auto& e) {
      return std::abs(e.second) / length_[e.first / 3] <= rounding * largest;
    });
    const int pivot = choose(entries);
    if (pivot < 0) {
      const bool scripts_remain = !entries.empty();
      return !scripts_remain && std::abs(value) <= rounding * std::max(size, largest) ? Result::redundant
                                                                                      : Result::contradictory;
    }
    set_follower(pivot, entries, value);
    return Result::used;
  }

  std::vector<Follower> followers() const {
    std::vector<Follower> result;
    for (const auto& [scalar, expression] : followers_) {
      Follower follower;
      follower.scalar = scalar;
      follower.constant = expression.constant;
      follower.on.assign(expression.on.begin(), expression.on.end());
      result.push_back(std::move(follower));
    }
    return result;
  }

 private:
  struct Expression {
    Sparse on;
    double constant = 0;
  };

  bool never_moves(int scalar) const {
    return role_[scalar / 3] == Eliminable::fixed || (held_[scalar / 3] >> (scalar % 3) & 1) != 0;
  }

  int choose(const Sparse& entries) const {
    std::set<int> controls;
    double largest = 0;
    for (const auto& [scalar, c] : entries) {
      controls.insert(scalar / 3);
      if (role_[scalar / 3] != Eliminable::scripted)
        largest = std::max(largest, std::abs(c) / length_[scalar / 3]);
    }
    const bool long_row = static_cast<int>(controls.size()) > most_controls_ + 1;
    int best = -1, best_rank = 0;
    double best_size = 0;
    std::size_t best_users = 0;
    for (const auto& [scalar, c] : entries) {
      const Eliminable role = role_[scalar / 3];
      if (role == Eliminable::scripted) continue;
      const double size = std::abs(c) / length_[scalar / 3];
      if (size < smallest_pivot * largest) continue;
      const int rank = role == Eliminable::vertex ? 3 : (role == Eliminable::center) != long_row ? 2 : 1;
      const std::size_t users = users_[scalar].size();
      // Vertices and columns by size; of centers the one that fewest others follow, then the last.
      const bool better = rank != best_rank            ? rank > best_rank
                          : role == Eliminable::center ? users <= best_users
                                                       : size > best_size * (1 + 1e-9);
      if (best < 0 || better) {
        best = scalar;
        best_rank = rank;
        best_size = size;
        best_users = users;
      }
    }
    return best;
  }

  void set_follower(int pivot, const Sparse& entries, double value) {
    const double c = entries.at(pivot);
    Expression own;
    own.constant = value / c;
    for (const auto& [scalar, e] : entries) {
      if (scalar != pivot) own.on[scalar] = -e / c;
    }
    const std::set<int> users = std::move(users_[pivot]);
    users_[pivot].clear();
    for (const int user : users) {
      Expression& expression = followers_[user];
      const double weight = expression.on.at(pivot);
      expression.on.erase(pivot);
      expression.constant += weight * own.constant;
      for (const auto& [scalar, e] : own.on) {
        double& sum = expression.on[scalar];
        const double before = std::abs(sum);
        sum += weight * e;
        if (std::abs(sum) <= 1e-13 * std::max(before, std::abs(weight * e))) {
          expression.on.erase(scalar);
          users_[scalar].erase(user);
        } else {
          users_[scalar].insert(user);
        }
      }
    }
    for (const auto& [scalar, e] : own.on) users_[scalar].insert(pivot);
    followers_[pivot] = std::move(own);
  }

  int most_controls_;  ///< a center that would follow more stays free; a column follows instead
  const std::vector<Eliminable>& role_;
  const std::vector<double>& length_;
  const std::vector<unsigned char>& held_;
  const std::vector<double>& position_;
  std::map<int, Expression> followers_;
  std::vector<std::set<int>> users_;  ///< per scalar: the followers whose expressions have it
};

}  // namespace

Elimination eliminate(const std::vector<ConstraintRow>& rows, const std::vector<Eliminable>& role,
                      const std::vector<double>& length, const std::vector<unsigned char>& held,
                      const std::vector<double>& position, int most_controls) {
  Eliminator eliminator(role, length, held, position, most_controls);
  Elimination result;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    switch (eliminator.add(rows[r])) {
      case Eliminator::Result::used:
        result.kept.push_back(static_cast<int>(r));
        break;
      case Eliminator::Result::redundant:
        result.redundant.push_back(static_cast<int>(r));
        break;
      case Eliminator::Result::contradictory:
        result.contradictory.push_back(static_cast<int>(r));
        break;
    }
  }
  result.followers = eliminator.followers();
  return result;
}

}  // namespace bulwark
