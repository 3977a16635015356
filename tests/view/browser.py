# SPDX-License-Identifier: Apache-2.0
"""A page in headless chromium, driven over its debugging pipe: real clicks, wheels, frames and pictures."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=1280,900"]


class Browser:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="psim-chromium-")
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def as_3_and_4():
            # Both are first moved out of the way, since one may be 3 or 4 itself.
            high = [os.dup(to_read), os.dup(from_write)]
            high = [os.dup2(fd, 60 + i) for i, fd in enumerate(high)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={self.profile}"], preexec_fn=as_3_and_4,
                                        close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.held, self.last, self.session, self.errors = b"", 0, None, []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self(f"{domain}.enable")

    def __call__(self, method, **parameters):
        """Sends a command of the DevTools protocol and returns its result."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 120
        while True:
            while b"\0" not in self.held:
                assert select.select([self.source], [], [], max(0, deadline - time.monotonic()))[0], f"{method}: no answer"
                more = os.read(self.source, 1 << 20)
                assert more, "the browser ended"
                self.held += more
            line, self.held = self.held.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                self.errors.append(answer["params"])
            if answer.get("method") == "Network.requestWillBeSent":
                address = answer["params"]["request"]["url"]
                if not address.startswith(("file:", "about:", "data:")):
                    self.errors.append(f"the page requested {address}")
            if answer.get("id") == self.last:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        done = self("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, (script, done["exceptionDetails"])
        return done["result"].get("value")

    def open(self, page, dark=False):
        """Seconds until the page has drawn its first frame."""
        self.mode(dark)
        began = time.monotonic()
        self("Page.navigate", url=f"file://{page}")
        while not self.run("document.readyState === 'complete' && location.href !== 'about:blank'"):
            time.sleep(0.02)
        self.frame()
        return time.monotonic() - began

    def mode(self, dark):
        self("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def frame(self):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def mouse(self, kind, x, y, **more):
        self("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.frame()

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=ord(key) if len(key) == 1 else 0)
        self.frame()

    def press(self, key, code, text=""):
        """Presses a key with a name, such as Tab, 9."""
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def resize(self, width, height=900):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.frame()

    def picture(self, path):
        open(path, "wb").write(base64.b64decode(self("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.session = None
            self("Browser.close")
            self.process.wait(timeout=20)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
