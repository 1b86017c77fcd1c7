// The path language over trees that can be changed.
#include "yaml/value.h"

namespace lockstep {
namespace {

using PathStep = YamlPath::Step;

class Search {
public:
    Search(const std::vector<PathStep>& steps, bool only_first) : steps_(steps), only_first_(only_first) {}

    void walk(Value* key, Value* value, std::size_t step) {
        if (done() || !value) return;
        if (step == steps_.size()) {
            for (const ValueMatch& match : found)
                if (match.value == value && match.key == key) return;
            found.push_back({key, value});
            return;
        }
        const PathStep& next = steps_[step];
        switch (next.kind) {
        case PathStep::Kind::key:
            if (const std::ptrdiff_t i = value->find(next.name); i >= 0) {
                const auto at = static_cast<std::size_t>(i);
                walk(value->key_at(at), value->value_at(at), step + 1);
            }
            return;
        case PathStep::Kind::any_key:
            if (value->is_mapping())
                for (std::size_t i = 0; i < value->size(); ++i)
                    if (value->key_at(i)->text.starts_with(next.name))
                        walk(value->key_at(i), value->value_at(i), step + 1);
            return;
        case PathStep::Kind::index:
            walk(nullptr, value->at(next.index), step + 1);
            return;
        case PathStep::Kind::any_item:
            for (Value* item : value->items())
                walk(nullptr, item, step + 1);
            return;
        case PathStep::Kind::where:
            for (Value* item : value->items())
                if (const Value* field = item->get(next.name); field && field->is_scalar() && field->text == next.value)
                    walk(nullptr, item, step + 1);
            return;
        case PathStep::Kind::descend:
            descend(key, value, step);
            return;
        }
    }

    std::vector<ValueMatch> found;

private:
    bool done() const { return only_first_ && !found.empty(); }

    void descend(Value* key, Value* value, std::size_t step) {
        walk(key, value, step + 1);
        if (value->is_mapping())
            for (std::size_t i = 0; i < value->size(); ++i)
                descend(value->key_at(i), value->value_at(i), step);
        for (Value* item : value->items())
            descend(nullptr, item, step);
    }

    const std::vector<PathStep>& steps_;
    bool only_first_;
};

} // namespace

std::vector<ValueMatch> find(const YamlPath& path, Value* root) {
    Search search(path.steps(), false);
    search.walk(nullptr, root, 0);
    return std::move(search.found);
}

std::optional<ValueMatch> find_first(const YamlPath& path, Value* root) {
    Search search(path.steps(), true);
    search.walk(nullptr, root, 0);
    if (search.found.empty()) return std::nullopt;
    return search.found.front();
}

} // namespace lockstep
