// Scripts and images inside YAML: containers, ConfigMap data, workflow steps, cloud-init commands.
#include "index/readers.h"

namespace lockstep {

namespace {

bool is_shell(std::string_view word) {
    std::string_view name = file_name_of(word);
    return name == "sh" || name == "bash" || name == "ash" || name == "dash" || name == "zsh";
}

bool is_command_flag(std::string_view word) { // -c, -ec, -euxc, -lc
    if (word.size() < 2 || word.front() != '-' || word.back() != 'c') return false;
    for (char c : word.substr(1))
        if (c < 'a' || c > 'z') return false;
    return true;
}

// A container as Kubernetes writes it, or `{registry, repository, tag}` as many charts' values do.
Cell image_cell(FileId file, NodeRef holder, std::string_view key) {
    NodeRef node = node_at(holder, {key});
    if (!node.is_mapping()) return cell_at(file, holder, {key});
    Cell image = cell_at(file, node, {"repository"});
    Cell registry = cell_at(file, node, {"registry"});
    Cell tag = cell_at(file, node, {"tag"});
    if (is_set(image) && is_set(registry) && !registry.text.empty()) {
        image.text.insert(0, registry.text + "/");
        if (registry.state == State::templated) image.state = State::templated;
    }
    if (!is_set(image) || !is_set(tag)) return image;
    image.text += ":" + tag.text;
    if (tag.state == State::templated) image.state = State::templated;
    return image;
}

struct ScriptCollector {
    FileIndex& index;
    FileId file;
    EntityId object;
    bool bootstrap;
    bool embedded = false; // a text inside the object

    void add(NodeRef text, Script::From from, Cell image, Cell name) {
        if (!text.is_scalar() || text.is_null()) return;
        Script script;
        script.from = from;
        script.place = place_of(file, text);
        script.style = text.node().style;
        if (std::optional<BlockContent> content = block_content(text)) {
            script.place.span = content->slice;
            script.indent = content->indent;
        } else if (text.is_quoted() && text.source().size() >= 2) {
            ++script.place.span.begin;
            --script.place.span.end;
        }
        script.image = std::move(image);
        script.name = std::move(name);
        script.object = object;
        script.bootstrap = bootstrap;
        index.scripts.push_back(std::move(script));
    }

    // `sh -c SCRIPT`, wherever the border between command and args lies.
    void add_container(NodeRef container) {
        Cell image = image_cell(file, container, "image");
        Cell name = cell_at(file, container, {"name"});
        if (is_set(image))
            index.images.push_back({image, object, node_at(container, {"image"}).is_mapping(), embedded});
        std::vector<NodeRef> words = items_at(container, {"command"});
        std::vector<NodeRef> arguments = items_at(container, {"args"});
        words.insert(words.end(), arguments.begin(), arguments.end());
        bool shell = false;
        for (std::size_t i = 0; i < words.size(); ++i) {
            shell = shell || is_shell(words[i].text());
            if (!shell || i + 1 >= words.size() || !is_command_flag(words[i].text())) continue;
            add(words[i + 1], Script::From::container, image, name);
            break;
        }
        add(node_at(container, {"script"}), Script::From::container, image, name);
    }

    // Every key of that name in the document whose mapping `take` is then shown.
    template <class Take> void each_key(NodeRef root, std::string_view key, Take take) {
        const YamlText& yaml = root.yaml();
        for (NodeId id = root.id(); id < root.node().after && id < yaml.nodes.size(); ++id) {
            const Node& node = yaml.nodes[id];
            if (node.kind != NodeKind::scalar || node.text_size != key.size() || node.parent == no_node) continue;
            NodeRef scalar(&yaml, id);
            NodeRef parent(&yaml, node.parent);
            if (scalar.text() != key || !parent.is_mapping()) continue;
            NodeRef found = parent.get_key(key);
            if (found && found.id() == id) take(parent);
        }
    }

    void add_workflow(NodeRef root) {
        each_key(root, "run", [&](NodeRef step) {
            Cell image;
            for (NodeRef at = step; at; at = NodeRef(&at.yaml(), at.node().parent)) {
                if (!at.is_mapping() || !at.get_key("container")) continue;
                NodeRef container = node_at(at, {"container"});
                image = container.is_mapping() ? cell_at(file, container, {"image"}) : cell_at(file, at, {"container"});
                break;
            }
            add(node_at(step, {"run"}), Script::From::workflow, std::move(image), cell_at(file, step, {"name"}));
        });
    }

    void add_texts(NodeRef map, Script::From from) {
        map = map.resolved();
        if (!map.is_mapping()) return;
        for (const NodeRef::Entry& entry : map.entries()) {
            NodeRef text = entry.value.resolved();
            if (entry.key.text().ends_with(".sh") || text.text().starts_with("#!"))
                add(text, from, {}, cell_of(file, entry.key));
        }
    }

    void add_cloud_init(NodeRef root) {
        bootstrap = true;
        for (NodeRef item : items_at(root, {"write_files"})) {
            NodeRef text = node_at(item, {"content"});
            Cell path = cell_at(file, item, {"path"});
            if (path.text.ends_with(".sh") || text.text().starts_with("#!"))
                add(text, Script::From::cloud_init, {}, std::move(path));
        }
        for (std::string_view key : {"bootcmd", "runcmd"}) {
            for (NodeRef item : items_at(root, {key})) {
                if (item.is_scalar()) {
                    add(item, Script::From::cloud_init, {}, {});
                    continue;
                }
                // [sh, -c, SCRIPT]
                std::vector<NodeRef> words = item.items();
                for (std::size_t i = 1; i + 1 < words.size(); ++i)
                    if (is_shell(words[0].resolved().text()) && is_command_flag(words[i].resolved().text()))
                        add(words[i + 1].resolved(), Script::From::cloud_init, {}, {});
            }
        }
    }
};

} // namespace

void read_scripts(FileIndex& index, const FileView& view, const DocumentView& document, EntityId object) {
    ScriptCollector collect{index, view.file, object, document.bootstrap, document.role == Role::pod_spec};
    NodeRef root = document.root;
    if (document.role == Role::workflow) {
        collect.add_workflow(root);
    } else if (document.role == Role::cloud_init) {
        collect.add_cloud_init(root);
    } else {
        collect.each_key(root, "image", [&](NodeRef container) { collect.add_container(container); });
        std::string_view kind = document.role == Role::object ? node_at(root, {"kind"}).text() : std::string_view{};
        if (kind == "ConfigMap") collect.add_texts(root.get("data"), Script::From::config_map);
        if (kind == "Secret") collect.add_texts(root.get("stringData"), Script::From::config_map);
    }
}

} // namespace lockstep
