"""The simplest accessibility client: carries out the first action of an object, or sets its text or number, and believes whatever it is told."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def find(application, path):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        node = desktop.get_child_at_index(index)
        if node is not None and node.get_name() == application:
            for step in path:
                node = node.get_child_at_index(step)
            return node
    sys.exit("the application is not there")


def main():
    request = json.loads(sys.argv[1])
    Atspi.init()
    # The object that is acted on last: the item of a menu, the option of a combo box.
    node = find(request["application"], request["path"])
    interfaces = node.get_interfaces()
    if request["kind"] == "set-value" and "EditableText" in interfaces:
        print(Atspi.EditableText.set_text_contents(node, request["value"]))
    elif request["kind"] == "set-value":
        print(Atspi.Value.set_current_value(node, float(request["value"])))
    elif "Action" in interfaces and Atspi.Action.get_n_actions(node) > 0:
        print(Atspi.Action.do_action(node, 0))
    else:
        parent = node.get_parent()
        print(Atspi.Selection.select_child(parent, node.get_index_in_parent()))


main()
