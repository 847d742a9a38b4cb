"""The messages in src/, as the documentation writes them."""

import glob
import re

STRING = r'"(?:[^"\\\n]|\\.)*"'
STRINGS = r"%s(?:\s*%s)*" % (STRING, STRING)
CONVERSION = r"%[-0-9.*]*(?:ll|z)?[a-z]"


def sources():
    """The files in src/ by their paths, with string constants in the place of their names."""
    files = {}
    for path in sorted(glob.glob("src/**/*.[ch]", recursive=True)):
        with open(path, encoding="utf-8") as file:
            files[path] = re.sub(r"\bU?INT64_FORMAT\b", '"%lld"', file.read())
    named = dict(re.findall(r"^#define (\w+)[\s\\]+(%s)$" % STRING, "".join(files.values()), re.M))
    return {path: re.sub(r"(?<!#define )\b\w+\b", lambda word: named.get(word[0], word[0]), code)
            for path, code in files.items()}


def strings(before):
    """Yields the string constants in src/ that follow a pattern, and where each is."""
    for path, code in sources().items():
        for match in re.finditer(r"%s(%s)" % (before, STRINGS), code):
            text = "".join(one[1:-1] for one in re.findall(STRING, match.group(1)))
            yield (re.sub(r"\\(.)", r"\1", text),
                   "%s:%d" % (path, code.count("\n", 0, match.start()) + 1))


def messages():
    """The messages, with "..." for what varies, and where each is."""
    return {re.sub("(%s)+" % CONVERSION, "...", text): place
            for text, place in strings(r"\berrmsg\(\s*")}
