#!/usr/bin/env python3
"""Checks META.json against the PGXN Meta Spec 1.0.0 and against the project.

    check_meta.py [--publish | --fill] FOLDER

FOLDER is the root of the sources.  Prints the version; says on stderr what is wrong
and fails if anything is.  With --publish, what the owner fills in before a release must
have been filled in, and the scripts of the version must be frozen (doc/releasing.md).
With --fill, first replaces the placeholders in other files by the addresses of META.json.
"""

import json
import os
import re
import sys

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
REQUIRED = ["abstract", "license", "maintainer", "meta-spec", "name", "provides", "version"]
# What the spec knows: the keys that lead to a value.
KNOWN = re.compile(r"""(?ix)
    (abstract | description | generated_by | license | maintainer | name | release_status | tags
     | version | no_index[.].* | meta-spec[.](version | url)
     | prereqs[.](configure | build | runtime | test | develop)
       [.](requires | recommends | suggests | conflicts)[.].*
     | provides[.][^.]+[.](abstract | file | docfile | version)
     | resources[.](homepage | bugtracker[.](web | mailto) | repository[.](url | web | type))
     | (.*[.])?x_.*)$""")
# Addresses that the project does not have yet: their keys in META.json, and their placeholders.
PLACEHOLDER = "example.org"
SCHEME = "http" "s://"
PLACEHOLDERS = {
    "maintainer": "The idtypes authors <idtypes@example.org>",
    "resources.homepage": SCHEME + "example.org/idtypes",
    "resources.bugtracker.web": SCHEME + "example.org/idtypes/issues",
    "resources.repository.url": SCHEME + "example.org/source/idtypes.git",
    "resources.repository.web": SCHEME + "example.org/source/idtypes",
    "resources.x_registry": "registry.example.org/idtypes",
}
# The files that repeat addresses of META.json, and which.
CONTROL = ["maintainer", "resources.homepage", "resources.repository.url",
           "resources.repository.web"]
REPEATED = {
    "debian/changelog": ["maintainer"],
    "debian/control": CONTROL,
    "debian/control.in": CONTROL,
    "debian/copyright": ["maintainer", "resources.homepage"],
    "debian/watch": ["resources.repository.url"],
    "rpm/idtypes.spec": ["resources.homepage"],
    "doc/releasing.md": list(PLACEHOLDERS),
}


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def control(root):
    """The parameters of the control file."""
    return dict(re.findall(r"^(\w+)\s*=\s*'(.*)'", read(root, "idtypes.control"), re.M))


def keys(value):
    """The keys that lead to each value of an object, separated by dots."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from ("%s.%s" % (key, more) for more in keys(inner))
        else:
            yield key


def addresses(root):
    """The addresses of META.json by their keys; nothing for one that it does not have."""
    for key in PLACEHOLDERS:
        value = json.loads(read(root, "META.json"))
        for part in key.split("."):
            value = value.get(part, {})
        yield key, value or ""


def fill(root):
    """Replaces the placeholders in the other files by the addresses of META.json."""
    found = dict(addresses(root))
    for name in REPEATED:
        text = read(root, name)
        # the longest first, as one is the beginning of another
        for key, placeholder in sorted(PLACEHOLDERS.items(), key=lambda item: -len(item[1])):
            text = text.replace(placeholder, found[key])
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(text)


def mistakes(root):
    meta = json.loads(read(root, "META.json"))
    sql_version = control(root)["default_version"]
    debian = read(root, "debian/changelog").splitlines()[0]

    for key in REQUIRED:
        if not meta.get(key):
            yield "%s is missing" % key
    for key in keys(meta):
        if not KNOWN.match(key):
            yield "%s is not of the spec" % key
    if meta["meta-spec"].get("version") != "1.0.0":
        yield "meta-spec is not 1.0.0"
    if not re.match(r"[^\s/\\\x00-\x1f]{2,}$", meta["name"]):
        yield "%s is not a name" % meta["name"]
    if meta.get("release_status", "stable") not in ("stable", "testing", "unstable"):
        yield "release_status is %s" % meta["release_status"]
    for name, extension in meta["provides"].items():
        for key in ("file", "docfile"):
            if key in extension and not os.path.isfile(os.path.join(root, extension[key])):
                yield "%s of %s is not there: %s" % (key, name, extension[key])
        if extension.get("version") != meta["version"]:
            yield "%s has another version than the distribution" % name
    if not VERSION.match(meta["version"]):
        yield "%s is not a semantic version" % meta["version"]
    if not meta["version"].startswith(sql_version + "."):
        yield "version is %s, that of idtypes.control %s" % (
            meta["version"], sql_version)
    if "\n## %s (" % meta["version"] not in read(root, "CHANGELOG.md"):
        yield "CHANGELOG.md has no section %s" % meta["version"]
    if "(%s-" % meta["version"] not in debian:
        yield "debian/changelog begins with another version: %s" % debian.strip()
    if meta.get("release_status", "stable") == "stable" and "UNRELEASED" in debian:
        yield "release_status is stable, but debian/changelog says UNRELEASED"
    if not re.search(r"^Version: +%s$" % re.escape(meta["version"]),
                     read(root, "rpm/idtypes.spec"), re.M):
        yield "rpm/idtypes.spec has another version"
    found = dict(addresses(root))
    for key in PLACEHOLDERS:
        if not found[key]:
            yield "%s is missing" % key
    if found["resources.repository.url"] != found["resources.repository.web"] + ".git":
        yield "resources.repository.url is not web with .git behind it"
    for name, repeated in REPEATED.items():
        for key in repeated:
            if not re.search(re.escape(found[key]) + r"(?![\w/.-])", read(root, name)):
                yield "%s lacks the %s: %s" % (name, key, found[key])
    print(meta["version"])


def left_open(root):
    """What a release still lacks: what the owner fills in, and the sums of the scripts."""
    for name in ["META.json", *REPEATED]:
        if PLACEHOLDER in read(root, name):
            yield "%s has addresses at %s" % (name, PLACEHOLDER)
    if "UNRELEASED" in read(root, "debian/changelog").splitlines()[0]:
        yield "debian/changelog says UNRELEASED"
    meta = json.loads(read(root, "META.json"))
    version = meta["version"]
    if meta.get("release_status", "stable") != "stable":
        yield "META.json has the release_status %s" % meta["release_status"]
    if not re.search(r"^## %s \(\d{4}-\d\d-\d\d\)$" % re.escape(version),
                     read(root, "CHANGELOG.md"), re.M):
        yield "CHANGELOG.md has no date for %s" % version
    frozen = re.findall(r"^[0-9a-f]{64}  (.+)$", read(root, "extension/released.sha256"), re.M)
    for steps in ("--{0}", "--{0}--{0}-pg18"):
        script = "sql/idtypes%s.sql" % steps.format(control(root)["default_version"])
        if script not in frozen:
            yield "extension/released.sha256 lacks %s" % script


def main():
    *options, root = sys.argv[1:]
    if options == ["--fill"]:
        fill(root)
    wrong = ["META.json: " + mistake for mistake in mistakes(root)]
    if options == ["--publish"]:
        wrong.extend(left_open(root))
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
