"""Chromium, which reaches this machine only, and a server for a built site."""

import contextlib
import functools
import http.server
import os
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# What of an open page is cut off, in words.
CUT = """
const cut = []
const named = element => element.tagName.toLowerCase() + ": " +
    (element.textContent.replace(/\s+/g, " ").trim() || element.querySelector("img")?.src || "")
        .slice(0, 60)
const width = document.documentElement.clientWidth
if (document.documentElement.scrollWidth > width)
    cut.push("the page is " + document.documentElement.scrollWidth + " wide")
for (const element of document.querySelectorAll(".md-content :not([aria-hidden] *)")) {
    const style = getComputedStyle(element)
    if (element.scrollWidth <= element.clientWidth + 1 || style.display === "inline" ||
        !["auto", "scroll", "hidden"].includes(style.overflowX))
        continue
    if (style.overflowX === "hidden")
        cut.push("cannot be scrolled: " + named(element))
    else if (!style.backgroundImage.includes("gradient") && style.maskImage === "none")
        cut.push("does not show that it goes on: " + named(element))
}
return cut
"""


@contextlib.contextmanager
def chromium(site):
    """The browser, without a window, as long as it is wanted.  It has no sandbox, which containers
    do not allow: all that it reads is of the site."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--window-size=1280,1024",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
        options.add_argument(argument)
    # beside the site: what is left when this is killed goes with it
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(site))) as folder:
        options.add_argument("--user-data-dir=" + folder)
        with webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options) as driver:
            # the limit is that of the suite: on a busy machine, half a minute is soon over
            driver.set_script_timeout(3600)
            yield driver


def screen(driver, width, mobile):
    """Gives the browser a screen of this width."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": mobile})


@contextlib.contextmanager
def served(site):
    """Serves a folder as long as it is wanted; gives its address."""
    handler = http.server.SimpleHTTPRequestHandler
    handler.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "http:" "//127.0.0.1:%d/" % server.server_port
    server.shutdown()
