#!/usr/bin/env python3
"""Writes the version and the owner's addresses, which META.json has, into the other files.

    meta.py [--check | --publish]

Prints the version.  With --check, writes nothing and fails if there is anything to write; with
--publish, also if a release still lacks something (doc/releasing.md).
"""

import json
import re
import sys
from pathlib import Path

meta = json.loads(Path("META.json").read_text())
version, maintainer, resources = meta["version"], meta["maintainer"], meta["resources"]
home, repository = resources["homepage"], resources["repository"]
sql = version.rpartition(".")[0]    # the version of CREATE EXTENSION

# For each file, patterns whose group is a value, and the value.
SHOWN = {r"idtypes(?:_18)?[-:](\d+\.\d+\.\d+)": version}
FILES = {
    "META.json": {r'^\t{3}"version": "(.*)"': version},
    **dict.fromkeys(("idtypes.control", "idtypes_uuid.control"),
                    {r"^default_version = '(.*)'": sql}),
    ".gitignore": {r"^/sql/idtypes(?:_uuid)?--([\d.]+)(?=\.sql|--)": sql, r"--([\d.]+)-pg18": sql},
    "debian/control.in": {r"^Maintainer: (.*)": maintainer, r"^Homepage: (.*)": home,
                          r"^Vcs-Git: (.*)": repository["url"],
                          r"^Vcs-Browser: (.*)": repository["web"]},
    "debian/changelog": {r"^ -- (.*?)  ": maintainer},
    "debian/copyright": {r"^Upstream-Contact: (.*)": maintainer, r"^Source: (.*)": home},
    "debian/watch": {r"^(http\S*)": repository["url"]},
    "rpm/idtypes.spec": {r"^Version: +(.*)": version, r"^URL: +(.*)": home},
    "js/package.json": {r'^  "version": "(.*)"': version}, "js/README.md": SHOWN,
    "doc/install.md": SHOWN,
}

wrong = []
for name, values in FILES.items():
    text = old = Path(name).read_text()
    for pattern, value in values.items():
        text, times = re.subn(pattern, lambda match: match[0].replace(match[1], value), text,
                              flags=re.MULTILINE)
        wrong += [] if times else ["%s has nothing like %s" % (name, pattern)]
    if text != old and len(sys.argv) > 1:
        wrong.append("%s has other values than META.json: run tools/meta.py" % name)
    elif text != old:
        Path(name).write_text(text)
changes, package = Path("CHANGELOG.md").read_text(), Path("debian/changelog").read_text()
if "\n## %s (" % version not in changes or not package.startswith("idtypes (%s-" % version):
    wrong.append("CHANGELOG.md or debian/changelog does not begin with %s" % version)
if "--publish" in sys.argv:
    frozen = Path("extension/released.sha256").read_text()
    wrong += ["META.json has addresses at example.org"] * ("example.org" in str(meta))
    wrong += ["META.json does not say stable"] * (meta["release_status"] != "stable")
    wrong += ["debian/changelog says UNRELEASED"] * ("UNRELEASED" in package)
    wrong += ["CHANGELOG.md has no date"] * ("(not released yet)" in changes)
    wrong += ["extension/released.sha256 lacks %s" % script for script in (
        "idtypes--%s.sql" % sql, "idtypes--%s--%s-pg18.sql" % (sql, sql),
        "idtypes_uuid--%s.sql" % sql) if script not in frozen]
print(version)
sys.exit("\n".join(wrong) or 0)
