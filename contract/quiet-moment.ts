import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Turns of the event loop; the system hands over one waiting connection in each. */
const TURNS = 50;
const LONGEST = 1_000;
/** Milliseconds after connecting during which a proxy may still be about to send. */
const ABOUT_TO_SEND = 250;
const LOOK_EVERY = 5;

/**
 * Resolves when no connection waits to be accepted, so that a server that closes then
 * interrupts nobody. The system resets connections that it has accepted and the process has
 * not, although their senders believe the request arrived.
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
    await quietMoment(server);
    while (isNeeded()) {
      await delay(LOOK_EVERY);
      await quietMoment(server);
    }
  };
}
