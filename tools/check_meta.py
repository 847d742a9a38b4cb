#!/usr/bin/env python3
"""Checks META.json against the PGXN Meta Spec 1.0.0 and against the project.

    check_meta.py [--publish] FOLDER

FOLDER is the root of the sources.  Prints the version; says on stderr what is wrong
and fails if anything is.  With --publish, what the owner fills in before a release
(doc/releasing.md) must have been filled in.
"""

import json
import os
import re
import sys

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
REQUIRED = ["abstract", "license", "maintainer", "meta-spec", "name", "provides", "version"]
OPTIONAL = ["description", "generated_by", "no_index", "prereqs", "release_status", "resources",
            "tags"]
# The keys of each resource.
RESOURCES = {"homepage": None, "bugtracker": ("web", "mailto"),
             "repository": ("url", "web", "type")}
# What stands for the project's addresses until it has some, and where.
PLACEHOLDER = "example.org"
ADDRESSES = ["META.json", "debian/changelog", "debian/control", "debian/control.in",
             "debian/copyright", "debian/watch"]


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def mistakes(root):
    meta = json.loads(read(root, "META.json"))
    control = dict(re.findall(r"^(\w+)\s*=\s*'(.*)'", read(root, "idtypes.control"), re.M))
    debian = read(root, "debian/changelog").splitlines()[0]

    for key in REQUIRED:
        if not meta.get(key):
            yield "%s is missing" % key
    for key in meta:
        if key not in REQUIRED + OPTIONAL and not key.lower().startswith("x_"):
            yield "%s is not a key of the spec" % key
    if meta["meta-spec"].get("version") != "1.0.0":
        yield "meta-spec is not 1.0.0"
    if not re.match(r"[^\s/\\\x00-\x1f]{2,}$", meta["name"]):
        yield "%s is not a name" % meta["name"]
    if meta.get("release_status", "stable") not in ("stable", "testing", "unstable"):
        yield "release_status is %s" % meta["release_status"]
    for phase, relations in meta.get("prereqs", {}).items():
        if phase not in ("configure", "build", "runtime", "test", "develop"):
            yield "prereqs has no phase %s" % phase
        for relation in relations:
            if relation not in ("requires", "recommends", "suggests", "conflicts"):
                yield "prereqs has no relation %s" % relation
    for name, resource in meta.get("resources", {}).items():
        keys = RESOURCES.get(name, ())
        if isinstance(resource, str) != (keys is None):
            yield "resource %s has another form" % name
        elif keys is not None:
            yield from ("resource %s has no key %s" % (name, key)
                        for key in resource if key not in keys)
    for name, extension in meta["provides"].items():
        for key in ("file", "docfile"):
            if key in extension and not os.path.isfile(os.path.join(root, extension[key])):
                yield "%s of %s is not there: %s" % (key, name, extension[key])
        if extension.get("version") != meta["version"]:
            yield "%s has another version than the distribution" % name
    if not VERSION.match(meta["version"]):
        yield "%s is not a semantic version" % meta["version"]
    if not meta["version"].startswith(control["default_version"] + "."):
        yield "version is %s, that of idtypes.control %s" % (
            meta["version"], control["default_version"])
    if "\n## %s (" % meta["version"] not in read(root, "CHANGELOG.md"):
        yield "CHANGELOG.md has no section %s" % meta["version"]
    if "(%s-" % meta["version"] not in debian:
        yield "debian/changelog begins with another version: %s" % debian.strip()
    print(meta["version"])


def left_open(root):
    """What the owner has not filled in yet."""
    for name in ADDRESSES:
        if PLACEHOLDER in read(root, name):
            yield "%s has addresses at %s" % (name, PLACEHOLDER)
    version = json.loads(read(root, "META.json"))["version"]
    if not re.search(r"^## %s \(\d{4}-\d\d-\d\d\)$" % re.escape(version),
                     read(root, "CHANGELOG.md"), re.M):
        yield "CHANGELOG.md has no date for %s" % version


def main():
    *options, root = sys.argv[1:]
    wrong = ["META.json: " + mistake for mistake in mistakes(root)]
    if options == ["--publish"]:
        wrong.extend(left_open(root))
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
