import type { Server, ServerResponse } from "node:http";

/** In each of them the system hands over one connection that waits. */
const TURNS = 50;
const LONGEST = 1_000;

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
 * Watches a server's answers from now on. What comes back resolves when nothing is left of those that were
 * ended: a server that closes takes such a connection for an idle one, and cuts a long answer off whose
 * reader is slow.
 */
export function watchAnswers(server: Pick<Server, "on">): () => Promise<void> {
  const open = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  return async () => {
    for (;;) {
      const unsent = [...open].filter(({ writableEnded }) => writableEnded);
      if (unsent.length === 0) return;
      await Promise.all(
        unsent.map((one) => new Promise((resolve) => one.once("close", resolve))),
      );
    }
  };
}
