// A socket that stays connected: it beats, notices silence, and comes back by itself.

const PING_EVERY = 2500;
const SILENT_AFTER = 9000;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

// Close codes after which trying again makes no sense; an `error` with the reason came before.
const FINAL = new Set([4401, 4404]);

/**
 * @param {string} path
 * @param {object} handlers
 * @param {(message: any) => void} handlers.message
 * @param {(connected: boolean, over: boolean) => void} handlers.connection over: it will not come back
 * @param {() => object | null} [handlers.heartbeat] the ping to send; none means the server only talks
 * @returns {{send: (message: object) => boolean, close: () => void}}
 */
export function connect(path, handlers) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  /** @type {WebSocket | null} */
  let socket = null;
  let heard = 0;
  let pause = FIRST_PAUSE;
  let over = false;
  /** @type {number | undefined} */
  let retry;
  const leaving = new AbortController();

  function open() {
    clearTimeout(retry);
    const own = new WebSocket(url);
    socket = own;
    heard = Date.now();
    own.onopen = () => {
      if (own !== socket) return;
      heard = Date.now();
      handlers.connection(true, false);
    };
    own.onmessage = (event) => {
      if (own !== socket) return;
      heard = Date.now();
      const message = JSON.parse(event.data);
      // A server that opens only to say no must not be asked again at once.
      if (message.type !== "error") pause = FIRST_PAUSE;
      handlers.message(message);
    };
    own.onclose = (event) => {
      if (own !== socket) return;
      socket = null;
      over = FINAL.has(event.code);
      handlers.connection(false, over);
      if (over) return;
      // Not all at once: after a restart everybody comes back.
      retry = setTimeout(open, pause * (0.5 + Math.random()));
      pause = Math.min(LONGEST_PAUSE, pause * 2);
    };
  }

  /** Drop a connection that is silent; the browser itself may take minutes to notice. */
  function abandon() {
    const silent = socket;
    socket = null;
    if (silent) {
      silent.onclose = null;
      silent.close();
    }
    handlers.connection(false, false);
    open();
  }

  /** @param {object} message */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function beat() {
    if (over || !handlers.heartbeat) return;
    if (socket && Date.now() - heard > SILENT_AFTER) return abandon();
    const ping = handlers.heartbeat();
    if (ping) send(ping);
  }

  function comeBack() {
    if (over) return;
    if (!socket) {
      pause = FIRST_PAUSE;
      open();
    } else if (handlers.heartbeat) {
      beat();
    } else if (Date.now() - heard > SILENT_AFTER) {
      // Without a heartbeat nobody can tell whether it still lives.
      abandon();
    }
  }

  /** Leave for good. */
  function close() {
    over = true;
    leaving.abort();
    clearInterval(beating);
    clearTimeout(retry);
    const last = socket;
    socket = null;
    last?.close();
  }

  const beating = setInterval(beat, PING_EVERY);
  addEventListener("online", comeBack, leaving);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (!document.hidden) comeBack();
    },
    leaving,
  );
  open();
  return { send, close };
}
