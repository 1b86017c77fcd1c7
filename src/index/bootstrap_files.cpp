// Bootstrap pins of a parsed file, by what its documents are.
#include "index/bootstrap.h"
#include "index/cells.h"
#include "index/layout.h"

namespace lockstep {
namespace {

using From = BootstrapPin::From;

void add_all(std::vector<BootstrapPin>& pins, std::vector<BootstrapPin> more, From from) {
    for (BootstrapPin& pin : more) {
        pin.from = from;
        pins.push_back(std::move(pin));
    }
}

// Flux's manifests as a remote resource. Patches and generators of that list never come from there.
void add_remote(std::vector<BootstrapPin>& pins, FileId file, NodeRef root) {
    for (std::string_view key : {"resources", "bases"})
        for (NodeRef item : items_at(root, {key}))
            if (auto pin = flux_url_pin(file, word_from_scalar(item.resolved()))) {
                pin->from = From::kustomization;
                pins.push_back(std::move(*pin));
            }
}

void add_steps(std::vector<BootstrapPin>& pins, FileId file, std::string_view text, NodeRef root) {
    NodeRef jobs = node_at(root, {"jobs"});
    if (!jobs.is_mapping()) return;
    for (const NodeRef::Entry& job : jobs.entries())
        for (NodeRef step : items_at(job.value.resolved(), {"steps"}))
            if (NodeRef run = node_at(step, {"run"}); run.is_scalar())
                add_all(pins, bootstrap_pins(file, text, scan_shell(run)), From::workflow);
}

// The header stands in the comments before the first object of what `flux bootstrap` writes.
void add_components(std::vector<BootstrapPin>& pins, FileId file, std::string_view text) {
    constexpr std::size_t longest_header = 4096;
    Cell version = flux_version_header(file, text.substr(0, longest_header));
    if (version.state == State::absent) return;
    BootstrapPin pin;
    pin.kind = BootstrapPin::Kind::flux_components;
    pin.from = From::components;
    pin.anchor = version.place;
    pin.name.place = pin.chart.place = pin.repository.place = pin.components.place = pin.anchor;
    pin.version = std::move(version);
    pins.push_back(std::move(pin));
}

} // namespace

std::vector<BootstrapPin> file_pins(const FileView& view, const YamlText& yaml) {
    std::vector<BootstrapPin> pins;
    bool cloud_init = is_terraform_template(view.path);
    for (const DocumentView& document : view.documents)
        cloud_init = cloud_init || document.role == Role::cloud_init;
    if (cloud_init) add_all(pins, cloud_init_pins(view.file, yaml), From::cloud_init);
    for (const DocumentView& document : view.documents) {
        if (document.role == Role::kustomization && !document.embedded) add_remote(pins, view.file, document.root);
        if (document.role == Role::workflow) add_steps(pins, view.file, yaml.text, document.root);
    }
    if (!cloud_init) add_components(pins, view.file, yaml.text);
    return pins;
}

} // namespace lockstep
