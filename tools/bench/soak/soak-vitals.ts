import type pg from "pg";
import { singleRow } from "#lib/db/pool.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { median } from "../harness/trend.ts";

/** Memory and counts of one process, from its own metrics. */
export interface Vitals {
  rss: number;
  handles: number;
  /** Seconds of processor time since its start. */
  processor: number;
}

function reportOf(text: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1];
  if (found === undefined) throw new CommandFailure(`there is no ${name} among the metrics.`);
  return Number(found);
}

export async function readMetrics(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok)
    throw new CommandFailure(
      `port ${port} answered a request for metrics with ${answer.status}.`,
    );
  return answer.text();
}

export async function readVitals(metricsPort: number): Promise<Vitals> {
  const text = await readMetrics(metricsPort);
  return {
    rss: reportOf(text, "process_resident_memory_bytes"),
    handles: reportOf(text, "process_open_fds"),
    processor: reportOf(text, "process_cpu_seconds_total"),
  };
}

/** Counts the connections to both programs' databases, without this one. */
export async function countConnections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return singleRow(rows).count;
}

export const medianVital = (samples: Vitals[], key: keyof Vitals) =>
  median(samples.map((sample) => sample[key]));

interface Reply {
  id: number;
  result?: { usedSize?: number };
}

/** Measures the heap of another process through Node's inspector. */
export class RemoteHeap {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  /** Rejects when the other process has ended. */
  readonly #gone: Promise<never>;
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#gone = new Promise((_resolve, reject) => {
      socket.addEventListener("close", () =>
        reject(new CommandFailure("a watched program ended.")),
      );
    });
    this.#gone.catch(() => {});
  }

  static async open(inspectPort: number): Promise<RemoteHeap> {
    const answer = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
    const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new RemoteHeap(socket);
  }

  /** Bytes in use after a full garbage collection. */
  async readLive(): Promise<number> {
    await this.#call("HeapProfiler.collectGarbage");
    const { result } = await this.#call("Runtime.getHeapUsage");
    if (result?.usedSize === undefined)
      throw new CommandFailure("the inspector reports no heap size.");
    return result.usedSize;
  }

  close() {
    this.#socket.close();
  }

  #call(method: string): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    this.#socket.send(JSON.stringify({ id, method }));
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    return Promise.race([reply, this.#gone]);
  }
}
