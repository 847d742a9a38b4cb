"""The page "Look inside an id" in Chromium: what is typed there, and what it shows."""

import json

from selenium.webdriver.support.ui import WebDriverWait

# What the page shows of each of some texts, typed one after the other.  The last argument says
# whether prefixes and characters are wanted, too.
SHOWN = """
const [texts, all] = arguments
const input = document.getElementById("inspect-input")
const result = document.getElementById("inspect-result")
const one = (from, selector) => from.querySelector(selector)?.textContent ?? null
const every = (from, selector, shown) => Array.from(from.querySelectorAll(selector), shown)
return texts.map(text => {
    input.value = text
    input.dispatchEvent(new Event("input", { bubbles: true }))
    return {
        verdict: one(result, ".inspect-verdict") || null,
        note: one(result, ".inspect-note"),
        inside: every(result, ".inspect-inside a", link => [link.textContent, link.hash]),
        ids: every(result, ".inspect-id", section => ({
            type: section.dataset.type,
            rows: every(section, ".inspect-forms code[data-sql]",
                cell => [cell.dataset.sql, cell.textContent]),
            number: one(section, "[data-number]"),
            layouts: every(section, ".inspect-layout", layout => ({
                name: layout.dataset.layout,
                not: one(layout, ".inspect-not"),
                bar: every(layout, ".inspect-bar span", part => Number(part.style.flexGrow)),
                parts: layout.querySelector(".inspect-fields")?.dataset.parts,
                json: layout.querySelector(".inspect-fields")?.dataset.json,
                fields: every(layout, "[data-field]", field => [field.dataset.field,
                    parseInt(field.querySelector("td").textContent),
                    one(field, ".inspect-value"), one(field, ".inspect-bits")])
            })),
            cells: all ? every(every(section, ".inspect-cells", cells => cells).at(-1), "span",
                cell => [cell.textContent, cell.dataset.owner ?? null]) : [],
            prefixes: all ? every(section, "[data-prefix]", row => [row.dataset.prefix,
                ...every(row, "td", cell => cell.textContent).slice(1)]) : []
        })),
        errors: every(result, ".inspect-error", section => ({
            type: section.dataset.type,
            code: section.dataset.code,
            message: section.dataset.message,
            detail: one(section, ".inspect-detail"),
            hint: one(section, ".inspect-hint"),
            position: section.querySelector(".inspect-text")?.dataset.position ?? null,
            marked: one(section, "mark")
        }))
    }
})
"""

# The same of windows of time: type, since, upto.
WINDOWS = """
const field = name => document.getElementById("inspect-" + name)
const result = field("window-result")
return arguments[0].map(([type, since, upto]) => {
    field("type").value = type
    field("since").value = since
    field("upto").value = upto
    field("upto").dispatchEvent(new Event("input", { bubbles: true }))
    return {
        rows: Array.from(result.querySelectorAll("[data-sql]"),
            cell => [cell.dataset.sql, cell.textContent]),
        sql: result.querySelector("pre")?.textContent ?? null,
        not: result.querySelector(".inspect-not")?.textContent ?? null,
        detail: result.querySelector(".inspect-detail")?.textContent ?? null
    }
})
"""

# And of repeats: which ids, servers, ids a second; all that can be chosen first.
REPEATS = """
const field = name => document.getElementById("inspect-" + name)
const names = Array.from(field("ids").options, option => option.text)
return [names, arguments[0].map(([ids, servers, rate]) => {
    field("ids").value = ids
    field("servers").value = servers
    field("rate").value = rate
    field("rate").dispatchEvent(new Event("input", { bubbles: true }))
    return document.querySelector("[data-repeats]").textContent
})]
"""


class Browser:
    """Chromium without a network, which reads the built site from the disk."""

    def __init__(self, driver, site):
        self.site = site
        self.driver = driver
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
        self.wait = WebDriverWait(self.driver, 600, poll_frequency=0.02)

    def set(self, command, **values):
        """Something that the protocol of the developer tools sets, as Emulation.setTimezone..."""
        self.driver.execute_cdp_cmd(command, values)

    def open(self, fragment="", site=None, ready=True):
        """Opens the page; the module is there when the types can be chosen."""
        self.driver.get("about:blank")
        self.driver.get("file://%s/doc/inspect.html%s" % (site or self.site, fragment))
        if ready:
            self.wait.until(lambda driver: driver.execute_script(
                'return document.querySelectorAll("#inspect-ids option").length > 0'))

    def script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def shown(self, texts, everything=False):
        # a few at a time: on a busy machine, some versions of Selenium wait two minutes at most
        return [page for first in range(0, len(texts), 100)
                for page in self.script(SHOWN, texts[first:first + 100], everything)]

    def windows(self, asked):
        return self.script(WINDOWS, asked)

    def repeats(self, asked):
        return self.script(REPEATS, asked)

    def complaints(self):
        """What the scripts of the page reported."""
        return [json.dumps(entry["message"]) for entry in self.driver.get_log("browser")
                if "inspect.js" in entry["message"] or "idtypes.js" in entry["message"]]
