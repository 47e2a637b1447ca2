"""Shows notices by printing what it was asked to show, as JSON lines. Argument: what it says it can do, separated by commas."""

import json
import sys

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
</interface></node>
"""


def say(what):
    print(json.dumps(what), flush=True)


def called(_bus, _sender, _path, _interface, method, parameters, invocation):
    if method == "GetCapabilities":
        abilities = [name for name in sys.argv[1].split(",") if name]
        invocation.return_value(GLib.Variant("(as)", (abilities,)))
        return
    say(parameters.unpack())
    invocation.return_value(GLib.Variant("(u)", (7,)))


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
bus.register_object("/org/freedesktop/Notifications", interface, called, None, None)
Gio.bus_own_name_on_connection(
    bus, "org.freedesktop.Notifications", Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), None
)
GLib.MainLoop().run()
