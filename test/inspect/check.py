#!/usr/bin/env python3
"""Holds the page "Look inside an id" against SQL, and against the oracle's layouts.

    check.py [--seed N] [--ids N] [--mutants N] SITE

SITE is the folder of the built site, and the server is the one that PGHOST and the like name.
Chromium reads the page from the disk, without a network.  What it shows beside SQL is compared,
character by character, with what that SQL returns: for N random ids of each type (50, or 500
where IDTYPES_STRESS is set), edges, texts that are no ids, and windows of time.  At the end the
page is broken in N of several ways, by chance (3, or all where IDTYPES_STRESS is set), and the same
comparisons must notice each.
"""

import base64
import decimal
import json
import os
import random
import re
import shutil
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for folder in "tools", "test/docs", "test/lib", "test/oracle":
    sys.path.append(os.path.join(ROOT, folder))
import anatomy
import idoracle
from browser import Browser
from count import STRESS, Count, options_of
from page import Page
from search import chromium
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from sql import Connection, SqlError, new_database, value

FORMATS = {fmt.name: fmt for fmt in idoracle.FORMATS}
EXAMPLE = "5cpMMx7dx1Q"
SHOWN_MISTAKES = 5


def refusal(db, statement):
    """What the server says of a statement that it refuses; None where it does not."""
    try:
        db.run(statement)
    except SqlError as error:
        return {"code": error.sqlstate, "message": error.diag.message_primary,
                "detail": error.diag.message_detail, "hint": error.diag.message_hint}
    return None


def session(database):
    return Connection(dbname=database, options="-c timezone=UTC")


def server(database, script, **tables):
    """The rows that a script gives, after temporary tables have been made of columns and rows."""
    with session(database) as db:
        for name, (columns, rows) in tables.items():
            db.run("CREATE TEMPORARY TABLE %s (%s)" % (name, columns))
            db.copy_in(name, rows)
            db.run("ANALYZE " + name)
        return [row for rows in db.results(script) for row in rows]


# ---------------------------------------------------------------------------
# Ids
# ---------------------------------------------------------------------------

def values_of(fmt, count, rng):
    """Random ids; the ends; and those beside the ends of what a float and an int64 hold exactly, as
    numbers, as instants and as ticks."""
    values = [rng.randint(fmt.smallest, fmt.largest) for _ in range(count)]
    values += [fmt.smallest, fmt.smallest + 1, fmt.largest - 1, fmt.largest, -1, 0, 1]
    for power in 1 << 53, 1 << 63:
        for near in range(power - 1, power + 2):
            values += [near, -near]
            for us in near, -near:
                tick = (us - fmt.epoch) * fmt.per_second // 10**6
                if fmt.first_tick <= tick <= fmt.last_tick:
                    values.append(fmt.at_tick(tick, rng.getrandbits(fmt.low_bits)))
            if near <= fmt.last_tick:
                values.append(fmt.at_tick(near, 0))
    return [number for number in dict.fromkeys(values) if fmt.smallest <= number <= fmt.largest]


def layout_mistakes(fmt, number, shown):
    """Where the layouts that the page shows of an id are not those of the oracle."""
    bits = format(number % (1 << 8 * fmt.size), "0%db" % (8 * fmt.size))
    known = dict(fmt.layouts)
    for layout in shown:
        expected = known.get(layout["name"])
        if expected is None:
            yield "unknown layout %s" % layout["name"]
            continue
        at = 0
        cut = []
        for field, width in expected:
            cut.append((field, width, bits[at:at + width]))
            at += width
        if layout["bar"] != [width for _, width, _ in cut]:
            yield "bar %s, not %s" % (layout["bar"], expected)
        zero = any(field == "zero" and "1" in text for field, _, text in cut)
        if zero != bool(layout["not"]):
            yield "%s: %s" % (layout["name"], layout["not"])
        elif not zero:
            got = [(field, width, text) for field, width, _, text in layout["fields"]]
            if got != cut:
                yield "layout %s: %s, not %s" % (layout["name"], got, cut)


