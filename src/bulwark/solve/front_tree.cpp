#include <bulwark/solve/front_order.hpp>
#include <bulwark/solve/front_tree.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace bulwark {
namespace {

/// Compressed lists: those of item i are in [start[i], start[i + 1]) of entry.
struct Lists {
  std::vector<int> start, entry;
};

/// From pairs (list, entry), given by for_each(visit): entries keep the order in which they are visited.
template <class ForEach>
Lists make_lists(int count, ForEach&& for_each) {
  Lists lists;
  lists.start.assign(count + 2, 0);
  for_each([&](int list, int) { ++lists.start[list + 2]; });
  std::partial_sum(lists.start.begin(), lists.start.end(), lists.start.begin());
  lists.entry.resize(lists.start.back());
  for_each([&](int list, int entry) { lists.entry[lists.start[list + 1]++] = entry; });
  lists.start.pop_back();
  return lists;
}

/// The tree of elimination and the pattern of the factor's columns, over nodes in their order.
struct Columns {
  std::vector<int> parent;
  std::vector<int> start, below;  ///< nodes, unsorted
  std::vector<int> rows;          ///< how many scalars those are
  double operations = 0;          ///< of the factorisation
  bool complete = false;          ///< it takes no more of them than it may
};

double front_operations(double pivots, double rows) {
  return pivots * (pivots * pivots / 6 + (pivots * rows + rows * rows) / 2);
}

/// `later` has each node's neighbours that come after it. Stops where the factorisation takes more than
/// `most_operations`.
Columns eliminate(const Lists& later, const std::vector<int>& width, double most_operations) {
  const int n = static_cast<int>(width.size());
  Columns columns;
  columns.parent.assign(n, -1);
  columns.rows.assign(n, 0);
  columns.start.push_back(0);
  std::vector<int> mark(n, -1), first_child(n, -1), sibling(n, -1);
  for (int j = 0; j < n; ++j) {
    mark[j] = j;
    int parent = n;
    auto add = [&](int i) {
      if (mark[i] == j) return;
      mark[i] = j;
      parent = std::min(parent, i);
      columns.rows[j] += 3 * width[i];
      columns.below.push_back(i);
    };
    for (int k = later.start[j]; k < later.start[j + 1]; ++k) add(later.entry[k]);
    for (int child = first_child[j]; child >= 0; child = sibling[child]) {
      for (int k = columns.start[child]; k < columns.start[child + 1]; ++k) add(columns.below[k]);
    }
    columns.start.push_back(static_cast<int>(columns.below.size()));
    columns.operations += front_operations(3 * width[j], columns.rows[j]);
    if (columns.operations > most_operations) return columns;
    if (parent == n) continue;
    columns.parent[j] = parent;
    sibling[j] = first_child[parent];
    first_child[parent] = j;
  }
  columns.complete = true;
  return columns;
}

/// Estimated time of a front of so many scalars, in nanoseconds.
double front_cost(double pivots, double rows) {
  constexpr double fixed = 150, per_entry = 0.5, per_operation = 0.1;
  return fixed + per_entry * pivots * (pivots + rows) + per_operation * front_operations(pivots, rows);
}

/// And of adding its Schur complement into its parent.
double transfer_cost(double rows) {
  return 0.4 * rows * rows;
}

/// The last node of the front in which each one is eliminated. A front takes its child in where one is
/// estimated to be faster than two.
std::vector<int> merge_into_fronts(const Columns& columns, const std::vector<int>& width) {
  const int n = static_cast<int>(width.size());
  std::vector<int> pivots(n);
  std::vector<char> merged(n, 0);
  for (int j = 0; j < n; ++j) pivots[j] = 3 * width[j];
  for (int child = 0; child < n; ++child) {
    // Children of the child came before: it has taken what it could.
    const int parent = columns.parent[child];
    if (parent < 0) continue;
    const double apart = front_cost(pivots[child], columns.rows[child]) + transfer_cost(columns.rows[child]) +
                         front_cost(pivots[parent], columns.rows[parent]);
    if (front_cost(pivots[child] + pivots[parent], columns.rows[parent]) > apart) continue;
    merged[child] = 1;
    pivots[parent] += pivots[child];
  }
  std::vector<int> last(n);
  for (int j = n - 1; j >= 0; --j) last[j] = merged[j] ? last[columns.parent[j]] : j;
  return last;
}

/// Items so that each comes after its children.
std::vector<int> postorder(const Lists& children, const std::vector<int>& roots) {
  std::vector<int> order, stack;
  std::vector<int> next = children.start;
  for (int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int item = stack.back();
      if (next[item] < children.start[item + 1]) {
        stack.push_back(children.entry[next[item]++]);
      } else {
        order.push_back(item);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Multiplications for each node and pair of nodes from which a dissection is worth its time, of some 0.6
/// microseconds for each: they take 1.5 microseconds, and of solids it saves more than half of them.
constexpr double smallest_dissected = 3e4;
/// How many times fewer operations a dissection leaves at best: it is not tried where that is not enough.
constexpr double most_gain = 3;
/// How many more operations than for the pattern that it was found for a known order may take.
constexpr double worst_growth = 1.3;

/// Adds to the runs from `begin` on.
void append(std::vector<FrontRun>& runs, int begin, int from, int to, int count) {
  if (static_cast<int>(runs.size()) > begin && runs.back().from + runs.back().count == from &&
      runs.back().to + runs.back().count == to) {
    runs.back().count += count;
  } else {
    runs.push_back({from, to, count});
  }
}

/// Share of the work that a subtree has at most where several threads may work on a tree: a few dozen subtrees
/// keep them all busy.
constexpr double subtree_share = 1.0 / 32;
/// Work that is not worth another thread, in nanoseconds.
constexpr double smallest_shared_work = 2e6;
/// And of a front alone, whose threads wait for each other at every panel.
constexpr double smallest_shared_front = 5e5;

/// Cuts subtrees off so that what remains above them, the top of the tree, are its costliest fronts. Small
/// ones that follow each other are taken together. Returns the set that each front is in: subtrees are
/// numbered, and the top comes after them.
std::vector<int> cut_into_subtrees(FrontTree& tree) {
  const int count = static_cast<int>(tree.fronts.size());
  std::vector<double> work(count, 0);
  double whole = 0;
  for (int f = 0; f < count; ++f) {
    const Front& front = tree.fronts[f];
    const double own = front_cost(front.pivots, front.rows) + transfer_cost(front.rows);
    whole += own;
    work[f] += own;
    if (front.parent >= 0) work[front.parent] += work[f];
  }
  const double largest = whole < smallest_shared_work ? whole : subtree_share * whole;
  double present = 0;
  std::vector<int> set(count, -1);
  for (int f = 0; f < count; ++f) {
    if (work[f] > largest) {
      tree.top.push_back(f);
      tree.fronts[f].shared = front_cost(tree.fronts[f].pivots, tree.fronts[f].rows) > smallest_shared_front;
      present = 2 * largest;
      continue;
    }
    if (f == 0 || present > largest) {
      tree.subtrees.push_back({f, f});
      present = 0;
    }
    tree.subtrees.back().end = f + 1;
    set[f] = static_cast<int>(tree.subtrees.size()) - 1;
    const int parent = tree.fronts[f].parent;
    const bool root = parent < 0 || work[parent] > largest;
    if (root) present += work[f];
    if (root && 2 * present >= largest && largest < whole) present = 2 * largest;
  }
  for (int f : tree.top) set[f] = static_cast<int>(tree.subtrees.size());
  return set;
}

/// Fills a tree, front by front. Nodes are numbered by their order of elimination.
class Layout {
 public:
  Layout(const NodeGraph& graph, std::vector<int> order, double most_operations)
      : graph_(graph), node_(std::move(order)), number_(node_.size()), width_(node_.size()) {
    const int n = graph.size();
    for (int j = 0; j < n; ++j) {
      number_[node_[j]] = j;
      width_[j] = graph.width(node_[j]);
    }
    later_edges_ = make_lists(n, [&](auto&& visit) {
      for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e)
        visit(std::min(number_[graph.edges[e].a], number_[graph.edges[e].b]), e);
    });
    Lists later = later_edges_;
    for (int& entry : later.entry)
      entry = std::max(number_[graph.edges[entry].a], number_[graph.edges[entry].b]);
    columns_ = eliminate(later, width_, most_operations);
  }

  bool complete() const { return columns_.complete; }
  double operations() const { return columns_.operations; }

  FrontTree tree() {
    FrontTree tree;
    arrange(tree);
    set_ = cut_into_subtrees(tree);
    local_.resize(node_.size());
    for (int f = 0; f < static_cast<int>(tree.fronts.size()); ++f) {
      set_rows(tree, f);
      set_factor_memory(tree, f);
      connect_children(tree, f);
      place_blocks(tree, f);
    }
    set_update_memory(tree);
    return tree;
  }

 private:
  /// Which nodes the fronts eliminate, in which order, and which are below.
  void arrange(FrontTree& tree) {
    const int n = graph_.size();
    const std::vector<int> last = merge_into_fronts(columns_, width_);
    std::vector<int> roots;
    for (int j = 0; j < n; ++j) {
      if (columns_.parent[j] < 0) roots.push_back(j);
    }
    // Fronts are told by their last nodes at first.
    const Lists children = make_lists(n, [&](auto&& visit) {
      for (int j = 0; j < n; ++j) {
        if (last[j] == j && columns_.parent[j] >= 0) visit(last[columns_.parent[j]], j);
      }
    });
    const std::vector<int> last_node = postorder(children, roots);
    const int count = static_cast<int>(last_node.size());
    front_of_.resize(n);
    for (int f = 0; f < count; ++f) front_of_[last_node[f]] = f;
    for (int j = 0; j < n; ++j) front_of_[j] = front_of_[last[j]];
    members_ = make_lists(count, [&](auto&& visit) {
      for (int j = 0; j < n; ++j) visit(front_of_[j], j);
    });
    position_.resize(n);
    for (int j : members_.entry) {
      position_[j] = 3 * static_cast<int>(tree.order.size());
      for (int r = 0; r < width_[j]; ++r) tree.order.push_back(graph_.first[node_[j]] + r);
    }
    // To have the nodes below each front in that order, fronts are listed per node first.
    const Lists fronts_over = make_lists(n, [&](auto&& visit) {
      for (int f = 0; f < count; ++f) {
        const int j = last_node[f];
        for (int k = columns_.start[j]; k < columns_.start[j + 1]; ++k) visit(columns_.below[k], f);
      }
    });
    below_ = make_lists(count, [&](auto&& visit) {
      for (int j : members_.entry) {
        for (int k = fronts_over.start[j]; k < fronts_over.start[j + 1]; ++k) visit(fronts_over.entry[k], j);
      }
    });
    tree.fronts.resize(count);
    for (int f = 0; f < count; ++f) {
      Front& front = tree.fronts[f];
      for (int k = members_.start[f]; k < members_.start[f + 1]; ++k)
        front.pivots += 3 * width_[members_.entry[k]];
      front.rows = columns_.rows[last_node[f]];
      const int parent = columns_.parent[last_node[f]];
      if (parent >= 0) front.parent = front_of_[parent];
    }
    for (int f = 0; f < count; ++f) {
      FrontRange& range = tree.fronts[f].children;
      range.begin = static_cast<int>(tree.children.size());
      for (int k = children.start[last_node[f]]; k < children.start[last_node[f] + 1]; ++k)
        tree.children.push_back(front_of_[children.entry[k]]);
      range.end = static_cast<int>(tree.children.size());
    }
  }

  void set_rows(FrontTree& tree, int f) {
    Front& front = tree.fronts[f];
    front.first = position_[members_.entry[members_.start[f]]];
    for (int k = members_.start[f]; k < members_.start[f + 1]; ++k) {
      const int j = members_.entry[k];
      local_[j] = position_[j] - front.first;
    }
    int row = 0;
    front.positions.begin = static_cast<int>(tree.runs.size());
    for (int k = below_.start[f]; k < below_.start[f + 1]; ++k) {
      const int j = below_.entry[k];
      local_[j] = row;
      append(tree.runs, front.positions.begin, row, position_[j], 3 * width_[j]);
      row += 3 * width_[j];
    }
    front.positions.end = static_cast<int>(tree.runs.size());
    tree.most_rows = std::max(tree.most_rows, front.rows);
  }

  static void set_factor_memory(FrontTree& tree, int f) {
    Front& front = tree.fronts[f];
    front.diagonal_stride = padded(front.pivots);
    front.below_stride = padded(front.rows);
    front.diagonal = tree.factor_size;
    front.below = front.diagonal + static_cast<std::size_t>(front.diagonal_stride) * front.pivots;
    tree.factor_size = front.below + static_cast<std::size_t>(front.below_stride) * front.pivots;
    front.carried = tree.carried_size;
    tree.carried_size += front.below_stride;
  }

  /// Schur complements are on stacks, which children leave once their parent is done: two for each set of
  /// fronts, as a front's must not be on that of its children.
  void set_update_memory(FrontTree& tree) const {
    const int count = static_cast<int>(tree.fronts.size());
    std::vector<int> stack(count);
    for (int f = count - 1; f >= 0; --f) {
      const int parent = tree.fronts[f].parent;
      stack[f] = 2 * set_[f] + (parent < 0 ? 0 : 1 - stack[parent] % 2);
    }
    struct Stack {
      std::size_t begin = 0, top = 0, size = 0;
    };
    std::vector<Stack> stacks(2 * tree.subtrees.size() + 2);
    for (int f = 0; f < count; ++f) {
      Front& front = tree.fronts[f];
      Stack& own = stacks[stack[f]];
      front.update = own.top;
      own.top += static_cast<std::size_t>(front.below_stride) * front.rows;
      own.size = std::max(own.size, own.top);
      for (int k = front.children.begin; k < front.children.end; ++k) {
        const int child = tree.children[k];
        if (set_[child] != set_[f]) continue;
        stacks[stack[child]].top = tree.fronts[child].update;
        break;
      }
    }
    for (Stack& each : stacks) {
      each.begin = tree.update_size;
      tree.update_size += each.size;
    }
    for (int f = 0; f < count; ++f) tree.fronts[f].update += stacks[stack[f]].begin;
  }

  void connect_children(FrontTree& tree, int f) const {
    for (int k = tree.fronts[f].children.begin; k < tree.fronts[f].children.end; ++k) {
      const int c = tree.children[k];
      int row = 0, i = below_.start[c];
      auto map_rows = [&](bool pivots) {
        const int begin = static_cast<int>(tree.runs.size());
        for (; i < below_.start[c + 1] && (front_of_[below_.entry[i]] == f) == pivots; ++i) {
          const int rows = 3 * width_[below_.entry[i]];
          append(tree.runs, begin, row, local_[below_.entry[i]], rows);
          row += rows;
        }
        return FrontRange{begin, static_cast<int>(tree.runs.size())};
      };
      tree.fronts[c].to_parent_pivots = map_rows(true);
      tree.fronts[c].to_parent_below = map_rows(false);
    }
  }

  void place_blocks(FrontTree& tree, int f) const {
    Front& front = tree.fronts[f];
    front.placements.begin = static_cast<int>(tree.placements.size());
    for (int k = members_.start[f]; k < members_.start[f + 1]; ++k) {
      const int j = members_.entry[k];
      const std::size_t column = local_[j];
      const std::size_t diagonal = front.diagonal + column * front.diagonal_stride;
      const std::size_t below = front.below + column * front.below_stride;
      tree.placements.push_back({graph_.first[node_[j]], 0, width_[j], width_[j], front.diagonal_stride, true,
                                 diagonal + local_[j]});
      for (int e = later_edges_.start[j]; e < later_edges_.start[j + 1]; ++e) {
        const NodeGraph::Edge& edge = graph_.edges[later_edges_.entry[e]];
        const bool upper = edge.a == node_[j];
        const int other = number_[upper ? edge.b : edge.a];
        const bool pivot = front_of_[other] == f;
        tree.placements.push_back({graph_.first[edge.a], edge.offset, graph_.width(edge.a),
                                   graph_.width(edge.b), pivot ? front.diagonal_stride : front.below_stride,
                                   upper, (pivot ? diagonal : below) + local_[other]});
      }
    }
    front.placements.end = static_cast<int>(tree.placements.size());
  }

  const NodeGraph& graph_;
  std::vector<int> node_;    ///< of the graph, by number
  std::vector<int> number_;  ///< of a node of the graph
  std::vector<int> width_;   ///< in rows of blocks
  Lists later_edges_;
  Columns columns_;
  std::vector<int> front_of_, position_;  ///< of a node: where it is eliminated, and its first unknown
  Lists members_, below_;                 ///< nodes of the fronts, in the order of elimination
  std::vector<int> set_;                  ///< that a front is in: a subtree, or the top
  std::vector<int> local_;  ///< first row of a node in the present front, among its pivots or below them
};

std::vector<int> rows_by_nodes(const NodeGraph& graph, const std::vector<int>& order) {
  std::vector<int> rows;
  rows.reserve(graph.first.back());
  for (int node : order) {
    for (int row = graph.first[node]; row < graph.first[node + 1]; ++row) rows.push_back(row);
  }
  return rows;
}

/// Nodes in the order of their first rows.
std::vector<int> nodes_by_rows(const NodeGraph& graph, const std::vector<int>& rows) {
  std::vector<int> node_from(rows.size(), -1), order;
  order.reserve(graph.size());
  for (int node = 0; node < graph.size(); ++node) node_from[graph.first[node]] = node;
  for (int row : rows) {
    if (node_from[row] >= 0) order.push_back(node_from[row]);
  }
  return order;
}

}  // namespace

int padded(int rows) {
  const int whole = (rows + 3) / 4 * 4;
  // Columns a power of two apart would compete for the same lines of the cache.
  return whole % 64 == 0 ? whole + 4 : whole;
}

bool takes_at_most(const FrontTree& tree, double most_operations) {
  return tree.operations <= most_operations && tree.quick_operations <= most_gain * most_operations;
}

std::optional<FrontTree> find_fronts(const BlockMatrix& pattern, double most_operations,
                                     const DissectedOrder& known) {
  if (pattern.rows == 0) return FrontTree{};
  const NodeGraph graph = find_nodes(pattern);
  auto finish = [&](Layout& layout, double quick_operations) -> std::optional<FrontTree> {
    FrontTree tree = layout.tree();
    tree.operations = layout.operations();
    tree.quick_operations = quick_operations;
    if (!takes_at_most(tree, most_operations)) return {};
    return tree;
  };
  if (static_cast<int>(known.row.size()) == pattern.rows) {
    Layout again(graph, nodes_by_rows(graph, known.row), worst_growth * known.operations);
    if (again.complete()) {
      std::optional<FrontTree> tree = finish(again, known.quick_operations);
      if (tree) tree->by_known_order = true;
      return tree;
    }
  }
  Layout quick(graph, minimum_degree_order(graph), most_gain * most_operations);
  if (!quick.complete()) return {};
  const double size = graph.size() + static_cast<double>(graph.edges.size());
  if (quick.operations() >= smallest_dissected * size) {
    const std::vector<int> order = dissected_order(graph);
    if (!order.empty()) {
      Layout dissected(graph, order, quick.operations());
      if (dissected.complete()) {
        std::optional<FrontTree> tree = finish(dissected, quick.operations());
        if (tree) tree->dissected = {rows_by_nodes(graph, order), dissected.operations(), quick.operations()};
        return tree;
      }
    }
  }
  return finish(quick, quick.operations());
}

}  // namespace bulwark
