# SPDX-License-Identifier: GPL-2.0-only
"""Functions for tests of the daemon's page in Chromium, in addition to tests/live/flame/browser.py."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "flame"))
from browser import Browser  # noqa: E402

IDLE = "(a => a && a.api.open.size === 0 && !a.frame.section.hasAttribute('aria-busy'))(window.ustack)"


class Page(Browser):
    def visit(self, url, hash_=""):
        self.driver.get("about:blank")
        self.driver.get(url + "/" + hash_)
        self.settled()

    def settled(self, seconds=60):
        """Wait until the server has answered all requests."""
        self.wait("Boolean(window.ustack) && Boolean(ustack.chart.data || !document.getElementById('error').hidden)",
                  seconds)
        self.wait(IDLE, seconds)
        self.drawn()

    def rest(self):
        """Wait until the page has noticed that a range does not move any more."""
        self.driver.execute_async_script("setTimeout(arguments[0], 450)")
        self.settled()

    def at(self, share):
        """Return: a place on the chart as coordinates in the window"""
        return self.js("""(() => {
            const c = ustack.chart, box = c.box.getBoundingClientRect();

            return [box.left + c.left + arguments[0] * (c.right - c.left), box.top + box.height / 2];
        })()""", share)

    def drag(self, from_, to):
        (x, y), (x2, y2) = self.at(from_), self.at(to)
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for k in range(1, 5):
            self.mouse("mouseMoved", x + (x2 - x) * k / 4, y2, button="left", buttons=1)
        self.mouse("mouseReleased", x2, y2, button="left", clickCount=1)
        self.rest()

    def swipe(self, from_, to):
        (x, y), (x2, _) = self.at(from_), self.at(to)
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for k in range(1, 5):
            self.command("Input.dispatchTouchEvent", type="touchMove",
                         touchPoints=[{"x": x + (x2 - x) * k / 4, "y": y}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.rest()

    def graph(self, expression):
        """Evaluate an expression in which flame is the flame graph of the frame."""
        return self.js("(flame => %s)(document.querySelector('#frame iframe').contentWindow.flame)" % expression)

    def rows(self, table):
        return self.js("[...document.querySelectorAll('#' + arguments[0] + ' tbody tr')]"
                       ".map(tr => [...tr.cells].map(c => c.textContent.trim()))", table)
