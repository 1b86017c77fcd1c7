// Paths and URLs as sprig takes them apart.
#include "base/text.h"
#include "helm/functions.h"
#include "helm/runes.h"
#include "helm/text_builder.h"
#include <array>
#include <cstdio>

namespace lockstep {
namespace {

std::string clean_path(std::string_view path) {
    if (path.empty()) return ".";
    const bool rooted = path[0] == '/';
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view part = path.substr(at, end - at);
        if (part == "..") {
            if (!parts.empty() && parts.back() != "..")
                parts.pop_back();
            else if (!rooted)
                parts.push_back(part);
        } else if (!part.empty() && part != ".") {
            parts.push_back(part);
        }
        at = end + 1;
    }
    std::string out = rooted ? "/" : "";
    for (std::size_t i = 0; i < parts.size(); ++i)
        out += (i > 0 ? "/" : "") + std::string(parts[i]);
    return out.empty() ? "." : out;
}

GoValue base(FunctionCall& call) {
    std::string_view path = call.args[0].str();
    if (path.empty()) return make_string(call.arena, ".");
    while (path.ends_with('/'))
        path.remove_suffix(1);
    if (path.empty()) return make_string(call.arena, "/");
    const std::size_t slash = path.rfind('/');
    const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    return part_of(call.arena, call.args[0], begin, path.size());
}

GoValue dir(FunctionCall& call) {
    const std::string_view path = call.args[0].str();
    const std::size_t slash = path.rfind('/');
    return make_string(call.arena, clean_path(path.substr(0, slash == std::string_view::npos ? 0 : slash + 1)));
}

GoValue clean(FunctionCall& call) {
    return make_string(call.arena, clean_path(call.args[0].str()));
}

GoValue ext(FunctionCall& call) {
    const std::string_view path = call.args[0].str();
    const std::size_t dot = path.find_last_of("./");
    if (dot == std::string_view::npos || path[dot] == '/') return make_string(call.arena, "");
    return part_of(call.arena, call.args[0], dot, path.size());
}

GoValue is_abs(FunctionCall& call) {
    return make_bool(call.args[0].str().starts_with('/'));
}

struct Url {
    std::string scheme, opaque, user, host, path, raw_path, query, fragment;
    bool has_user = false, force_query = false, omit_host = false;
};

std::string hex_escape(char c) {
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
    return code;
}

// False, and the words of the error, for an escape that is none.
bool unescape(std::string_view text, std::string& out, std::string& error, bool host) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            if (host && static_cast<unsigned char>(text[i]) < 0x80 &&
                std::string_view(" \"\\^`{|}<>#?/").find(text[i]) != std::string_view::npos && text[i] != '"' &&
                text[i] != '<' && text[i] != '>') {
                error = "invalid character " + quoted(text.substr(i, 1)) + " in host name";
                return false;
            }
            out += text[i];
            continue;
        }
        const int a = i + 1 < text.size() ? hex_value(text[i + 1]) : -1;
        const int b = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
        if (a < 0 || b < 0) {
            error = "invalid URL escape " + quoted(text.substr(i, 3));
            return false;
        }
        out += static_cast<char>(static_cast<unsigned char>(a * 16 + b));
        i += 2;
    }
    return true;
}

enum class Escape : std::uint8_t { path, user, fragment };

std::string escape(std::string_view text, Escape what) {
    const std::string_view safe = what == Escape::path   ? "-_.~$&+,/:;=@"
                                  : what == Escape::user ? "-_.~$&+,;="
                                                         : "-_.~$&+,/:;=?@!()*";
    std::string out;
    for (char c : text) {
        const bool plain = is_letter(c) || is_digit(c) || safe.find(c) != npos;
        out += plain ? std::string(1, c) : hex_escape(c);
    }
    return out;
}

