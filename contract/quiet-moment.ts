import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** In each of them the system hands over one connection that waits. */
const TURNS = 50;
const LONGEST = 1_000;
/** So long after it has connected, a proxy may still be about to send. */
const ABOUT_TO_SEND = 250;
const LOOK_EVERY = 5;

/**
 * Resolves when nothing waits to be taken: a server that closes at once then cuts nobody off. The system
 * resets what it has accepted and the process has not, though its sender believes it arrived.
 */
export async function quietMoment(server: Pick<Server, "on" | "off">): Promise<void> {
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
 * Watches a server from now on. What comes back resolves in a quiet moment in which nobody who has just
 * connected is about to send, and nothing is left of the answers that were ended: a server that closes takes
 * both connections for idle ones, and cuts off the request or the end of the answer.
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
    await quietMoment(server);
    while (isNeeded()) {
      await delay(LOOK_EVERY);
      await quietMoment(server);
    }
  };
}
