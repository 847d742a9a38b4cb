"""Runs a block of SQL of a page: what psql is to do for it, and what must come true of its notes,
which test/docs/run.py lists.
"""

import re

MARK = "--- end of block ---"

# What auto_explain reports goes to the client, where only this program looks.  Plans of statements
# with parameters are those that drivers get after some executions.
PRELUDE = """
\\set QUIET 1
\\pset footer off
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_analyze = on;
SET auto_explain.log_timing = off;
SET plan_cache_mode = force_generic_plan;
SET timezone = 'UTC';
"""
AS_SHOWN = "\\pset format aligned\n\\pset tuples_only off\n\\pset null ''\n"
AS_ROWS = "\\pset format unaligned\n\\pset tuples_only on\n\\pset null NULL\n"


def script_of(block):
    """What psql is to do for a block, its end marked in both outputs."""
    body = block.sql
    if "same" in block.notes:
        # in one transaction, so that now() is the same instant
        body = ("BEGIN;\n%s\\echo %s\nSET client_min_messages = warning;\n%s;\nCOMMIT;\n"
                % (body, MARK, block.notes["same"]))
    # client_min_messages lets the plans through for the block's own statements only
    return ("%sSET client_min_messages = %s;\n%sSET client_min_messages = warning;\n"
            "\\echo %s\n\\warn %s\n"
            % (AS_SHOWN if block.result else AS_ROWS,
               "log" if "plan" in block.notes else "notice", body, MARK, MARK))


def expects_error(block):
    return "error" in block.notes or bool(
        block.result and re.search(r"^ERROR: ", block.result.shown, re.MULTILINE))


def reports_of(messages):
    """The messages of a block, each with its detail, hint and so on, without psql's prefix."""
    reports = re.split(r"^(?:psql:[^ ]* )?(?=[A-Z]+:  )", messages, flags=re.MULTILINE)
    # a detail belongs to the message above it
    joined = []
    for report in reports:
        if joined and re.match(r"(DETAIL|HINT|CONTEXT|QUERY|LOCATION):", report):
            joined[-1] += report
        elif report.strip():
            joined.append(report)
    return joined


def plans_of(messages):
    """The plans among the messages of a block, without the texts of the queries."""
    plans = []
    for report in reports_of(messages):
        # the plan begins at the first line that tells a node's cost
        match = re.search(r"^[^\n]*\(cost=.*", report, re.MULTILINE | re.DOTALL)
        if match and report.startswith("LOG:"):
            plans.append(match.group())
    return "\n".join(plans)


def complaints(block, outputs, messages):
    """What a block that ran did not keep of its notes, given what it printed and reported."""
    reports = [report for report in reports_of(messages) if not report.startswith("LOG:")]
    failed = [report for report in reports if not re.match("NOTICE:|WARNING:|INFO:", report)]
    wanted = block.notes.get("error")
    if wanted is not None and not any(wanted in report for report in failed):
        yield "no error with: " + wanted
    elif failed and not expects_error(block):
        yield failed[0]
    for text in block.notes.get("plan", "").split(";"):
        text = text.strip()
        absent = text.startswith("not:")
        if absent:
            text = text[len("not:"):].strip()
        if text and "Query Text:" not in messages:
            yield "no plan was reported"
        elif text and (text in plans_of(messages)) == absent:
            yield "the plan has%s: %s" % ("" if absent else " not", text)
    if "rows" in block.notes and len(outputs[0].splitlines()) != int(block.notes["rows"]):
        yield "%d rows, not %s" % (len(outputs[0].splitlines()), block.notes["rows"])
    if "same" in block.notes:
        if outputs[0] != outputs[1]:
            yield "not the same as %s:\n%s" % (block.notes["same"], outputs[1])
        elif not outputs[0].strip():
            yield "the same, but empty"