def field_mistakes(layout, instant):
    """Where the table of fields differs from the row of SQL beside it."""
    fields = json.loads(layout["json"])
    names = {name for name, _, _, _ in layout["fields"]}
    for name, _, shown, _ in layout["fields"]:
        expected = {"zero": "", "time": instant}.get(name, str(fields.get(name)))
        if shown != expected:
            yield "field %s: %s, not %s" % (name, shown, expected)
    for name, field in fields.items():
        if name != "ts" and (field is not None) != (name in names):
            yield "field %s: %s" % (name, field)


def cell_mistakes(fmt, number, cells):
    """Where a character does not belong to the field that anatomy.py finds for it."""
    one = anatomy.Anatomy(fmt)
    one.example, one.text = number, fmt.format(number)
    one.prefixes = fmt.shown_for_prefix(number)
    layout = next(iter(fmt.layouts))
    for (character, owner), fields, expected in zip(cells, one.fields_of_characters(),
                                                    one.prefixes):
        most = {field for field in fields if fields.count(field) == max(map(fields.count, fields))}
        if character != expected or (owner not in most if fields else owner is not None):
            yield "character %s of %s, not %s of %s (%s)" % (character, owner, expected, most,
                                                              layout[0])
    if len(cells) != len(one.prefixes):
        yield "%d characters, not %d" % (len(cells), len(one.prefixes))


UNITS = {"years": 31556952e6, "days": 86400e6, "hours": 3600e6, "minutes": 60e6, "s": 1e6,
         "ms": 1e3, "us": 1}
UNITS.update({unit[:-1]: length for unit, length in UNITS.items() if len(unit) > 2})


def span_mistakes(fmt, prefixes):
    """Where the time that a prefix spans is another than that of as many ids; at least a tick."""
    for prefix, _, _, shown in prefixes:
        low, high = fmt.prefix(prefix)
        ticks = max(1, (high - low + 1) / (1 << fmt.low_bits))
        number, unit = shown.split()
        rounded = 0.051 if "." in number else 0.51
        if abs(float(number) * UNITS[unit] - ticks * 1e6 / fmt.per_second) > rounded * UNITS[unit]:
            yield "span of %s: %s, not %.9g us" % (prefix, shown, ticks * 1e6 / fmt.per_second)


def id_mistakes(database, browser, texts, numbers, everything=False):
    """Compares what the page shows of texts that are ids with SQL and with the oracle.  numbers are
    those of the ids that the texts are for a type, or None where they are another type's."""
    shown = browser.shown(texts, everything)
    wrong = []
    rows = [(n, one["type"], *row) for n, page in enumerate(shown) for one in page["ids"]
            for row in one["rows"]]
    parts = [(n, one["type"], layout["parts"], layout["json"]) for n, page in enumerate(shown)
             for one in page["ids"] for layout in one["layouts"] if layout["json"]]
    rows += [(n, name, "to_jsonb(%s)" % sql, text) for n, name, sql, text in parts]
    prefixes = [(n, one["type"], *row[:3]) for n, page in enumerate(shown) for one in page["ids"]
                for row in one["prefixes"]]
    # which types there are, and the three columns of idtypes_identify()
    script = """
        SELECT coalesce(got.n, page.n), got.type, got.canonical, got.ts, got.fields, page.type,
            page.canonical, page.ts, page.fields
        FROM (SELECT n, type::text, canonical, ts::text, fields::text
              FROM texts, idtypes_identify(input)) got
        FULL JOIN (SELECT n, type, min(shown) FILTER (WHERE sql = 'id::text') AS canonical,
                       min(shown) FILTER (WHERE sql = type || '_timestamp(id)') AS ts,
                       min(shown) FILTER (WHERE sql = 'to_jsonb(' || type || '_parts(id))')
                           AS fields
                   FROM page GROUP BY n, type) page
            ON (got.n, got.type) = (page.n, page.type)
        WHERE (got.type, got.canonical, got.ts, got.fields)
            IS DISTINCT FROM (page.type, page.canonical, page.ts, page.fields);"""
    for name, sql in sorted({(name, sql) for _, name, sql, _ in rows}):
        script += """
            SELECT n, $s$%(name)s: %(sql)s$s$, got, shown
            FROM (SELECT n, shown, (%(sql)s)::text AS got
                  FROM page JOIN texts USING (n), LATERAL (SELECT input::%(name)s AS id) AS one
                  WHERE page.type = '%(name)s' AND sql = $s$%(sql)s$s$) AS each
            WHERE got IS DISTINCT FROM shown;""" % {"name": name, "sql": sql}
    for name in sorted({name for _, name, *_ in prefixes}):
        script += """
            SELECT n, '%(name)s prefix ' || prefix, %(name)s_timestamp(lower(r)),
                %(name)s_timestamp(upper(r)), since, upto
            FROM prefixes, %(name)s_prefix(prefix) AS r
            WHERE type = '%(name)s' AND (%(name)s_timestamp(lower(r))::text,
                %(name)s_timestamp(upper(r))::text) IS DISTINCT FROM (since, upto);""" % {
                    "name": name}
    for n, *differing in server(
            database, script, texts=("n int, input text", enumerate(texts)),
            page=("n int, type text, sql text, shown text", rows),
            prefixes=("n int, type text, prefix text, since text, upto text", prefixes)):
        wrong.append("%s: %s" % (texts[n], " | ".join(map(str, differing))))
    for text, number_of, page in zip(texts, numbers, shown):
        for one in page["ids"]:
            number = number_of.get(one["type"])
            if number is None:
                continue
            fmt = FORMATS[one["type"]]
            rest = list(layout_mistakes(fmt, number, one["layouts"]))
            instant = dict(one["rows"]).get(fmt.name + "_timestamp(id)")
            for layout in one["layouts"]:
                if layout["json"]:
                    rest += field_mistakes(layout, instant)
            as_number = [cell for sql, cell in one["rows"]
                         if sql in ("id::bigint", "id::numeric")] or [one["number"]]
            if as_number != [str(number)]:
                rest.append("number %s, not %s" % (as_number, number))
            if everything:
                rest += cell_mistakes(fmt, number, one["cells"])
                rest += span_mistakes(fmt, one["prefixes"])
                ends = [row[1:3] for row in one["prefixes"]]
                if [since == upto for since, upto in ends] != [False] * (len(ends) - 1) + [True]:
                    rest.append("prefixes do not end with that of a tick: %s" % ends)
            wrong += ["%s: %s" % (text, mistake) for mistake in rest]
    return wrong, shown


