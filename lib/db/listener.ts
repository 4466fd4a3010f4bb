import "server-only";
import pg from "pg";

interface Heard {
  /** Called at each connection, because notifications before it were missed. */
  onConnect: () => void;
  onLost?: () => void;
  onNotice: (payload: string) => void;
}

export interface Listener {
  close: () => Promise<void>;
}

const AGAIN_AFTER = 1_000;
/** Milliseconds between pings, which reveal a dead connection. */
const PING_EVERY = 10_000;
const TIMEOUT_MS = 5_000;

/** Listens to a channel on its own connection, and reconnects. */
export function listenTo(
  connectionString: string,
  channel: string,
  heard: Heard,
  { pingEvery = PING_EVERY, timeout = TIMEOUT_MS } = {},
): Listener {
  let isClosed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = () => {
    const fresh = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      application_name: `duebook ${channel}`,
    });
    let wasHeard = false;
    let ping: NodeJS.Timeout | undefined;
    client = fresh;
    const end = () => void fresh.end().catch(() => {});
    fresh.on("error", end);
    fresh.on("notification", ({ payload = "" }) => heard.onNotice(payload));
    const leave = () => {
      if (client !== fresh) return;
      client = null;
      clearInterval(ping);
      if (wasHeard) heard.onLost?.();
      if (!isClosed) timer = setTimeout(connect, AGAIN_AFTER).unref();
    };
    fresh.once("end", leave);
    fresh
      .connect()
      .then(() => fresh.query(`listen ${channel}`))
      .then(() => {
        wasHeard = true;
        ping = setInterval(() => void fresh.query("select 1").catch(end), pingEvery).unref();
        heard.onConnect();
      })
      .catch(() => {
        end();
        leave();
      });
  };
  connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
