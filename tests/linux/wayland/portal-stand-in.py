"""A desktop portal for screenshots, which answers as the file that it is given says: allow, deny, fail, or wait, as long as a dialog is open."""

import os
import subprocess
import sys
import tempfile

from gi.repository import Gio, GLib

NODE = Gio.DBusNodeInfo.new_for_xml(
    """<node><interface name="org.freedesktop.portal.Screenshot">
      <method name="Screenshot"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
      <property name="version" type="u" access="read"/>
    </interface></node>"""
)
CODES = {"allow": 0, "deny": 1, "fail": 2}


def answer_to(bus, sender, path):
    with open(sys.argv[1], encoding="utf-8") as file:
        answer = file.read().strip()
    if answer not in CODES:
        return
    results = {}
    if answer == "allow":
        handle, name = tempfile.mkstemp(suffix=".png", dir=os.environ["HOME"])
        os.close(handle)
        subprocess.run(["grim", name], check=True)
        results["uri"] = GLib.Variant("s", "file://" + name)
    values = GLib.Variant("(ua{sv})", (CODES[answer], results))
    bus.emit_signal(sender, path, "org.freedesktop.portal.Request", "Response", values)


def called(bus, sender, _path, _interface, _method, parameters, invocation):
    token = parameters[1]["handle_token"]
    request = f"/org/freedesktop/portal/desktop/request/{sender[1:].replace('.', '_')}/{token}"
    invocation.return_value(GLib.Variant("(o)", (request,)))
    GLib.idle_add(answer_to, bus, sender, request)


def acquired(bus, _name):
    bus.register_object(
        "/org/freedesktop/portal/desktop", NODE.interfaces[0], called, lambda *_: GLib.Variant("u", 2), None
    )


Gio.bus_own_name(
    Gio.BusType.SESSION,
    "org.freedesktop.portal.Desktop",
    Gio.BusNameOwnerFlags.NONE,
    acquired,
    lambda *_: print("ready", flush=True),
    None,
)
GLib.MainLoop().run()