def numbers_of(text):
    """The number that a text is for each type, where it is one."""
    found = {}
    for name, fmt in FORMATS.items():
        try:
            found[name] = fmt.parse(text)
        except idoracle.BadId:
            pass
    return found


def check_ids(database, browser, count, options):
    """Random ids of each type and edges, in several forms."""
    for module in idoracle.MODULES:
        fmt = module.FORMAT
        rng = random.Random("%d %s" % (options.seed, fmt.name))
        values = values_of(fmt, options.ids, rng)
        texts = [fmt.format(number) if n % 4 else rng.choice(module.Subject.forms(number, rng))
                 for n, number in enumerate(values)]
        numbers = [numbers_of(text) for text in texts]
        assert all(number[fmt.name] == one for number, one in zip(numbers, values))
        wrong, shown = id_mistakes(database, browser, texts, numbers)
        report(count, "%d ids of %s" % (len(texts), fmt.name), wrong)
        some = rng.sample(range(len(texts)), 25) + list(range(options.ids, options.ids + 4))
        wrong, _ = id_mistakes(database, browser, [texts[n] for n in some],
                               [numbers[n] for n in some], everything=True)
        report(count, "prefixes and characters of %s" % fmt.name, wrong)
        check_forms(database, count, fmt, shown)
    wrong, shown = id_mistakes(database, browser, ["2222222222222"], [numbers_of("2" * 13)])
    report(count, "a text that two types accept", wrong or [
        "verdict: %s" % page["verdict"] for page in shown
        if page["verdict"] != "This may be a tid64 or a ulidflake: the text does not tell."])


def check_forms(database, count, fmt, shown):
    """Whatever function of SQL gives another form of an id of a type stands on the page."""
    functions = server(database, """
        SELECT format('%%s(id)', proname) FROM pg_proc
        WHERE proargtypes::oid[] = ARRAY['%(name)s'::regtype::oid]
            AND prorettype IN ('text'::regtype, 'uuid'::regtype)
            AND proname NOT IN (SELECT '%(name)s_' || name FROM pg_proc p,
                unnest(p.proargnames) AS name WHERE p.proname = '%(name)s_parts')
        UNION ALL SELECT 'id::bytea'""" % {"name": fmt.name})
    there = {sql for page in shown for one in page["ids"] if one["type"] == fmt.name
             for sql, _ in one["rows"]}
    report(count, "forms of %s" % fmt.name,
           ["missing: %s" % sql for sql, in functions if sql not in there])


