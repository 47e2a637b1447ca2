import {
  EXTENSION,
  EXTENSION_VERSION,
  SECRET_FILE,
} from '../../display/wayland/mutter/extension/extension-place.ts';

/** Until this version, extensions are scripts; from the next one on, they are modules. */
const LAST_OF_SCRIPTS = 44;

/** What the module imports, from GNOME Shell itself. */
const MODULES = [
  ...['Clutter', 'Gio', 'GLib', 'Meta', 'Shell'].map((name) => [name, `gi://${name}`] as const),
  ['* as Main', 'resource:///org/gnome/shell/ui/main.js'],
  ['{Extension}', 'resource:///org/gnome/shell/extensions/extension.js'],
] as const;

/** The extension for a version of GNOME Shell, such as 43. */
export function extensionScript(shellVersion: number): string {
  return shellVersion <= LAST_OF_SCRIPTS
    ? `${PURPOSE}
/* exported init */
const {Clutter, Gio, GLib, Meta, Shell} = imports.gi;
const Main = imports.ui.main;
${BODY}
function init(meta) {
    return new Deskterity(meta.path);
}
`
    : `${PURPOSE}
${MODULES.map(([name, from]) => `import ${name} from '${from}';`).join('\n')}
${BODY}
export default class extends Extension {
    enable() {
        this._deskterity = new Deskterity(this.path);
        this._deskterity.enable();
    }

    disable() {
        this._deskterity.disable();
        this._deskterity = null;
    }
}
`;
}

const PURPOSE = `// Written by "desk setup gnome", removed by "desk setup gnome --undo".
//
// Lets Deskterity list the windows of this session, with their places, bring them to the front, move, resize, minimize, maximize and close them, and take
// pictures of the screen and of windows. It serves programs of this user that know the content of the file "secret" beside it, which only this user can
// read, and nobody while the screen is locked. It evaluates nothing that it is sent, changes nothing in GNOME Shell, and sends nothing by itself.`;

