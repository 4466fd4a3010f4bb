import type { Server } from "node:http";

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
