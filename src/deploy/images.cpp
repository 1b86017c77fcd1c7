// Finds images in trees, and takes references to them apart.
#include "deploy/images.h"
#include "base/text.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include <optional>

namespace lockstep {
namespace {

// Letters and dots of full width, and the dots of other scripts, are letters and dots to whoever looks a name up.
std::string plain_letters(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t at) {
            return at < text.size() ? static_cast<unsigned char>(text[at]) : static_cast<unsigned char>(0);
        };
        const unsigned char second = byte(i + 1), third = byte(i + 2);
        if (byte(i) == 0xE3 && second == 0x80 && third == 0x82) {
            made += '.';
            i += 2;
        } else if (byte(i) == 0xEF && second == 0xBC && third >= 0x81 && third <= 0xBF) {
            made += static_cast<char>(third - 0x81 + 0x21);
            i += 2;
        } else if (byte(i) == 0xEF && second == 0xBD && third >= 0x80 && third <= 0x9E) {
            made += static_cast<char>(third - 0x80 + 0x60);
            i += 2;
        } else if (byte(i) == 0xEF && second == 0xBD && third == 0xA1) {
            made += '.';
            i += 2;
        } else {
            made += text[i];
        }
    }
    return made;
}

// With its port, unless that is the one that everybody means.
std::string plain_host(std::string_view written) {
    std::string host = plain_letters(written);
    for (char& c : host)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    std::string port;
    if (const std::size_t colon = host.rfind(':'); colon != std::string::npos) {
        port = host.substr(colon);
        host.resize(colon);
    }
    while (host.size() > 1 && host.ends_with('.'))
        host.pop_back();
    if (port == ":443") port.clear();
    if (host == "index.docker.io" || host == "registry-1.docker.io") host = "docker.io";
    return host + port;
}

struct Finder {
    std::vector<ImageUse> found = {};
    bool packages = false; // Crossplane calls its images packages

    void take(const Value& value) {
        if (value.is_scalar()) {
            Cell cell = cell_of(&value);
            // A link to a picture is no image.
            if (is_set(cell) && !cell.text.empty() && cell.text.find("://") == std::string::npos)
                found.push_back({std::move(cell)});
            return;
        }
        if (const Value* volume = value.get("reference"); volume && volume->is_scalar()) return take(*volume);
        if (!value.get("repository")) return;
        found.push_back(
            image_of_parts(cell_at(&value, {"registry"}), cell_at(&value, {"repository"}), cell_at(&value, {"tag"})));
    }

    void look(const Value& value) {
        for (std::size_t i = 0; value.is_mapping() && i < value.size(); ++i)
            if (const Value& key = *value.key_at(i);
                key.is_scalar() && (names_image(key.text) || (packages && key.text == "package")))
                take(*value.value_at(i));
        for (const Value* child : value.all())
            if (!child->is_scalar()) look(*child);
    }
};

} // namespace

bool names_image(std::string_view key) {
    for (std::string_view ending : {"image", "Image", "imageName", "ImageName"})
        if (key.ends_with(ending)) return true;
    return false;
}

ImageName image_name_of(std::string_view text) {
    ImageName image;
    text = trimmed(text, " \t\n\r");
    if (const auto at = text.find('@'); at != std::string_view::npos) {
        image.by_digest = true;
        text = text.substr(0, at);
    }
    const auto slash = text.rfind('/');
    const auto colon = text.rfind(':');
    if (colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash)) {
        image.tag = text.substr(colon + 1);
        text = text.substr(0, colon);
    }
    const auto first = text.find('/');
    const std::string_view head = text.substr(0, first);
    const bool has_host =
        first != std::string_view::npos &&
        (head.find('.') != std::string_view::npos || head.find(':') != std::string_view::npos || head == "localhost");
    image.host_written = has_host;
    image.host = has_host ? plain_host(head) : "docker.io";
    image.path = has_host ? text.substr(first + 1) : text;
    if (image.host == "docker.io" && image.path.find('/') == std::string::npos) image.path = "library/" + image.path;
    return image;
}

std::string host_of_url(std::string_view url) {
    url = trimmed(url, " \t\n\r");
    if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find_first_of("/?#\\"));
    if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
    return plain_host(url.substr(0, url.find(':')));
}

ImageUse image_of_parts(const Cell& registry, const Cell& repository, const Cell& tag) {
    ImageUse one;
    one.in_parts = true;
    one.image = repository;
    if (!is_set(repository) || repository.text.empty()) return one;
    if (is_set(registry) && !registry.text.empty()) {
        one.image.text.insert(0, registry.text + "/");
        if (registry.state == State::templated) one.image.state = State::templated;
    }
    if (is_set(tag) && !tag.text.empty()) {
        one.image.text += ":" + tag.text;
        one.tag = tag.place;
        if (tag.state == State::templated) one.image.state = State::templated;
    }
    return one;
}

std::vector<ImageUse> images_in(const Value* tree) {
    Finder finder;
    if (!tree) return {};
    finder.packages = tree->text_of("apiVersion").starts_with("pkg.crossplane.io/");
    finder.look(*tree);
    return std::move(finder.found);
}

std::vector<ImageUse> images_in_patch(const Value& patch) {
    Finder finder;
    finder.look(patch);
    for (const Value* operation : patch.items()) {
        const std::string_view path = operation->text_of("path");
        const Value* value = operation->get("value");
        if (value && value->is_scalar() && names_image(path)) finder.take(*value);
    }
    return std::move(finder.found);
}

} // namespace lockstep