def report(count, name, wrong):
    more = len(wrong) - SHOWN_MISTAKES
    count.test(name, wrong[:SHOWN_MISTAKES] + (["... and %d more" % more] if more > 0 else []))


# ---------------------------------------------------------------------------
# Texts that are no ids
# ---------------------------------------------------------------------------

STRANGE = ["", "0", "%", "-", "'", "\"", "\\", "\t", "\x01", "\x7f", "\u00a0", "\u00e9", "e\u0301",
           "\u65e5", "\U0001f600", "\U0001f468\u200d\U0001f469", "\ufeff", "<b>", "&amp;"]
PEOPLE_WRITE = ["2026-01-01", "[2026-01-01, 2026-02-01)", "5cpM", "5cpM%", "0000000000", "-1",
                "01ARZ3NDEKTSV4RRFFQ69G5FAV", "1541815603606036480", "9223372036854775808",
                "c0ffee00-1234-4567-89ab-0123456789ab", "did:web:example.org", "DID:SIQ:x",
                "005e0bd2-f000-8000-8000-000000001c00", "3kxn-lhr-3gxq", "NULL", "'5cpMMx7dx1Q'",
                "jpXCZedGfVR", "8" + "Z" * 12, "cccc-ccc-cccc-cc", "x" * 3000, "z" * 11, "7" * 31]


def broken_texts(count, rng):
    """Ids with a character changed, lost, added or put elsewhere, and what people write."""
    texts = list(PEOPLE_WRITE)
    while len(texts) < count:
        module = rng.choice(idoracle.MODULES)
        text = module.FORMAT.format(rng.randint(module.FORMAT.smallest, module.FORMAT.largest))
        for _ in range(rng.choice((1, 1, 1, 2))):
            at = rng.randrange(len(text) + 1)
            strange = rng.choice(STRANGE + list("Il0OoUu819wxyzQ="))
            text = rng.choice((
                text[:at] + strange + text[at + 1:], text[:at] + strange + text[at:],
                text[:at] + text[at + 1:], text[:at], text.swapcase(),
                text[at:] + text[:at]))
        # what is around it the page removes
        if text and text == text.strip().strip("\ufeff"):
            texts.append(text)
    return list(dict.fromkeys(texts))


def error_mistakes(database, browser, texts):
    """Compares what the page says of texts with what the server reports of each."""
    shown = browser.shown(texts)
    wrong = []
    compared = 0
    with session(database) as db:
        refusals = [(text, page, name, refusal(db, "SELECT '%s'::%s"
                                               % (text.replace("'", "''"), name)))
                    for text, page in zip(texts, shown) for name in FORMATS]
    for text, page, name, expected in refusals:
        got = next((dict(one) for one in page["errors"] if one["type"] == name), None)
        position, marked = (got or {}).get("position"), (got or {}).get("marked")
        if got is not None:
            got = {key: got[key] for key in ("code", "message", "detail", "hint")}
        if got != expected:
            wrong.append("%s as %s: %s, not %s" % (text, name, got, expected))
            continue
        if expected is None:
            continue
        compared += 1
        place = re.search(r"at position ([0-9]+)", expected["detail"] or "")
        if (place and place[1]) != position:
            wrong.append("%s as %s: position %s" % (text, name, position))
        elif place and marked != text[int(place[1]) - 1:int(place[1])]:
            wrong.append("%s as %s: marked %s" % (text, name, marked))
    wrong += ["%s: %s" % (text, page["verdict"]) for text, page in zip(texts, shown)
              if (page["verdict"] == "No type accepts this text.") != (not page["ids"])]
    return wrong, compared


def check_errors(database, browser, count, options):
    rng = random.Random("%d errors" % options.seed)
    texts = broken_texts(150, rng)
    wrong, compared = error_mistakes(database, browser, texts)
    report(count, "%d broken texts, of which %d are errors of a type" % (len(texts), compared),
           wrong or ([] if compared > 4 * len(texts) else ["most of them are ids"]))


