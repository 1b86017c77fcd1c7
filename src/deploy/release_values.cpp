// Reads the tree of a HelmRelease as helm-controller does.
#include "deploy/release_values.h"
#include "deploy/flux_spec.h"
#include "deploy/force_mark.h"
#include "deploy/variables.h"
#include "index/cells.h"
#include "index/links.h"

namespace lockstep {
namespace {

// One entry of valuesFrom; the reason when it is not known.
std::string add_source(const Value& entry, const SupplierOf& supply, ChartRequest& request) {
    const Cell kind = cell_at(&entry, {"kind"}), name = cell_at(&entry, {"name"});
    const Cell key = cell_at(&entry, {"valuesKey"}), target = cell_at(&entry, {"targetPath"});
    const bool readable = is_known(kind) && is_known(name) && key.state != State::templated;
    const Value* object = readable ? supply(kind.text, name.text) : nullptr;
    const std::string wanted = is_set(key) ? key.text : "values.yaml";
    ValuesPart part;
    part.place = name.place;
    part.known = false;
    if (is_known(target)) part.target_path = target.text;
    part.literal = cell_at(&entry, {"literal"}).text == "true";
    bool has_key = false;
    if (object) {
        const bool secret = kind.text == "Secret";
        for (const Datum& datum : data_of(object, secret)) {
            if (datum.key != wanted) continue;
            has_key = true;
            part.known = datum.known;
            part.text = datum.text;
            part.place = datum.place;
        }
    }
    // What is not there is left out where that is allowed.
    const bool absent = object && !is_shared(object) && !has_key;
    if (absent && cell_at(&entry, {"optional"}).text == "true") return {};
    const bool known = part.known, one_value = !part.target_path.empty();
    request.values.push_back(std::move(part));
    if (known || one_value) return {}; // one value that is not known is marked as such
    return "the values of " + kind.text + " " + name.text + " are not in this tree";
}

} // namespace

std::string values_of_release(const Value* release, const SupplierOf& supply, ChartRequest& request) {
    std::string unseen;
    const auto note = [&](std::string why) {
        if (unseen.empty()) unseen = std::move(why);
    };
    const Value* files = value_at(release, {"spec", "chart", "spec", "valuesFiles"});
    for (const Value* item : files ? files->items() : std::span<Value* const>()) {
        if (item->unknown)
            note("the name of a values file is not known");
        else
            request.values_files.push_back({std::string(item->text), item->place});
    }
    request.skip_missing_files = cell_at(release, {"spec", "chart", "spec", "ignoreMissingValuesFiles"}).text == "true";
    const auto schema_is_off = [&](std::string_view action) {
        return cell_at(release, {"spec", action, "disableSchemaValidation"}).text == "true";
    };
    request.skip_schema = schema_is_off("install") && schema_is_off("upgrade");
    if (const Value* from = value_at(release, {"spec", "valuesFrom"}))
        for (const Value* entry : from->items())
            if (std::string why = add_source(*entry, supply, request); !why.empty()) note(std::move(why));
    if (const Value* values = value_at(release, {"spec", "values"}); values && values->is_mapping()) {
        ValuesPart part;
        part.tree = values;
        part.place = values->place;
        request.values.push_back(std::move(part));
    }
    return unseen;
}

} // namespace lockstep