bool parse_url(std::string_view text, Url& url, std::string& error) {
    for (char c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
            error = "net/url: invalid control character in URL";
            return false;
        }
    std::string_view rest = text;
    if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
        if (!unescape(rest.substr(hash + 1), url.fragment, error, false)) return false;
        rest = rest.substr(0, hash);
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const char c = rest[i];
        if (is_letter(c)) continue;
        if (i > 0 && (is_digit(c) || c == '+' || c == '-' || c == '.')) continue;
        if (c == ':') {
            if (i == 0) {
                error = "missing protocol scheme";
                return false;
            }
            url.scheme = lower_text(rest.substr(0, i));
            rest = rest.substr(i + 1);
        }
        break;
    }
    if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
        url.query = rest.substr(mark + 1);
        url.force_query = url.query.empty();
        rest = rest.substr(0, mark);
    }
    if (!rest.starts_with('/')) {
        if (!url.scheme.empty()) {
            url.opaque = rest;
            return true;
        }
        const std::size_t colon = rest.find(':'), slash = rest.find('/');
        if (colon != std::string_view::npos && (slash == std::string_view::npos || colon < slash)) {
            error = "first path segment in URL cannot contain colon";
            return false;
        }
    }
    if ((!url.scheme.empty() || !rest.starts_with("///")) && rest.starts_with("//")) {
        std::string_view authority = rest.substr(2);
        const std::size_t slash = authority.find('/');
        rest = slash == std::string_view::npos ? std::string_view() : authority.substr(slash);
        authority = authority.substr(0, slash);
        if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
            url.has_user = true;
            const std::string_view user = authority.substr(0, at);
            const std::size_t colon = user.find(':');
            std::string name, password;
            if (!unescape(user.substr(0, colon), name, error, false)) return false;
            url.user = escape(name, Escape::user);
            if (colon != std::string_view::npos) {
                if (!unescape(user.substr(colon + 1), password, error, false)) return false;
                url.user += ":" + escape(password, Escape::user);
            }
            authority = authority.substr(at + 1);
        }
        const std::size_t colon = authority.rfind(':');
        if (colon != std::string_view::npos && !authority.ends_with(']') &&
            authority.substr(colon + 1).find_first_not_of("0123456789") != std::string_view::npos) {
            error = "invalid port " + quoted(authority.substr(colon)) + " after host";
            return false;
        }
        if (!unescape(authority, url.host, error, true)) return false;
    }
    url.raw_path = rest;
    return unescape(rest, url.path, error, false);
}

GoValue url_parse(FunctionCall& call) {
    Url url;
    std::string error;
    const std::string_view text = call.args[0].str();
    if (!parse_url(text, url, error)) return call.fail("unable to parse url: parse " + quoted(text) + ": " + error);
    GoValue made = make_map(call.arena);
    std::string hostname = url.host;
    if (hostname.starts_with('[')) {
        hostname = hostname.substr(1, hostname.find(']') - 1);
    } else if (const std::size_t colon = hostname.find(':'); colon != std::string::npos) {
        hostname.resize(colon);
    }
    const auto add = [&](std::string_view key, std::string_view value) {
        put(call.arena, *made.map, key, make_string(call.arena, value, call.args[0].origin));
    };
    add("scheme", url.scheme);
    add("host", url.host);
    add("hostname", hostname);
    add("path", url.path);
    add("query", url.query);
    add("opaque", url.opaque);
    add("fragment", url.fragment);
    add("userinfo", url.user);
    return made;
}

GoValue url_join(FunctionCall& call) {
    const auto part = [&](std::string_view key) -> std::string {
        const GoEntry* found = call.args[0].map == nullptr ? nullptr : call.args[0].map->find(key);
        if (found == nullptr) return {};
        if (!found->value.is_string()) {
            call.fail("unable to parse " + std::string(key) + " key, must be of type string, but " +
                      std::string(kind_name(found->value)) + " found");
            return {};
        }
        return std::string(found->value.str());
    };
    const std::string scheme = part("scheme"), host = part("host"), path = part("path"), query = part("query"),
                      opaque = part("opaque"), fragment = part("fragment"), user = part("userinfo");
    if (!call.error.empty()) return {};
    std::string out;
    if (!scheme.empty()) out += scheme + ":";
    if (!opaque.empty()) {
        out += opaque;
    } else {
        if (!scheme.empty() || !host.empty() || !user.empty()) {
            if (!host.empty() || !path.empty() || !user.empty()) out += "//";
            if (!user.empty()) {
                const std::size_t colon = user.find(':');
                out += escape(user.substr(0, colon), Escape::user);
                if (colon != std::string::npos) out += ":" + escape(user.substr(colon + 1), Escape::user);
                out += "@";
            }
            out += host;
        }
        if (!path.empty() && path[0] != '/' && !host.empty()) out += '/';
        out += escape(path, Escape::path);
    }
    if (!query.empty()) out += "?" + query;
    if (!fragment.empty()) out += "#" + escape(fragment, Escape::fragment);
    return make_string(call.arena, out);
}

constexpr std::array path_functions_table = {
    TemplateFunction{"base", "s", base},        TemplateFunction{"clean", "s", clean},
    TemplateFunction{"dir", "s", dir},          TemplateFunction{"ext", "s", ext},
    TemplateFunction{"isAbs", "s", is_abs},     TemplateFunction{"osBase", "s", base},
    TemplateFunction{"osClean", "s", clean},    TemplateFunction{"osDir", "s", dir},
    TemplateFunction{"osExt", "s", ext},        TemplateFunction{"osIsAbs", "s", is_abs},
    TemplateFunction{"urlJoin", "m", url_join}, TemplateFunction{"urlParse", "s", url_parse},
};

} // namespace

std::span<const TemplateFunction> path_functions() {
    return path_functions_table;
}

} // namespace lockstep
