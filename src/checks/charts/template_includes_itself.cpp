// Templates that include themselves, directly or around a corner, with no condition on the way: rendering never ends.
#include "index/cells.h"
#include "index/side_paths.h"
#include "index/template_blocks.h"
#include "rules/check.h"
#include <map>

namespace lockstep::template_includes_itself {
namespace {

// All templates of one chart and its subcharts: they share one space of names.
struct Space {
    std::vector<TemplateBlock> blocks;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_name;
};

class Walk {
public:
    Walk(const Space& space, const Index& index, RuleOutcome& outcome)
        : space_(space), index_(index), tree_(*index.tree), outcome_(outcome),
          state_(space.blocks.size(), State::fresh) {}

    void run() {
        for (std::size_t i = 0; i < space_.blocks.size(); ++i)
            if (state_[i] == State::fresh) descend(i);
    }

private:
    enum class State : std::uint8_t { fresh, open, done };
    struct Step {
        std::size_t block, call;
    };

    // The definition that a call reaches; none when there are several: the last one that Helm loads counts.
    std::size_t target(const BlockCall& call) const {
        const auto found = space_.by_name.find(call.name);
        if (found == space_.by_name.end() || found->second.size() != 1) return none;
        return found->second.front();
    }

    void descend(std::size_t root) {
        std::vector<Step> path{{root, 0}};
        state_[root] = State::open;
        while (!path.empty()) {
            Step& step = path.back();
            const auto& calls = space_.blocks[step.block].calls;
            if (step.call == calls.size()) {
                if (state_[step.block] == State::open) {
                    state_[step.block] = State::done;
                    pass(step.block);
                }
                path.pop_back();
                continue;
            }
            const BlockCall& call = calls[step.call++];
            const std::size_t next = call.guarded ? none : target(call);
            if (next == none) continue;
            if (state_[next] == State::fresh) {
                state_[next] = State::open;
                path.push_back({next, 0});
            } else if (state_[next] == State::open) {
                report(path, next, call);
            }
        }
    }

    bool is_file(const TemplateBlock& block) const { return block.place.span == Span{}; }

    std::string shown(const TemplateBlock& block) const {
        return "`" + (is_file(block) ? tree_.files[block.place.file].path : block.name) + "`";
    }

    std::string subject(const TemplateBlock& block) const {
        const std::string& path = tree_.files[block.place.file].path;
        return is_file(block) ? path : path + "#" + block.name;
    }

    void pass(std::size_t block) { outcome_.pass(space_.blocks[block].place, subject(space_.blocks[block])); }

    void report(const std::vector<Step>& path, std::size_t entry, const BlockCall& call) {
        const TemplateBlock& block = space_.blocks[entry];
        if (is_side_path(index_, call.place.file)) return;
        Finding finding;
        std::string way;
        std::size_t from = path.size();
        while (from > 0 && path[from - 1].block != entry)
            --from;
        constexpr std::size_t most_named = 8;
        for (std::size_t i = from; i < path.size() && i < from + most_named; ++i)
            way += (way.empty() ? " by way of " : ", ") + shown(space_.blocks[path[i].block]);
        if (path.size() > from + most_named) way += " and " + std::to_string(path.size() - from - most_named) + " more";
        finding.message = "the template " + shown(block) + " includes itself" + way + ", and no condition stops it";
        finding.place = call.place;
        if (is_there(block.place)) finding.related.push_back({block.place, "it begins here"});
        for (std::size_t i = from; i < path.size() && finding.related.size() < most_related; ++i)
            finding.related.push_back({space_.blocks[path[i].block].place, "on the way"});
        outcome_.fail(subject(block) + ">" + call.name, std::move(finding));
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    const Space& space_;
    const Index& index_;
    const Tree& tree_;
    RuleOutcome& outcome_;
    std::vector<State> state_;
};

// The outermost chart that a subchart is packed with.
std::string top_chart(const Index& index, std::string dir) {
    for (auto found = index.chart_by_dir.find(dir);
         found != index.chart_by_dir.end() && index.charts[found->second].subchart;
         found = index.chart_by_dir.find(dir))
        dir = std::string(directory_of(directory_of(dir)));
    return dir;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::map<std::string, Space> spaces;
    for (const Chart& chart : index.charts) {
        Space& space = spaces[top_chart(index, chart.dir)];
        const std::size_t prefix =
            (chart.dir.empty() ? 0 : chart.dir.size() + 1) + std::string_view("templates/").size();
        for (FileId file : chart.templates) {
            if (tree.files[file].state != FileState::read) continue;
            const std::string_view path = tree.files[file].path;
            for (TemplateBlock& block : template_blocks(file, input.text(file), path.substr(prefix))) {
                // Each chart has files of its own; defines are shared.
                if (block.name.starts_with('/')) block.name = chart.dir + ":" + block.name;
                for (BlockCall& call : block.calls)
                    if (call.name.starts_with('/')) call.name = chart.dir + ":" + call.name;
                space.by_name[block.name].push_back(space.blocks.size());
                space.blocks.push_back(std::move(block));
            }
        }
    }
    for (const auto& [dir, space] : spaces)
        Walk(space, index, outcome).run();
}

} // namespace

constexpr NativeCheck check{run, "helpers"};

} // namespace lockstep::template_includes_itself
