"""Puts the caret to the beginning of a field, which scrolls its text and does nothing else."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def main():
    request = json.loads(sys.argv[1])
    Atspi.init()
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        node = desktop.get_child_at_index(index)
        if node is not None and node.get_name() == request["application"]:
            for step in request["path"]:
                node = node.get_child_at_index(step)
            return Atspi.Text.set_caret_offset(node, 0)
    sys.exit("the application is not there")


print(main())
