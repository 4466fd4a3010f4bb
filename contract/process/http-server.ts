import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Why a connection was let go: more requests at once than anybody sends, or nobody takes the answer. */
export type LetGo = "pipelined" | "unread";

/** Browsers and proxies send the next request when they have the answer to the last. */
const MOST_WAITING = 20;
/** Milliseconds in which nothing of an answer was taken. */
const UNREAD_FOR = 20_000;

/** Also behind a last answer (`connection: close`) that is still on its way: nothing follows it. */
const hasEnded = (socket: Socket) => !socket.writable;

/**
 * A server that answers what one connection asks one after the other, and lets go of whoever does not
 * read: what an answer holds (memory, an open file), a connection holds once, and not for good.
 */
export function createFairServer(
  options: ServerOptions,
  answer: Answer,
  tell: (reason: LetGo) => void,
  { unreadFor = UNREAD_FOR } = {},
): Server {
  const waiting = new WeakMap<Socket, { begin: () => void; drop: () => void }[]>();
  const letGo = (socket: Socket, reason: LetGo) => {
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
    // Node tells it of none that was not yet begun.
    const drop = () => void response.emit("close");
    const line = waiting.get(socket);
    if (line && line.length >= MOST_WAITING && !hasEnded(socket)) letGo(socket, "pipelined");
    if (hasEnded(socket)) return process.nextTick(drop);
    if (line) return line.push({ begin, drop });
    waiting.set(socket, []);
    return begin();
  };
  const server = createServer(options, (request, response) => void take(request, response));
  // It passes when nothing came or went, also while an answer is still being made.
  server.setTimeout(unreadFor, (socket) => {
    if (!waiting.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) letGo(socket, "unread");
  });
  return server;
}
