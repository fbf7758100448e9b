# SPDX-License-Identifier: GPL-2.0-only
"""Chromium without a screen, and what the tests need to know about a page in it."""
import json
import os
import shutil
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.remote_connection import RemoteConnection

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--disable-default-apps --window-size=1280,800""".split()

# without a limit selenium waits for ever for a browser that hangs
ANSWER_SECONDS = 180
RemoteConnection.set_timeout(ANSWER_SECONDS)


def run_tests(checks, tests, *arguments):
    """Runs each test, whatever happened before: an exception is a failed check."""
    for test in tests:
        try:
            test(*arguments)
        except Exception as e:  # noqa: BLE001
            checks.check(test.__name__, False, repr(e)[:2000])


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="ustack-flame.")
        self.downloads = tempfile.mkdtemp(prefix="ustack-flame.")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS + ["--user-data-dir=" + self.profile]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.command("Browser.grantPermissions", permissions=["clipboardReadWrite"])
        self.media()

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)
        shutil.rmtree(self.downloads, ignore_errors=True)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def media(self, scheme="light", motion="reduce"):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}])

    def screen(self, width, height, ratio=1, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=ratio, mobile=mobile)
        self.command("Emulation.setTouchEmulationEnabled", enabled=mobile)

    def open(self, path, hash_=""):
        self.driver.get("about:blank")
        self.driver.get("file://" + path + hash_)
        self.wait("window.flame && flame.canvas.frames !== undefined || "
                  "!document.getElementById('empty').hidden")

    def js(self, expression, *arguments):
        return self.driver.execute_script("return " + expression, *arguments)

    def run(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def wait(self, expression, seconds=120):
        """Waits until an expression is true. The time only ends a test that hangs."""
        end = time.time() + seconds
        while not self.js(expression):
            if time.time() > end:
                raise AssertionError("never became true: " + expression)
            time.sleep(0.02)

    def drawn(self):
        """Waits until the canvas shows what has been asked for."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css):
        return self.js("document.querySelector(arguments[0]).textContent", css)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.drawn()

    def click(self, css):
        self.find(css).click()
        self.drawn()

    def place(self, name, nth=0, part=None):
        """Return: the middle, in the window, of the nth visible frame with this name, and its
        width."""
        return self.js("""(() => {
            const a = flame, box = a.canvas.canvas.getBoundingClientRect(), all = [];

            a.scene.parts.forEach((part, k) => {
                if (arguments[2] !== null && arguments[2] !== k)
                    return;
                for (let i = part.first; i < part.tree.n; i++)
                    if (a.symbols[part.tree.sym[i]].name === arguments[0] && a.visible(part, i))
                        all.push([part, i]);
            });
            const [part, i] = all[arguments[1]];
            const scale = a.canvas.width / part.view.w;
            const x = (part.tree.x[a.scene.side][i] - part.view.x) * scale;
            const w = part.tree.total[a.scene.side][i] * scale;
            const from = Math.max(0, x), to = Math.min(a.canvas.width, x + w);
            const row = part.row + part.dir * part.tree.depth[i];

            return [box.left + (from + to) / 2, box.top + a.canvas.yOf(row) + 9, to - from];
        })()""", name, nth, part)

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def press(self, name, nth=0, part=None):
        x, y, _ = self.place(name, nth, part)
        self.mouse("mouseMoved", x, y)
        for kind in "mousePressed", "mouseReleased":
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.drawn()

    def tap(self, name):
        x, y, _ = self.place(name)
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.drawn()

    def pixel(self, x, y):
        """Return: colour of the canvas at a place in the window: [r, g, b, a]"""
        return self.js("""(() => {
            const c = flame.canvas.canvas, box = c.getBoundingClientRect();
            const ratio = c.width / box.width;

            const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

            one.drawImage(c, -Math.floor((arguments[0] - box.left) * ratio),
                          -Math.floor((arguments[1] - box.top) * ratio));
            return [...one.getImageData(0, 0, 1, 1).data];
        })()""", x, y)

    def errors(self):
        return [entry for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        """Saves a picture of the screen. @path: None saves nothing; its folder is made."""
        if path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not self.driver.save_screenshot(path):
                raise OSError("cannot write " + path)

    def tree(self, part=0):
        """Return: {path of names: [total now(, before)]}"""
        flat = self.js("""(() => {
            const t = flame.scene.parts[arguments[0]].tree, out = [];

            for (let i = 0; i < t.n; i++) {
                const way = [];

                for (let j = i; ; j = t.parent[j]) {
                    way.unshift(flame.symbols[t.sym[j]].name);
                    if (!j)
                        break;
                }
                out.push([way, t.total.map(v => v[i])]);
            }
            return JSON.stringify(out);
        })()""", part)
        return {tuple(way): total for way, total in json.loads(flat)}

    def tree_total(self):
        """Return: the sum of all nodes' own values."""
        return self.js("""(t => t.self[0].reduce((a, b) => a + b))(flame.scene.parts[0].tree)""")
