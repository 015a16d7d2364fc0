// A WebSocket that reconnects: it sends heartbeats, notices a dead connection, and retries.

const PING_EVERY = 2500;
const DEAD_AFTER = 9000;
const FIRST_RETRY = 300;
const SLOWEST_RETRY = 5000;

// Retrying after these close codes is pointless: bad token, no such match. An `error` message came before.
const FINAL_CODES = new Set([4401, 4404]);

/**
 * @param {string} path
 * @param {object} handlers
 * @param {(message: any) => void} handlers.onMessage
 * @param {(connected: boolean, isFinal: boolean) => void} handlers.onConnection isFinal: there will be no retry
 * @param {() => object | null} [handlers.heartbeat] returns the ping to send; leave it out if the server expects none
 * @returns {{send: (message: object) => boolean, reconnect: () => void, close: () => void}} `send` returns false while
 * offline
 */
export function connect(path, { onMessage, onConnection, heartbeat }) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  /** @type {WebSocket | null} */
  let socket = null;
  let lastHeard = 0;
  let retryDelay = FIRST_RETRY;
  let isFinal = false;
  /** @type {number | undefined} */
  let retryTimer;
  const listeners = new AbortController();

  function open() {
    clearTimeout(retryTimer);
    const opened = new WebSocket(url);
    socket = opened;
    lastHeard = Date.now();
    opened.onopen = () => {
      if (opened !== socket) return;
      lastHeard = Date.now();
      onConnection(true, false);
    };
    opened.onmessage = (event) => {
      if (opened !== socket) return;
      lastHeard = Date.now();
      const message = JSON.parse(event.data);
      // A server that accepts the socket only to send an error must not be retried faster and faster.
      if (message.type !== "error") retryDelay = FIRST_RETRY;
      onMessage(message);
    };
    opened.onclose = (event) => {
      if (opened !== socket) return;
      socket = null;
      isFinal = FINAL_CODES.has(event.code);
      onConnection(false, isFinal);
      if (isFinal) return;
      // Random, so that after a restart not all pages reconnect in the same moment.
      retryTimer = setTimeout(open, retryDelay * (0.5 + Math.random()));
      retryDelay = Math.min(SLOWEST_RETRY, retryDelay * 2);
    };
  }

  /** Replace a socket that is silent: the browser itself may take minutes to notice that it is dead. */
  function replaceSocket() {
    const dead = socket;
    socket = null;
    if (dead) {
      dead.onclose = null;
      dead.close();
    }
    onConnection(false, false);
    open();
  }

  /** @param {object} message */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function beat() {
    if (isFinal || !heartbeat) return;
    if (socket && Date.now() - lastHeard > DEAD_AFTER) return replaceSocket();
    const ping = heartbeat();
    if (ping) send(ping);
  }

  /** The device is online or the page visible again: check the connection now instead of waiting. */
  function checkNow() {
    if (isFinal) return;
    if (!socket) {
      retryDelay = FIRST_RETRY;
      open();
    } else if (heartbeat) {
      beat();
    } else if (Date.now() - lastHeard > DEAD_AFTER) {
      // Without a heartbeat we can't tell whether it is still alive.
      replaceSocket();
    }
  }

  /** Disconnect for good. */
  function close() {
    isFinal = true;
    listeners.abort();
    clearInterval(heartbeatTimer);
    clearTimeout(retryTimer);
    const closing = socket;
    socket = null;
    closing?.close();
  }

  const heartbeatTimer = setInterval(beat, PING_EVERY);
  addEventListener("online", checkNow, listeners);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (!document.hidden) checkNow();
    },
    listeners,
  );
  open();
  return { send, reconnect: replaceSocket, close };
}
