// The names that Terraform templates read, and those that templatefile() calls pass to them.
#include "base/suggest.h"
#include "index/terraform.h"
#include "relations/relation.h"
#include <map>
#include <set>

namespace lockstep::template_variables {
namespace {

struct Call {
    FileId file = no_file; // the .tf file
    TemplateCall call;
    std::set<std::string, std::less<>> keys;
};

bool in_comment(std::string_view text, std::uint32_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", line);
    return first < at && text[first] == '#';
}

bool is_terraform(std::string_view path) {
    return path.ends_with(".tf") || path.ends_with(".tofu") || path.ends_with(".hcl");
}

class Variables {
public:
    Variables(const RelationInput& input, RelationRows& rows)
        : input_(input), tree_(*input.repository.tree), rows_(rows) {}

    void fill() {
        for (const FileId file : input_.asked())
            if (is_terraform(tree_.files[file].path)) take_calls(file);
        for (const auto& [file, calls] : by_template_) {
            add_read(file, calls);
            add_passed(file, calls);
        }
    }

private:
    std::string subject(FileId file, std::string_view name) const {
        return tree_.files[file].path + ":" + std::string(name);
    }

    void take_calls(FileId file) {
        for (TemplateCall& call : template_calls(input_.texts(file))) {
            const auto path =
                call.path.empty() ? std::nullopt : join_path(directory_of(tree_.files[file].path), call.path);
            const auto target = path ? tree_.find(*path) : std::nullopt;
            if (!target || tree_.files[*target].state != FileState::read || !input_.texts(*target).data()) {
                rows_.add(
                    rows_.start({file, call.span}, subject(file, "templatefile"))
                        .set("side", "read")
                        .set("doubt", call.path.empty() ? "the path is not written out" : "the template is not here"));
                continue;
            }
            Call one{file, std::move(call), {}};
            for (const TerraformName& key : one.call.keys)
                one.keys.insert(key.name);
            by_template_[*target].push_back(std::move(one));
        }
    }

    void add_read(FileId file, const std::vector<Call>& calls) {
        const std::string_view text = input_.texts(file);
        const TemplateNames read = template_names(text);
        if (read.broken)
            return rows_.add(rows_.start({file, {}}, tree_.files[file].path)
                                 .set("side", "read")
                                 .set("doubt", "the template cannot be read to its end"));
        std::map<std::string, std::vector<Span>> places;
        for (const TerraformName& name : read.names)
            places[name.name].push_back(name.span);
        for (const auto& [name, spans] : places) {
            std::vector<const Call*> without;
            bool open = false;
            for (const Call& call : calls) {
                if (call.keys.count(name) != 0) continue;
                open = open || call.call.open;
                if (!call.call.open) without.push_back(&call);
            }
            NewRow row = rows_.start({file, spans.front()}, subject(file, name));
            row.set("side", "read").set("name", name).set("template", tree_.files[file].path);
            row.set("matched", without.empty() ? "yes" : "no");
            if (without.empty() && open) row.set("doubt", "the call passes more than is written out");
            if (!without.empty()) add_calls_without(file, spans, without, name, row);
            rows_.add(std::move(row));
        }
    }

    void add_calls_without(FileId file, const std::vector<Span>& spans, const std::vector<const Call*>& without,
                           const std::string& name, NewRow& row) {
        row.set("call", tree_.files[without.front()->file].path);
        std::vector<std::string> keys; // a hint is for a slip: not for thousands of them
        if (hints_++ < most_hints) keys.assign(without.front()->keys.begin(), without.front()->keys.end());
        if (const auto near = nearest(name, keys)) row.set("near", *near);
        if (in_comment(input_.texts(file), spans.front().begin)) row.set("comment", "yes");
        for (std::size_t i = 1; i < spans.size(); ++i)
            row.also({file, spans[i]}, "and here");
        for (const Call* call : without)
            row.also({call->file, call->call.span}, "the call that does not pass it");
    }

    void add_passed(FileId file, const std::vector<Call>& calls) {
        const TemplateNames read = template_names(input_.texts(file));
        std::set<std::string, std::less<>> names;
        for (const TerraformName& name : read.names)
            names.insert(name.name);
        for (const Call& call : calls)
            for (const TerraformName& key : call.call.keys) {
                const std::string& path = tree_.files[file].path;
                NewRow row = rows_.start({call.file, key.span}, subject(call.file, path + ":" + key.name));
                row.set("side", "passed").set("name", key.name).set("template", path);
                row.set("call", tree_.files[call.file].path).set("matched", names.contains(key.name) ? "yes" : "no");
                if (!names.contains(key.name) && read.broken)
                    row.set("doubt", "the template cannot be read to its end");
                rows_.add(std::move(row));
            }
    }

    const RelationInput& input_;
    const Tree& tree_;
    RelationRows& rows_;
    std::map<FileId, std::vector<Call>> by_template_;
    std::size_t hints_ = 0;
};

void fill(const RelationInput& input, RelationRows& rows) {
    Variables(input, rows).fill();
}

} // namespace

// A template is read whatever its name says: templatefile() takes any.
constexpr Relation relation{"template-variables", "side name template call matched near comment doubt",
                            "**/*.{tf,tofu,hcl} **/*.{tpl,tmpl,tftpl}", fill};

} // namespace lockstep::template_variables
