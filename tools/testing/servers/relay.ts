import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay {
  /** The URL of the database through the relay. */
  url: string;
  /** Drops all traffic of the open connections without closing them; new connections work. */
  silence: () => void;
  close: () => Promise<void>;
}

/** A relay between a program and its database that can go silent, as a router that drops connections. */
export async function startRelay(databaseUrl: string): Promise<Relay> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
