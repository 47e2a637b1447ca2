/** How the script reaches us. */
export interface ScriptPlace {
  /** Our unique name on the session bus. */
  readonly service: string;
  readonly path: string;
  readonly interface: string;
}

/** After this long without an answer of ours, the script tells nothing more: our process is gone. */
const SILENT_MS = 20_000;

/**
 * The script that KWin runs for us. It asks for a request, carries it out, and sends the answer with its next question; it reads requests as JSON and evaluates
 * nothing. KWin 5 has clients where KWin 6 has windows.
 */
export function scriptSource(place: ScriptPlace): string {
  return `(function () {
  var SERVICE = ${JSON.stringify(place.service)}, PATH = ${JSON.stringify(place.path)}, INTERFACE = ${JSON.stringify(place.interface)};
  var heardAt = Date.now();

  function windows() {
    return workspace.windowList ? workspace.windowList() : workspace.clientList();
  }

  function box(shape) {
    return { x: shape.x, y: shape.y, width: shape.width, height: shape.height };
  }

  function fills(window) {
    var area = workspace.clientArea(KWin.MaximizeArea, window), frame = window.frameGeometry;
    return Math.abs(area.x - frame.x) < 1 && Math.abs(area.y - frame.y) < 1 &&
      Math.abs(area.width - frame.width) < 1 && Math.abs(area.height - frame.height) < 1;
  }

  function isHere(window) {
    if (window.onAllDesktops) return true;
    if (window.desktops && workspace.currentDesktop && typeof workspace.currentDesktop === 'object')
      return window.desktops.indexOf(workspace.currentDesktop) >= 0;
    return window.desktop === workspace.currentDesktop;
  }

  function tell(window) {
    return {
      id: String(window.internalId), title: String(window.caption).slice(0, 1000), pid: window.pid,
      className: String(window.resourceClass).slice(0, 200), active: !!window.active,
      minimized: !!window.minimized, fullscreen: !!window.fullScreen, maximized: fills(window),
      modal: !!window.modal, parent: window.transientFor ? String(window.transientFor.internalId) : null,
      stacking: window.stackingOrder, frame: box(window.frameGeometry), buffer: box(window.bufferGeometry),
      isUser: !!(window.normalWindow || window.dialog || window.utility || window.splash),
      isPopup: !!window.popupWindow, isTooltip: !!window.tooltip, isMenu: !!(window.popupMenu || window.dropdownMenu),
      isShown: !window.minimized && !window.hidden && isHere(window),
      canMove: !!window.moveable, canResize: !!window.resizeable, canMaximize: !!window.maximizable,
      canMinimize: !!window.minimizable, canClose: !!window.closeable
    };
  }

  function find(id) {
    var all = windows();
    for (var at = 0; at < all.length; at++) if (String(all[at].internalId) === id) return all[at];
    return undefined;
  }

  function focus(window) {
    window.minimized = false;
    if (workspace.windowList) workspace.activeWindow = window;
    else workspace.activeClient = window;
  }

  var CHANGES = {
    focus: focus,
    close: function (window) { window.closeWindow(); },
    minimize: function (window) { window.minimized = true; },
    maximize: function (window) { window.minimized = false; window.setMaximize(true, true); },
    restore: function (window) {
      window.minimized = false;
      if (window.fullScreen) window.fullScreen = false;
      window.setMaximize(false, false);
    },
    place: function (window, request) { window.frameGeometry = request.frame; }
  };

  function carryOut(request) {
    if (request.kind === 'list') {
      var all = windows().slice(0, 1000), at = workspace.cursorPos;
      return { windows: all.map(tell), pointer: { x: at.x, y: at.y } };
    }
    var window = find(request.id);
    if (!window) return { isMissing: true };
    if (!CHANGES.hasOwnProperty(request.kind)) return { complaint: 'unknown request' };
    CHANGES[request.kind](window, request);
    return {};
  }

  function ask(answer) {
    callDBus(SERVICE, PATH, INTERFACE, 'Next', answer, function (text) {
      heardAt = Date.now();
      var request = JSON.parse(text), reply;
      if (request.kind === 'wait') return ask('');
      if (request.kind === 'end') { heardAt = 0; return; }
      try { reply = carryOut(request); } catch (error) { reply = { complaint: String(error) }; }
      reply.number = request.number;
      ask(JSON.stringify(reply));
    });
  }

  function report(kind, window) {
    if (Date.now() - heardAt < ${SILENT_MS})
      callDBus(SERVICE, PATH, INTERFACE, 'Event', kind, window ? String(window.internalId) : '');
  }

  function follow(window) {
    var change = function () { report('window-changed', window); };
    ['captionChanged', 'frameGeometryChanged', 'minimizedChanged', 'fullScreenChanged'].forEach(function (name) {
      if (window[name]) window[name].connect(change);
    });
  }

  function on(signal, listener) { if (signal) signal.connect(listener); }
  on(workspace.windowAdded || workspace.clientAdded, function (window) { follow(window); report('window-opened', window); });
  on(workspace.windowRemoved || workspace.clientRemoved, function (window) { report('window-closed', window); });
  on(workspace.windowActivated || workspace.clientActivated, function (window) { report('active-changed', window); });
  windows().forEach(follow);
  ask('');
})();
`;
}