def check_white_space(browser, count):
    plain, *spaced = browser.shown([EXAMPLE, " " + EXAMPLE, EXAMPLE + "\t ", "\u00a0" + EXAMPLE])
    wrong = [page["note"] or "nothing said" for page in spaced
             if page["ids"] != plain["ids"] or "removed" not in (page["note"] or "")]
    count.test("white space is removed, and that is said",
               wrong + ([plain["note"]] if plain["note"] else []))


def check_inside(browser, count, options):
    """What people copy together with an id; and the type that a mistyped id is meant to be of."""
    rng = random.Random("%d inside" % options.seed)
    wrong = []
    for fmt in FORMATS.values():
        first, second = (fmt.format(rng.randint(fmt.smallest, fmt.largest)) for _ in range(2))
        texts = ['"%s",' % first, "//example.org/p/%s?page=2" % first, "user_" + first,
                 "%s;%s %s" % (first, second, first), first, first[:-1] + "!"]
        expected = [[first]] * 3 + [[first, second], [], []]
        shown = browser.shown(texts)
        for text, ids, page in zip(texts, expected, shown):
            if page["inside"] != [[one, "#" + one] for one in ids]:
                wrong.append("%r: %s" % (text, page["inside"]))
        if shown[-1]["errors"][0]["type"] != fmt.name:
            wrong.append("%s is taken for a %s" % (texts[-1], shown[-1]["errors"][0]["type"]))
    count.test("ids inside a text, and the likeliest type", wrong)


# ---------------------------------------------------------------------------
# Windows, repeats
# ---------------------------------------------------------------------------

def instants_of(fmt, rng):
    """Two instants as texts, mostly within the type's time, and what the page takes them for."""
    first, last = fmt.begins(fmt.first_tick), fmt.begins(fmt.last_tick)
    margin = (last - first) // 20
    a = rng.randint(first - margin, last + margin)
    b = rng.choice((rng.randint(first - margin, last + margin), a + rng.randrange(3000), None))
    return a, b


def shown_instant(us, rng):
    """One of the forms in which an instant is typed."""
    text = idoracle.iso(us)
    return rng.choice((text, text.replace("T", " ").replace("Z", "+00"), text[:-1]))


def window_mistakes(database, browser, asked):
    wrong = []
    with session(database) as db:
        for one, page in zip(asked, browser.windows([one[:3] for one in asked])):
            wrong += ["%s: %s" % (one, mistake) for mistake in mistakes_of_window(db, one, page)]
    return wrong


def mistakes_of_window(db, one, page):
    name, _, _, a, b = one
    instants = ["'%s'::timestamptz" % idoracle.iso(us) for us in (a, b) if us is not None]
    right = (["%s_%s(%s)" % (name, end, instants[0]) for end in ("min", "max")] if b is None
             else ["%s(%s_range(%s))" % (end, name, ", ".join(instants))
                   for end in ("lower", "upper")])
    refused = refusal(db, "SELECT " + ", ".join(right))
    if page["rows"]:
        (first, lowest), (last, highest) = page["rows"]
        got = db.run("SELECT %s, %s, %s, %s" % (first, last, *right))[0]
        counted = db.value("CREATE TEMPORARY TABLE t (id %s); INSERT INTO t VALUES (%s), (%s);"
                           "SELECT count(*) FROM (%s) AS s; DROP TABLE t"
                           % (name, first, last, page["sql"].rstrip(";")))
        if refused or got != (lowest, highest) * 2 or counted != 2:
            yield "%s, %s, %s" % (page["rows"], got, counted)
    elif b is not None and a <= b:
        empty = db.value("SELECT isempty(%s_range(%s))" % (name, ", ".join(instants)))
        if refused or not empty or "No id has" not in page["not"]:
            yield "%s, empty %s" % (page, empty)
    elif not refused or (page["not"], page["detail"]) != (refused["message"], refused["detail"]):
        yield "%s, not %s" % (page, refused)


def check_windows(database, browser, count, options):
    rng = random.Random("%d windows" % options.seed)
    asked = []
    for name, fmt in FORMATS.items():
        for _ in range(40):
            a, b = instants_of(fmt, rng)
            asked.append((name, shown_instant(a, rng),
                          "" if b is None else shown_instant(b, rng), a, b))
    report(count, "%d instants and windows" % len(asked),
           window_mistakes(database, browser, asked))
    bad = ["2026-02-29", "2026-13-01", "yesterday", "2026-01-01 24:01", "2026-01-01 00:00 X"]
    shown = browser.windows([(next(iter(FORMATS)), text, "") for text in bad])
    count.test("instants that there are not", [
        "%s: %s" % (text, page) for text, page in zip(bad, shown)
        if page["rows"] or "not an instant" not in (page["not"] or "")])


