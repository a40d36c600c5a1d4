# SPDX-License-Identifier: Apache-2.0
"""How much memory a process that is measured takes at the most."""
import pathlib
import re
import threading
import time


class Watch(threading.Thread):
    """Looks at a process's anonymous memory until end(): `peak` is in bytes."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.path, self.peak, self.is_over = pathlib.Path(f"/proc/{pid}/status"), 0, False
        self.start()

    def run(self):
        while not self.is_over:
            try:
                found = re.search(r"RssAnon:\s+(\d+) kB", self.path.read_text())
            except OSError:
                return
            if found:
                self.peak = max(self.peak, int(found[1]) * 1024)
            time.sleep(0.004)

    def end(self):
        self.is_over = True
        self.join()
        return self.peak
