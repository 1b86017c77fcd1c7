// Reads the text of a path into steps. What a path finds is in path_find.cpp.
#include "yaml/path.h"
#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

using PathStep = YamlPath::Step;

constexpr std::size_t most_steps = 63; // path_find.cpp keeps its states in 64 bits

class PathReader {
public:
    explicit PathReader(std::string_view text) : text_(text) {}

    bool read(std::vector<PathStep>& steps) {
        while (at_ < text_.size()) {
            if (text_[at_] == '[') {
                if (!read_bracket(steps)) return false;
            } else {
                if (at_ > 0 && text_[at_++] != '.') return expected("`.` or `[`", at_ - 1);
                if (!read_name(steps)) return false;
            }
            if (steps.size() > most_steps) return expected("no more than 63 steps", at_);
        }
        return true;
    }

    Error error() const {
        // Columns are counted in characters, as everywhere.
        const auto characters = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(error_at_),
                                              [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
        return Error{"path `" + std::string(text_) + "`: expected " + expected_ + " at column " +
                     std::to_string(characters + 1)};
    }

private:
    bool expected(std::string what, std::size_t at) {
        expected_ = std::move(what);
        error_at_ = std::min(at, text_.size());
        return false;
    }

    bool read_name(std::vector<PathStep>& steps) {
        const std::size_t end = std::min(text_.find_first_of(".[]\"' \t", at_), text_.size());
        const std::string_view name = text_.substr(at_, end - at_);
        if (name.empty()) return expected("a key, `*` or `**` (other keys in brackets and quotes: [\"a.b\"])", at_);
        at_ = end;
        if (name == "**") {
            // Any depth below any depth is any depth.
            if (steps.empty() || steps.back().kind != PathStep::Kind::descend)
                steps.push_back({PathStep::Kind::descend, {}, {}});
        } else if (name.ends_with('*')) {
            steps.push_back({PathStep::Kind::any_key, std::string(name.substr(0, name.size() - 1)), {}});
        } else {
            steps.push_back({PathStep::Kind::key, std::string(name), {}});
        }
        return true;
    }

    bool read_bracket(std::vector<PathStep>& steps) {
        const std::size_t begin = ++at_; // behind `[`
        PathStep step{PathStep::Kind::key, {}, {}};
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
            if (!read_quoted(step.name)) return false;
        } else {
            const std::size_t end = std::min(text_.find_first_of("=]", at_), text_.size());
            step.name = std::string(text_.substr(at_, end - at_));
            at_ = end;
            if (end == text_.size() || text_[end] == ']') {
                if (!read_index(step, begin)) return false;
            } else if (step.name.empty()) {
                return expected("the name of a field", begin);
            }
        }
        if (at_ < text_.size() && text_[at_] == '=') {
            ++at_;
            step.kind = PathStep::Kind::where;
            if (!read_value(step.value)) return false;
        }
        if (at_ >= text_.size() || text_[at_] != ']') return expected("`]`", at_);
        ++at_;
        steps.push_back(std::move(step));
        return true;
    }

    bool read_index(PathStep& step, std::size_t begin) {
        const std::string& name = step.name;
        if (name == "*") {
            step.kind = PathStep::Kind::any_item;
        } else {
            const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), step.index);
            if (name.empty() || status != std::errc() || end != name.data() + name.size())
                return expected("`*`, a number, `field=value` or a key in quotes", begin);
            step.kind = PathStep::Kind::index;
        }
        step.name.clear();
        return true;
    }

    bool read_value(std::string& value) {
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) return read_quoted(value);
        const std::size_t end = std::min(text_.find(']', at_), text_.size());
        value = std::string(text_.substr(at_, end - at_));
        if (value.empty()) return expected("a value", at_);
        at_ = end;
        return true;
    }

    bool read_quoted(std::string& value) {
        const char quote = text_[at_++];
        for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            value += text_[at_];
        }
        if (at_ == text_.size()) return expected(std::string("a closing ") + quote, at_);
        ++at_;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string expected_;
    std::size_t error_at_ = 0;
};

} // namespace

Result<YamlPath> YamlPath::parse(std::string_view text) {
    YamlPath path;
    path.text_ = std::string(text);
    PathReader reader(text);
    if (!reader.read(path.steps_)) return reader.error();
    return path;
}

} // namespace lockstep
