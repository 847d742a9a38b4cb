"""The messages in src/, as the documentation writes them."""

import glob
import re

STRING = r'"(?:[^"\\\n]|\\.)*"'
CONVERSION = r"%[-0-9.*]*(?:ll|z)?[a-z]"


def messages():
    """The messages, with "..." for what varies."""
    code = ""
    for path in glob.glob("src/**/*.[ch]", recursive=True):
        with open(path, encoding="utf-8") as file:
            code += re.sub(r"\bU?INT64_FORMAT\b", '"%lld"', file.read())
    # constants that have names
    named = dict(re.findall(r"^#define (\w+)[\s\\]+(%s)$" % STRING, code, re.M))
    code = re.sub(r"(?<!#define )\b\w+\b", lambda word: named.get(word[0], word[0]), code)
    texts = ("".join(one[1:-1] for one in re.findall(STRING, strings)) for strings in
             re.findall(r"\berrmsg\(\s*(%s(?:\s*%s)*)" % (STRING, STRING), code))
    return {re.sub("(%s)+" % CONVERSION, "...", re.sub(r"\\(.)", r"\1", text)) for text in texts}
