import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { watchServer } from "#contract/process/http-server.ts";

const ending = new WeakSet<FastifyInstance>();

/** Answers sent while closing also close their connection, which would delay the shutdown. */
export function endConnectionsOnClose(app: FastifyInstance) {
  const settled = watchServer(app.server);
  app.addHook("preClose", async () => {
    ending.add(app);
    if (app.server.listening) await settled();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (ending.has(app)) reply.header("connection", "close");
    done();
  });
}

/** Ends the idle connections of a proxy with one last answer each, before any is closed. */
export async function drainConnections(app: FastifyInstance, milliseconds: number) {
  ending.add(app);
  await delay(milliseconds);
}

/** Closes once, at the first termination signal. */
export function closeOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (isClosing) return;
      isClosing = true;
      void close();
    });
}

/**
 * Runs the closers in order: no new connections, running requests to their end, then their
 * resources.
 * @returns false if that took longer than the limit; the process must then end anyway
 */
export async function closeWithin(
  milliseconds: number,
  closers: (() => Promise<unknown>)[],
): Promise<boolean> {
  const limit = new AbortController();
  const closing = (async () => {
    for (const close of closers) await close();
    return true;
  })();
  const late = delay(milliseconds, false, { signal: limit.signal }).catch(() => false);
  const inTime = await Promise.race([closing, late]);
  limit.abort();
  return inTime;
}
