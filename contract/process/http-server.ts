import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Why a connection was closed: too many pipelined requests, or the client does not read the
 * answer.
 */
export type CloseReason = "pipelined" | "unread";

/** Browsers and proxies wait for an answer before they send the next request. */
const MOST_WAITING = 20;
/** Milliseconds during which the client read nothing of an answer. */
const UNREAD_FOR = 20_000;

/**
 * Also after a final answer (`connection: close`) that is still being sent: nothing follows it.
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
  const letGo = (socket: Socket, reason: CloseReason) => {
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
    // Node does not report requests that it has not started to parse.
    const drop = () => void response.emit("close");
    const line = waiting.get(socket);
    if (line && line.length >= MOST_WAITING && !hasEnded(socket)) letGo(socket, "pipelined");
    if (hasEnded(socket)) return process.nextTick(drop);
    if (line) return line.push({ begin, drop });
    waiting.set(socket, []);
    return begin();
  };
  const server = createServer(options, (request, response) => void take(request, response));
  // It fires when nothing was sent or received, also while an answer is still being produced.
  server.setTimeout(unreadFor, (socket) => {
    if (!waiting.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) letGo(socket, "unread");
  });
  return server;
}
