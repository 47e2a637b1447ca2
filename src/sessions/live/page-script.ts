/** What the page shows: the stream of the session, drawn as it comes. Every text from outside is set as text, never as markup. */
const SHOWING = `
  const base = location.pathname, at = (id) => document.getElementById(id);
  const screen = at('screen'), context = screen.getContext('2d', { alpha: false });
  const [stage, room, mark, label, who, note, take, give, typing, acts] =
    ['stage', 'room', 'mark', 'label', 'who', 'note', 'take', 'give', 'typing', 'acts'].map(at);
  let page = '', control = { who: 'agent' };
  const leaving = matchMedia('(pointer: coarse)').matches
    ? 'Hold for the right button; two fingers scroll.' : 'Ctrl+Alt+Enter leaves the screen.';
  const say = (text) => { note.textContent = text; };

  const fit = () => {
    const scale = Math.min((room.clientWidth - 10) / screen.width, (room.clientHeight - 10) / screen.height, 2);
    stage.style.width = Math.max(1, Math.floor(screen.width * scale)) + 'px';
    stage.style.height = Math.max(1, Math.floor(screen.height * scale)) + 'px';
  };
  new ResizeObserver(fit).observe(room);

  const share = (length, whole) => (100 * length / whole) + '%';
  const kinds = { confirmed: 'good', unverified: 'unsure', done: 'done' };
  const kindOf = ({ outcome }) => outcome === undefined ? 'running' : kinds[outcome] ?? 'bad';
  const targetOf = ({ role = '', name }) => (role + (name === undefined ? '' : ' “' + name + '”')).trim();
  const wordsOf = (act) => [act.command, targetOf(act)].filter(Boolean).join(' ');
  const outcomeOf = ({ outcome }) => outcome === undefined ? 'under way' : outcome.replaceAll('_', ' ').toLowerCase();

  const showAct = (act) => {
    const known = acts.querySelector('[data-id="' + Number(act.id) + '"]');
    const row = known ?? document.createElement('li');
    row.dataset.id = Number(act.id);
    row.className = kindOf(act);
    const [what, how, when] = ['span', 'b', 'time'].map((tag) => document.createElement(tag));
    what.textContent = wordsOf(act);
    how.textContent = outcomeOf(act);
    when.textContent = new Date(act.at).toLocaleTimeString();
    row.replaceChildren(when, ' ', what, ' ', how);
    if (!known) acts.prepend(row);
    while (acts.children.length > 12) acts.lastChild.remove();
    if (act.place === undefined) return;
    const { x, y, width, height } = act.place;
    Object.assign(mark.style, {
      left: share(x, screen.width), top: share(y, screen.height),
      width: share(width, screen.width), height: share(height, screen.height),
    });
    mark.className = kindOf(act) + (x > screen.width / 2 ? ' left' : '') + (y + height > screen.height * 0.8 ? ' above' : '');
    label.textContent = wordsOf(act) + ' · ' + outcomeOf(act);
    mark.hidden = false;
    // Starts its fading anew.
    mark.getAnimations({ subtree: true }).forEach((animation) => { animation.cancel(); animation.play(); });
  };

  const showControl = (message) => {
    const wasMine = control.who === 'you';
    control = message;
    const since = message.since === undefined ? '' : ' since ' + new Date(message.since).toLocaleTimeString();
    who.textContent = {
      agent: 'The agent has control.',
      you: 'You have control.',
      person: 'A person has control' + since + '.',
      nobody: 'Acting is stopped' + since + (message.by === undefined ? '' : ' by ' + message.by) + '.',
    }[message.who];
    document.body.dataset.who = message.who;
    take.hidden = !message.mayTakeOver || message.who === 'you';
    take.textContent = message.who === 'person' ? 'Continue here' : 'Take over';
    give.hidden = !message.mayHandBack;
    typing.disabled = message.who !== 'you';
    if (message.who === 'you') mark.hidden = true;
    if (message.who === 'you' && !wasMine) { say(leaving); typing.focus(); }
    if (message.who !== 'you' && wasMine) { pending = []; say(''); }
  };

  const told = {
    hello: (message) => { page = message.page; say(''); },
    size: ({ width, height }) => {
      if (screen.width === width && screen.height === height) return;
      Object.assign(screen, { width, height });
      fit();
    },
    control: showControl,
    act: showAct,
    problem: ({ text }) => say(text),
    picture: ({ number }) => post({ type: 'seen', number }),
    ping: () => post({ type: 'seen', number: 0 }),
    over: () => { isOver = true; },
  };
  let isOver = false;

  const draw = async (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const bitmap = await createImageBitmap(new Blob([bytes.subarray(16)], { type: 'image/png' }));
    context.drawImage(bitmap, view.getUint32(0), view.getUint32(4));
    bitmap.close();
  };
  const read = async (type, bytes) => {
    if (type === 0x50) return draw(bytes);
    const message = JSON.parse(new TextDecoder().decode(bytes));
    return told[message.kind]?.(message);
  };

  const follow = async (body) => {
    const reader = body.getReader();
    let left = new Uint8Array(0);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const all = new Uint8Array(left.length + value.length);
      all.set(left);
      all.set(value, left.length);
      left = all;
      while (left.length >= 5) {
        const length = new DataView(left.buffer, left.byteOffset).getUint32(1);
        if (left.length < 5 + length) break;
        await read(left[0], left.subarray(5, 5 + length));
        left = left.subarray(5 + length);
      }
    }
  };

  const watch = async () => {
    for (;;) {
      try {
        const response = await fetch(base + '/stream', { cache: 'no-store' });
        if (response.status === 404) isOver = true;
        if (response.ok) await follow(response.body);
      } catch { /* tried again below */ }
      page = '';
      if (isOver) break;
      showControl({ who: control.who === 'you' ? 'person' : control.who });
      say('No connection. Trying again.');
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    showControl({ who: 'agent' });
    who.textContent = 'The session has ended.';
    say('');
  };

  const send = async (messages) => {
    try {
      const body = JSON.stringify(messages);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(base + '/send?' + page, { method: 'POST', headers, body });
      if (!answer.ok) say((await answer.text()).trim());
    } catch { /* the stream ends as well, and reports it */ }
  };
  const post = (message) => send([message]);
  take.onclick = () => post({ type: 'take-over' });
  give.onclick = () => post({ type: 'hand-back' });
`;