/** Runs inside the shell, so nothing in it may wait or throw. */
const BODY = `
const PATH = '${EXTENSION.path}';
const INTERFACE = '${EXTENSION.interface}';
const MOST_ADMITTED = 64;
const MOST_TITLE = 2000;
const CHALLENGE_BYTES = 16;

const DESCRIPTION = '<node><interface name="${EXTENSION.interface}">' +
    '<property name="Version" type="u" access="read"/>' +
    '<property name="Challenge" type="s" access="read"/>' +
    '<method name="Admit"><arg type="s" direction="in"/></method>' +
    '<method name="List"><arg type="s" direction="out"/></method>' +
    '<method name="At"><arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="s" direction="out"/></method>' +
    '<method name="Control"><arg type="s" direction="in"/><arg type="s" direction="out"/></method>' +
    '<method name="CaptureArea"><arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="i" direction="in"/>' +
    '<arg type="i" direction="in"/><arg type="ay" direction="out"/></method>' +
    '<method name="CaptureWindow"><arg type="s" direction="in"/><arg type="ay" direction="out"/></method>' +
    '<signal name="Changed"><arg type="s"/><arg type="s"/></signal>' +
    '<signal name="Ready"/>' +
    '</interface></node>';

const USER_TYPES = [Meta.WindowType.NORMAL, Meta.WindowType.DIALOG, Meta.WindowType.MODAL_DIALOG, Meta.WindowType.UTILITY];
const MENU_TYPES = [Meta.WindowType.DROPDOWN_MENU, Meta.WindowType.POPUP_MENU, Meta.WindowType.COMBO, Meta.WindowType.MENU];

function randomText() {
    const stream = Gio.File.new_for_path('/dev/urandom').read(null);
    const bytes = stream.read_bytes(CHALLENGE_BYTES, null).get_data();
    stream.close(null);
    return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function isSame(a, b) {
    let difference = a.length ^ b.length;
    for (let at = 0; at < a.length; at++)
        difference |= a.charCodeAt(at) ^ (at < b.length ? b.charCodeAt(at) : 0);
    return difference === 0;
}

function box({x, y, width, height}) {
    return {x, y, width, height};
}

function isMaximized(window) {
    if (typeof window.is_maximized === 'function')
        return window.is_maximized();
    return window.get_maximized() === Meta.MaximizeFlags.BOTH;
}

function isShown(window) {
    return !window.minimized && window.located_on_workspace(global.workspace_manager.get_active_workspace());
}

function describe(window, stacking) {
    const frame = window.get_frame_rect();
    const type = window.get_window_type();
    const isX11 = window.get_client_type() === Meta.WindowClientType.X11;
    const client = isX11 ? window.frame_rect_to_client_rect(frame) : window.get_buffer_rect();
    const parent = window.get_transient_for();
    const isTooltip = type === Meta.WindowType.TOOLTIP;
    return {
        id: String(window.get_id()),
        title: (window.get_title() || '').slice(0, MOST_TITLE),
        pid: window.get_pid(),
        className: (window.get_wm_class() || '').slice(0, MOST_TITLE),
        instanceName: (window.get_wm_class_instance() || '').slice(0, MOST_TITLE),
        isX11,
        stacking,
        frame: box(frame),
        client: box(client),
        active: window.has_focus(),
        minimized: window.minimized,
        maximized: isMaximized(window),
        fullscreen: window.is_fullscreen(),
        modal: type === Meta.WindowType.MODAL_DIALOG,
        parent: parent ? String(parent.get_id()) : null,
        isUser: USER_TYPES.includes(type),
        isPopup: MENU_TYPES.includes(type) || isTooltip,
        isTooltip,
        isShown: isShown(window),
        canMove: window.allows_move(),
        canResize: window.allows_resize(),
        canMaximize: window.can_maximize(),
        canMinimize: window.can_minimize(),
        canClose: window.can_close(),
    };
}

function windows() {
    // Lowest first.
    return global.get_window_actors().map(actor => actor.meta_window).filter(window => window !== null);
}

function find(id) {
    return windows().find(window => String(window.get_id()) === id);
}

const REQUESTS = {
    focus: window => Main.activateWindow(window),
    minimize: window => window.minimize(),
    maximize: window => {
        window.unminimize();
        window.maximize(Meta.MaximizeFlags.BOTH);
    },
    restore: window => {
        if (window.minimized)
            window.unminimize();
        else if (window.is_fullscreen())
            window.unmake_fullscreen();
        else if (isMaximized(window))
            window.unmaximize(Meta.MaximizeFlags.BOTH);
    },
    place: (window, {x, y, width, height}) => {
        const {width: oldWidth, height: oldHeight} = window.get_frame_rect();
        if (width === oldWidth && height === oldHeight)
            window.move_frame(true, x, y);
        else
            window.move_resize_frame(true, x, y, width, height);
    },
    close: window => window.delete(global.get_current_time()),
};

function refuse(invocation, name, message) {
    invocation.return_dbus_error(INTERFACE + '.Error.' + name, message);
}

function give(invocation, stream) {
    stream.close(null);
    const type = new GLib.VariantType('ay');
    const picture = GLib.Variant.new_from_bytes(type, stream.steal_as_bytes(), true);
    invocation.return_value(GLib.Variant.new_tuple([picture]));
}

class Deskterity {
    constructor(folder) {
        this._folder = folder;
    }

    enable() {
        this.Version = ${EXTENSION_VERSION};
        this.Challenge = randomText();
        /** Watches by the names of the programs that were admitted. */
        this._admitted = new Map();
        this._object = Gio.DBusExportedObject.wrapJSObject(DESCRIPTION, this);
        this._object.export(Gio.DBus.session, PATH);
        this._listening = [
            global.display.connect('window-created', (display, window) => {
                this._tell('window-opened', window);
                this._follow(window);
            }),
            global.display.connect('notify::focus-window', () => this._tell('active-changed', global.display.focus_window)),
            global.display.connect('restacked', () => this._tell('window-changed', null)),
        ];
        /** The handler of each window that reports when it closes. */
        this._ends = new Map();
        for (const actor of global.get_window_actors())
            this._follow(actor.meta_window);
        this._object.emit_signal('Ready', null);
    }

    disable() {
        for (const each of this._listening)
            global.display.disconnect(each);
        for (const [window, end] of this._ends)
            window.disconnect(end);
        this._ends.clear();
        for (const watch of this._admitted.values())
            Gio.DBus.session.unwatch_name(watch);
        this._object.unexport();
        this._listening = [];
        this._admitted = new Map();
        this._object = null;
    }

    _follow(window) {
        this._ends.set(window, window.connect('unmanaged', () => {
            this._ends.delete(window);
            this._tell('window-closed', window);
        }));
    }

    _tell(kind, window) {
        if (this._object === null)
            return;
        const id = window ? String(window.get_id()) : '';
        for (const name of this._admitted.keys())
            Gio.DBus.session.emit_signal(name, PATH, INTERFACE, 'Changed', new GLib.Variant('(ss)', [kind, id]));
    }

    _secret() {
        const [, content] = GLib.file_get_contents(this._folder + '/${SECRET_FILE}');
        return content;
    }

    /** The proof is bound to the name of the sender, which the bus assigns, and to this login, so nobody else can use it, or use it again. */
    AdmitAsync([proof], invocation) {
        try {
            const sender = invocation.get_sender();
            const message = new TextEncoder().encode(this.Challenge + ' ' + sender);
            const wanted = GLib.compute_hmac_for_bytes(GLib.ChecksumType.SHA256,
                new GLib.Bytes(this._secret()), new GLib.Bytes(message));
            if (!isSame(proof, wanted)) {
                refuse(invocation, 'Denied', 'the proof is wrong');
                return;
            }
            this._requireSameUser(sender, isTheirs => {
                if (!isTheirs || this._object === null) {
                    refuse(invocation, 'Denied', 'the program is not of this user');
                } else if (this._admitted.size >= MOST_ADMITTED && !this._admitted.has(sender)) {
                    refuse(invocation, 'Denied', 'too many programs are connected');
                } else {
                    this._admit(sender);
                    invocation.return_value(null);
                }
            });
        } catch (error) {
            refuse(invocation, 'Denied', String(error));
        }
    }

    _requireSameUser(sender, done) {
        Gio.DBus.session.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'GetConnectionUnixUser',
            new GLib.Variant('(s)', [sender]), new GLib.VariantType('(u)'), Gio.DBusCallFlags.NONE, 5000, null,
            (connection, result) => {
                let user = -1;
                try {
                    user = connection.call_finish(result).deepUnpack()[0];
                } catch (error) {
                    // It has left.
                }
                done(user === new Gio.Credentials().get_unix_user());
            });
    }

    _admit(sender) {
        if (this._admitted.has(sender))
            return;
        this._admitted.set(sender, Gio.DBus.session.watch_name(sender, Gio.BusNameWatcherFlags.NONE, null, () => {
            const watch = this._admitted.get(sender);
            this._admitted.delete(sender);
            if (watch)
                Gio.DBus.session.unwatch_name(watch);
        }));
    }

    /** Answers with what "work" returns, unless it is undefined: then "work" does. */
    _serve(invocation, work) {
        if (!this._admitted.has(invocation.get_sender())) {
            refuse(invocation, 'Denied', 'the program was not admitted');
            return;
        }
        try {
            const answer = work();
            if (answer !== undefined)
                invocation.return_value(new GLib.Variant('(s)', [JSON.stringify(answer)]));
        } catch (error) {
            refuse(invocation, 'Failed', String(error));
        }
    }

    ListAsync(parameters, invocation) {
        this._serve(invocation, () => ({
            windows: windows().map(describe),
            isCovered: Main.overview.visible,
        }));
    }

    /** What a click would reach. */
    AtAsync([x, y], invocation) {
        this._serve(invocation, () => {
            const found = global.stage.get_actor_at_pos(Clutter.PickMode.REACTIVE, x, y);
            for (let actor = found; actor; actor = actor.get_parent()) {
                if (actor instanceof Meta.WindowActor && actor.meta_window)
                    return {kind: 'window', id: String(actor.meta_window.get_id())};
                if (actor === global.window_group || actor === global.stage && found === actor)
                    return {kind: 'none'};
            }
            return {kind: found ? 'shell' : 'none'};
        });
    }

    ControlAsync([request], invocation) {
        this._serve(invocation, () => {
            const {id, kind, frame} = JSON.parse(request);
            const window = find(id);
            if (!window)
                return {isMissing: true};
            if (!Object.prototype.hasOwnProperty.call(REQUESTS, kind))
                return {complaint: 'unknown request'};
            REQUESTS[kind](window, frame);
            return {};
        });
    }

    CaptureAreaAsync([x, y, width, height], invocation) {
        this._serve(invocation, () => {
            const stream = Gio.MemoryOutputStream.new_resizable();
            new Shell.Screenshot().screenshot_area(x, y, width, height, stream, (shot, result) => {
                try {
                    shot.screenshot_area_finish(result);
                    give(invocation, stream);
                } catch (error) {
                    refuse(invocation, 'Failed', String(error));
                }
            });
        });
    }

    /** A window as its client draws it, also where others cover it. */
    CaptureWindowAsync([id], invocation) {
        this._serve(invocation, () => {
            const window = find(id);
            if (!window) {
                refuse(invocation, 'Missing', 'there is no such window');
                return;
            }
            const content = window.get_compositor_private().paint_to_content(null);
            const [, width, height] = content.get_preferred_size();
            const stream = Gio.MemoryOutputStream.new_resizable();
            Shell.Screenshot.composite_to_stream(content.get_texture(), 0, 0, width, height, 1, null, 0, 0, 1, stream,
                (source, result) => {
                    try {
                        Shell.Screenshot.composite_to_stream_finish(result);
                        give(invocation, stream);
                    } catch (error) {
                        refuse(invocation, 'Failed', String(error));
                    }
                });
        });
    }
}
`;