def check_repeats(database, browser, count, options):
    """The formula, and the formats, of doc/several-servers.md."""
    rng = random.Random("%d repeats" % options.seed)
    blocks = Page("doc/several-servers.md").below("Repeats without numbers")
    value("".join(block.sql for block in blocks[:2]), "-d", database)
    ids = [row for row, in server(database, "SELECT ids FROM format ORDER BY 1")]
    asked = [(name, rng.randint(2, 200), rng.randint(1, 10**rng.randint(1, 8)))
             for name in ids for _ in range(20)]
    asked.append(("tid64, same clock id", 55, 1))       # 0.001485
    names, shown = browser.repeats(asked)
    rows = server(database, """
        SELECT three_digits(repeats)::text, repeats::text FROM asked JOIN format USING (ids),
            repeats_per_second(ticks, bits, counts, servers, rate) AS repeats ORDER BY n""",
                  asked=("n int, ids text, servers int, rate int",
                         [(n, *one) for n, one in enumerate(asked)]))
    # JavaScript rounds half of the last digit as the double is, the server rounds it up
    down = decimal.Context(prec=3, rounding=decimal.ROUND_HALF_DOWN)
    wrong = ["%s: %s, not %s" % (one, got, right)
             for one, got, (right, repeats) in zip(asked, shown, rows)
             if (decimal.Decimal(got) != down.create_decimal(repeats)
                 if float(got) != float(right) else "e" not in got and got != right)]
    wrong += ["not to be chosen: %s" % name for name in ids if name not in names]
    report(count, "%d rates of repeats" % len(asked), wrong)


# ---------------------------------------------------------------------------
# The page itself
# ---------------------------------------------------------------------------

def check_zones(browser, count, options):
    """The zone of the browser changes nothing."""
    rng = random.Random("%d zones" % options.seed)
    texts = [fmt.format(number) for fmt in FORMATS.values()
             for number in values_of(fmt, 20, rng)[:40]]
    asked = [(name, "2026-03-29 02:30", "2026-10-25 02:30:00.000001") for name in FORMATS]
    got = []
    for zone in "UTC", "America/St_Johns", "Pacific/Kiritimati":
        browser.set("Emulation.setTimezoneOverride", timezoneId=zone)
        browser.open()
        got.append((browser.shown(texts, True), browser.windows(asked)))
    browser.set("Emulation.setTimezoneOverride", timezoneId="")
    count.test("the same in each time zone", [] if got[0] == got[1] == got[2] else ["it differs"])


FOCUS = "return document.activeElement.id || document.activeElement.tagName"


def check_keyboard(browser, count):
    """By the keyboard alone: to the box, an id typed, and on to each control."""
    def press(*keys, held=""):
        chain = ActionChains(browser.driver)
        if held:
            chain.key_down(held)
        chain.send_keys(*keys)
        if held:
            chain.key_up(held)
        chain.perform()
        return browser.script(FOCUS)

    browser.open()
    reached = []
    for _ in range(60):
        focus = press(Keys.TAB)
        reached.append(focus)
        if focus == "inspect-input":
            press(EXAMPLE)
        elif focus == "inspect-type":
            press("t")
        elif focus == "inspect-upto":
            press("a", held=Keys.CONTROL)
            press(Keys.DELETE)
        if focus == "inspect-rate":
            break
    wanted = ["inspect-input", "inspect-type", "inspect-since", "inspect-upto", "inspect-ids",
              "inspect-servers", "inspect-rate"]
    browser.wait.until(lambda _: browser.script("return location.hash") != "")
    verdict, rows, moved = browser.script(
        'return [document.querySelector(".inspect-verdict")?.textContent, '
        'document.querySelectorAll("#inspect-window-result [data-sql]")[0]?.dataset.sql, '
        'location.hash]')
    count.test("by the keyboard alone", [
        "%s: %s" % pair for pair in (
            ("reached", reached if [one for one in reached if one in wanted] != wanted else None),
            ("verdict", verdict if verdict != "This is a uid11." else None),
            ("window", rows if not str(rows).startswith("tid64_min(") else None),
            ("address", moved if moved != "#" + EXAMPLE else None)) if pair[1] is not None])