/** What a person does, sent as soon as the last part has been carried out: moves in between become one. */
const ACTING = `
  let pending = [], isSending = false;
  const flush = async () => {
    if (isSending) return;
    isSending = true;
    while (pending.length > 0 && page !== '') await send([{ type: 'input', events: pending.splice(0, 200) }]);
    isSending = false;
  };
  const act = (event) => {
    if (control.who !== 'you') return;
    const last = pending.at(-1);
    if (event.type === 'move' && last?.type === 'move') pending.pop();
    if (event.type === 'text' && last?.type === 'text') { last.text += event.text; event = undefined; }
    if (event !== undefined) pending.push(event);
    flush();
  };

  const limit = (value) => Math.min(1, Math.max(0, value));
  const place = ({ clientX, clientY }) => {
    const box = screen.getBoundingClientRect();
    return { x: limit((clientX - box.left) / box.width), y: limit((clientY - box.top) / box.height) };
  };
  const modsOf = (event) => event.getModifierState('AltGraph') ? [] : [
    event.ctrlKey && 'Control', event.altKey && 'Alt', event.shiftKey && 'Shift', event.metaKey && 'Meta',
  ].filter(Boolean);
  const buttons = ['left', 'middle', 'right'];
  const pointer = (type, event, more = {}) => act({ type, ...place(event), mods: modsOf(event), ...more });

  // One finger taps, drags, or presses long for the right button; two scroll.
  const fingers = new Map();
  let gesture = '', hold;
  const touch = {
    pointerdown: (event) => {
      fingers.set(event.pointerId, event);
      clearTimeout(hold);
      if (fingers.size > 1) { gesture = gesture === 'drag' ? gesture : 'scroll'; return; }
      gesture = 'tap';
      hold = setTimeout(() => {
        gesture = 'done';
        pointer('down', event, { button: 'right' });
        pointer('up', event, { button: 'right' });
      }, 600);
    },
    pointermove: (event) => {
      const start = fingers.get(event.pointerId);
      if (start === undefined) return;
      const [across, down] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (gesture === 'scroll') {
        if (Math.abs(down) < 30) return;
        fingers.set(event.pointerId, event);
        pointer('wheel', event, { across: 0, down: down > 0 ? -1 : 1 });
      } else if (gesture === 'tap' && Math.hypot(across, down) > 8) {
        clearTimeout(hold);
        gesture = 'drag';
        pointer('down', start, { button: 'left' });
      }
      if (gesture === 'drag') pointer('move', event);
    },
    pointerup: (event) => {
      clearTimeout(hold);
      if (gesture === 'tap') { pointer('down', event, { button: 'left' }); typing.focus(); }
      if (gesture === 'tap' || gesture === 'drag') pointer('up', event, { button: 'left' });
      fingers.delete(event.pointerId);
      if (fingers.size === 0) gesture = '';
      else if (gesture !== 'scroll') gesture = 'done';
    },
  };
  const mouse = {
    pointerdown: (event) => {
      if (control.who !== 'you' || buttons[event.button] === undefined) return;
      event.preventDefault();
      screen.setPointerCapture(event.pointerId);
      typing.focus();
      pointer('down', event, { button: buttons[event.button] });
    },
    pointermove: (event) => pointer('move', event),
    pointerup: (event) => { if (buttons[event.button]) pointer('up', event, { button: buttons[event.button] }); },
  };
  for (const type of ['pointerdown', 'pointermove', 'pointerup'])
    screen.addEventListener(type, (event) => (event.pointerType === 'touch' ? touch : mouse)[type](event));
  screen.addEventListener('pointercancel', () => { clearTimeout(hold); fingers.clear(); gesture = ''; act({ type: 'release' }); });
  // After a touch, this would take the focus from the text field.
  screen.addEventListener('mousedown', (event) => { if (control.who === 'you') event.preventDefault(); });
  screen.addEventListener('contextmenu', (event) => { if (control.who === 'you') event.preventDefault(); });
  let [turnedAcross, turnedDown] = [0, 0];
  screen.addEventListener('wheel', (event) => {
    if (control.who !== 'you') return;
    event.preventDefault();
    const notch = [100, 3, 1][event.deltaMode];
    turnedAcross += event.deltaX / notch;
    turnedDown += event.deltaY / notch;
    const [across, down] = [turnedAcross, turnedDown].map((turned) => Math.max(-30, Math.min(30, Math.trunc(turned))));
    turnedAcross -= across;
    turnedDown -= down;
    if (across !== 0 || down !== 0) pointer('wheel', event, { across, down });
  }, { passive: false });

  // Keys go to a text field, so that input methods and the keyboards of phones work. It holds one space, so that deleting can be noticed.
  const modifiers = ['Control', 'Alt', 'Shift', 'Meta'];
  let alone = '';
  typing.addEventListener('keydown', (event) => {
    const { key } = event;
    if (event.isComposing || ['Process', 'Unidentified', 'Dead', 'AltGraph'].includes(key)) return;
    if (key === 'Enter' && event.ctrlKey && event.altKey) { event.preventDefault(); act({ type: 'release' }); give.focus(); return; }
    event.preventDefault();
    alone = modifiers.includes(key) && !event.repeat ? key : '';
    if (modifiers.includes(key)) return;
    const mods = modsOf(event);
    const isText = [...key].length === 1 && mods.every((mod) => mod === 'Shift');
    act(isText ? { type: 'text', text: key } : { type: 'key', key, mods });
  });
  typing.addEventListener('keyup', ({ key }) => {
    if (key === alone && key !== 'Shift') act({ type: 'key', key, mods: [] });
    alone = '';
  });
  const typed = () => {
    const text = typing.value.replace(/^ /, '');
    if (typing.value === '') act({ type: 'key', key: 'Backspace', mods: [] });
    else if (text !== '') act({ type: 'text', text: text.slice(0, 4000) });
    typing.value = ' ';
  };
  typing.value = ' ';
  typing.addEventListener('input', (event) => { if (!event.isComposing) typed(); });
  typing.addEventListener('compositionend', () => typed());
  typing.addEventListener('blur', () => { alone = ''; act({ type: 'release' }); });
  addEventListener('blur', () => act({ type: 'release' }));
`;

export const SCRIPT = `'use strict';{${SHOWING}${ACTING}watch();}`;
