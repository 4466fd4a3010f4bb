import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Why a connection was closed: too many pipelined requests, or the client does not read the
 * answer.
 */
type CloseReason = "pipelined" | "unread";

/**
 * The most waiting requests of a connection; browsers and proxies wait for an answer before they
 * send another.
 */
const MOST_WAITING = 20;
/** Milliseconds after which a client that reads nothing of an answer is disconnected. */
const UNREAD_FOR = 20_000;

/**
 * Whether nothing can follow on the connection, also while its final answer (`connection: close`)
 * is still being sent.
 */
const hasEnded = (socket: Socket) => !socket.writable;

/**
 * Answers the requests of one connection one after the other, and closes connections of clients
 * that do not read, so that the memory and files an answer holds are limited per connection and
 * released eventually.
 */
export function createFairServer(
  options: ServerOptions,
  answer: Answer,
  tell: (reason: CloseReason) => void,
  { unreadFor = UNREAD_FOR } = {},
): Server {
  const waiting = new WeakMap<Socket, { begin: () => void; drop: () => void }[]>();
  const closeFor = (socket: Socket, reason: CloseReason) => {
    tell(reason);
    socket.destroy();
  };
  const next = (socket: Socket) => {
    const line = waiting.get(socket) ?? [];
    if (hasEnded(socket)) for (const { drop } of line.splice(0)) drop();
    const first = line.shift();
    if (first) first.begin();
    else waiting.delete(socket);
  };
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const begin = () => {
      response.once("close", () => next(socket));
      answer(request, response);
    };
    // Node emits no `close` for an answer whose turn on the connection has not come.
    const drop = () => void response.emit("close");
    const line = waiting.get(socket);
    if (line && line.length >= MOST_WAITING && !hasEnded(socket)) closeFor(socket, "pipelined");
    if (hasEnded(socket)) return process.nextTick(drop);
    if (line) return line.push({ begin, drop });
    waiting.set(socket, []);
    return begin();
  };
  const server = createServer(options, (request, response) => void take(request, response));
  // The timeout fires when nothing was sent or received, also while an answer is still being
  // produced.
  server.setTimeout(unreadFor, (socket) => {
    if (!waiting.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) closeFor(socket, "unread");
  });
  return server;
}

/**
 * Turns of the event loop to wait, because the system hands over one waiting connection in each.
 */
const TURNS = 50;
const LONGEST = 1_000;
/** Milliseconds after connecting during which a proxy may still be about to send. */
const ABOUT_TO_SEND = 250;
const LOOK_EVERY = 5;

/**
 * Resolves when no connection waits to be accepted, or after a second, so that a server that closes
 * then interrupts nobody. The system resets connections that it has accepted and the process has
 * not, although their senders believe the request arrived.
 */
export async function waitForNoPendingConnections(
  server: Pick<Server, "on" | "off">,
): Promise<void> {
  let isNew = false;
  const hear = () => {
    isNew = true;
  };
  server.on("connection", hear).on("request", hear);
  const end = performance.now() + LONGEST;
  for (let quiet = 0; quiet < TURNS && performance.now() < end; quiet = isNew ? 0 : quiet + 1) {
    isNew = false;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  server.off("connection", hear).off("request", hear);
}

/**
 * Watches a server. The returned function resolves at a moment when no new connection is about
 * to send and every finished answer is flushed: a closing server takes such connections for
 * idle ones and would cut off the request or the end of the answer.
 */
export function watchServer(server: Server): () => Promise<void> {
  const unsent = new Set<ServerResponse>();
  const silent = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    silent.set(socket, performance.now());
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    silent.delete(socket);
    unsent.add(response);
    response.once("close", () => unsent.delete(response));
  });
  const isNeeded = () =>
    [...unsent].some(({ writableEnded }) => writableEnded) ||
    [...silent.values()].some((since) => performance.now() - since < ABOUT_TO_SEND);
  return async () => {
    await waitForNoPendingConnections(server);
    while (isNeeded()) {
      await delay(LOOK_EVERY);
      await waitForNoPendingConnections(server);
    }
  };
}