# What sticks out of the window, and is in nothing that scrolls.
CUT = """
const width = document.documentElement.clientWidth
const scrolls = one => one !== null && (["auto", "scroll"].includes(
    getComputedStyle(one).overflowX) || scrolls(one.parentElement))
return [document.documentElement.scrollWidth, width, Array.from(document.querySelectorAll(
    ".md-content *")).filter(one => one.getBoundingClientRect().right > width + 0.5 &&
        one.checkVisibility() && !scrolls(one)).map(one => one.outerHTML.slice(0, 100))]
"""


def check_narrow(browser, count, seed):
    rng = random.Random("%d narrow" % seed)
    browser.set("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1,
                mobile=True)
    browser.open()
    wrong = []
    for text in [fmt.format(rng.randint(fmt.smallest, fmt.largest)) for fmt in FORMATS.values()
                 ] + ["2222222222222", "5cpMMx7dx0Q", "x" * 300]:
        browser.shown([text])
        scrolled, width, cut = browser.script(CUT)
        if scrolled > width or cut:
            wrong.append("%s: %d of %d pixels, %s" % (text, scrolled, width, cut))
    browser.set("Emulation.clearDeviceMetricsOverride")
    report(count, "at 360 pixels nothing is cut", wrong)


def check_address(browser, count):
    """The id behind # is shown, also one with other characters and one that comes later."""
    wrong = []
    text = "did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah"
    verdict = 'return document.querySelector(".inspect-verdict")?.textContent || null'
    for fragment, expected in (("#" + text, "This is a siq."), ("#5cpMM%20%C3%A9", "No type acc"),
                               ("#%", "No type acc"), ("#in-sql", "None")):
        browser.open(fragment)
        got = str(browser.script(verdict))
        if not got.startswith(expected):
            wrong.append("%s: %s" % (fragment, got))
    browser.script("location.hash = arguments[0]", "#" + EXAMPLE)
    browser.wait.until(lambda _: browser.script(verdict) == "This is a uid11.")
    browser.shown(["a b#\u00e9"])
    browser.wait.until(lambda _: browser.script("return location.hash") != "#" + EXAMPLE)
    fragment = browser.script("return location.hash")
    browser.open(fragment)
    if browser.script('return document.getElementById("inspect-input").value') != "a b#\u00e9":
        wrong.append("typed and opened again: %s" % fragment)
    count.test("the address holds the id", wrong)


