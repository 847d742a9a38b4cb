"""The messages in src/, as the documentation writes them."""

import glob
import re

STRING = r'"(?:[^"\\\n]|\\.)*"'
CONVERSION = r"%[-0-9.*]*(?:ll|z)?[a-z]"


def messages():
    """The messages, with "..." for what varies, and where each is."""
    files = {}
    for path in sorted(glob.glob("src/**/*.[ch]", recursive=True)):
        with open(path, encoding="utf-8") as file:
            files[path] = re.sub(r"\bU?INT64_FORMAT\b", '"%lld"', file.read())
    # constants that have names
    named = dict(re.findall(r"^#define (\w+)[\s\\]+(%s)$" % STRING, "".join(files.values()), re.M))
    places = {}
    for path, code in files.items():
        code = re.sub(r"(?<!#define )\b\w+\b", lambda word: named.get(word[0], word[0]), code)
        for match in re.finditer(r"\berrmsg\(\s*(%s(?:\s*%s)*)" % (STRING, STRING), code):
            text = "".join(one[1:-1] for one in re.findall(STRING, match[1]))
            text = re.sub("(%s)+" % CONVERSION, "...", re.sub(r"\\(.)", r"\1", text))
            places[text] = "%s:%d" % (path, code.count("\n", 0, match.start()) + 1)
    return places