def check_without_script(browser, count):
    browser.set("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(ready=False)
    content = browser.driver.find_element("css selector", ".md-content").text
    controls = browser.driver.find_elements("css selector", ".md-content input")
    browser.set("Emulation.setScriptExecutionDisabled", value=False)
    count.test("without JavaScript there is a sentence", [] if not controls and
               "This page needs JavaScript; SQL answers the same." in content else [content])


# ---------------------------------------------------------------------------
# Pages that are wrong
# ---------------------------------------------------------------------------

def turn_bit(script):
    """Turns a bit of a digit of Base58 in the module."""
    head, encoded, tail = re.fullmatch(r"(.*\nconst base64 = ')([^']*)('.*)", script,
                                       re.DOTALL).groups()
    module = bytearray(base64.b64decode(encoded))
    module[module.index(b"123456789ABCDEFGHJKLMN") + 40] ^= 2
    return head + base64.b64encode(module).decode() + tail


def replaced(old, new):
    def change(script):
        assert script.count(old) == 1, "%d times in the script: %s" % (script.count(old), old)
        return script.replace(old, new)
    return change


MUTANTS = [
    ("a Number for a BigInt in instants", "idtypes.js", "ids",
     replaced("return core.instant(this.#number, this.#put(id))",
              "return BigInt(Number(core.instant(this.#number, this.#put(id))))")),
    ("a Number for a BigInt in numbers", "idtypes.js", "ids",
     replaced('const value = BigInt("0x" + hexOf(this.#get(this.#put(id))))\n      return',
              'const value = BigInt(Number("0x" + hexOf(this.#get(this.#put(id)))))\n'
              '      return')),
    ("truncation for floor", "idtypes.js", "ids",
     replaced("return (value - rest) / divisor - (rest < 0n ? 1n : 0n)", "return value / divisor")),
    ("a swapped layout", "idtypes.js", "ids",
     replaced("this.#number = number\n", "this.#number = number\n"
              "      const { fields } = rest.layouts.at(-1)\n"
              "      fields.push(...fields.splice(-2).reverse())\n")),
    ("a bit turned in the module", "idtypes.js", "ids", turn_bit),
    ("a colour of another field", "inspect.js", "ids",
     replaced("changed[bit >> 3] ^= 0x80 >> (bit & 7)", "changed[bit >> 3] ^= 0x01 << (bit & 7)")),
    ("a span of two ticks", "inspect.js", "ids", replaced("Math.max(1, ids", "Math.max(2, ids")),
    ("code units for characters", "inspect.js", "errors",
     replaced("const characters = Array.from(text)\n\t\t\tconst from",
              'const characters = text.split("")\n\t\t\tconst from')),
    ("hints for details", "idtypes.js", "errors",
     replaced("detail: getString(core.detail())", "detail: getString(core.hint())")),
    ("a window that has its end", "idtypes.js", "windows",
     replaced('upto === null || bounds[1] === "]"', "true")),
]


def check_mutants(database, browser, count, options):
    """Each comparison must notice what is wrong with a page."""
    rng = random.Random("%d mutants" % options.seed)
    texts = [fmt.format(number) for fmt in FORMATS.values() for number in values_of(fmt, 2, rng)]
    broken = broken_texts(40, rng) + ["\U0001f600" + EXAMPLE[:9], "5cpMM\U0001f600\U0001f600x0"]
    a = idoracle.instant("2026-01-01T00:00:00Z")
    windows = [(name, idoracle.iso(a), idoracle.iso(a + 10**6), a, a + 10**6) for name in FORMATS]
    notice = {
        "ids": lambda: id_mistakes(database, browser, texts, list(map(numbers_of, texts)), True)[0],
        "errors": lambda: error_mistakes(database, browser, broken)[0],
        "windows": lambda: window_mistakes(database, browser, windows)
    }
    browser.open()
    for name, mistakes in notice.items():
        report(count, "the page that is right, %s" % name, mistakes())
    site = os.path.join(os.path.dirname(browser.site), "mutant")
    for name, file, what, change in rng.sample(MUTANTS, options.mutants):
        shutil.rmtree(site, ignore_errors=True)
        os.makedirs(os.path.join(site, "doc"))
        for one in "inspect.html", "inspect.js", "idtypes.js":
            shutil.copy(os.path.join(browser.site, "doc", one), os.path.join(site, "doc"))
        path = os.path.join(site, "doc", file)
        with open(path, encoding="utf-8") as script:
            changed = change(script.read())
        with open(path, "w", encoding="utf-8") as script:
            script.write(changed)
        browser.open(site=site)
        try:
            noticed = len(notice[what]())
        except (SqlError, WebDriverException) as error:
            noticed = "an error: %s" % str(error).splitlines()[0][:100]
        print("# %s: %s" % (name, noticed))
        count.test("noticed: " + name, [] if noticed else ["nothing was noticed"])
    browser.complaints()
    shutil.rmtree(site, ignore_errors=True)


def main():
    options = options_of(__doc__, ids=500 if STRESS else 50,
                         mutants=len(MUTANTS) if STRESS else 3)
    site = os.path.abspath(*options.rest)
    os.chdir(ROOT)
    count = Count()
    with new_database("inspect") as database, chromium(site) as driver:
        value("CREATE EXTENSION idtypes", "-d", database)
        browser = Browser(driver, site)
        browser.open()
        check_ids(database, browser, count, options)
        check_errors(database, browser, count, options)
        check_white_space(browser, count)
        check_inside(browser, count, options)
        check_windows(database, browser, count, options)
        check_repeats(database, browser, count, options)
        check_address(browser, count)
        check_zones(browser, count, options)
        check_keyboard(browser, count)
        check_narrow(browser, count, options.seed)
        check_without_script(browser, count)
        count.test("no complaint of the scripts", browser.complaints())
        check_mutants(database, browser, count, options)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
