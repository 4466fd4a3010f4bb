import { connect, type Socket } from "node:net";

export interface LoadMeasurement {
  /** The number of requests per second. */
  rate: number;
  /** The median time of a request in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  requests: number;
}

export interface LoadPlan {
  port: number;
  connections: number;
  milliseconds: number;
  /** @returns the bytes of the next request */
  next: () => string;
  status: number;
}

/**
 * Keeps a number of connections busy, each with one request at a time. It parses only as much of an
 * answer as it needs to find its end, so that the client uses little CPU time.
 * @throws when an answer has another status
 */
export async function runLoad(plan: LoadPlan): Promise<LoadMeasurement> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + plan.milliseconds;
  await Promise.all(
    Array.from({ length: plan.connections }, () => askUntil(plan, until, times)),
  );
  return summarizeTimes(times, performance.now() - started);
}

export function summarizeTimes(times: number[], milliseconds: number): LoadMeasurement {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    rate: (times.length / milliseconds) * 1_000,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    requests: times.length,
  };
}

async function askUntil({ port, next, status }: LoadPlan, until: number, times: number[]) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await new Promise((done) => socket.once("connect", done));
  const answers = new Answers(socket, status);
  for (let now = performance.now(); now < until;) {
    socket.write(next());
    await answers.read();
    const end = performance.now();
    times.push(end - now);
    now = end;
  }
  socket.destroy();
}

const HEAD_END = Buffer.from("\r\n\r\n");

class Answers {
  private chunks: Buffer = Buffer.alloc(0);
  private wake: { resolve: () => void; reject: (error: Error) => void } | null = null;
  private readonly status: string;

  constructor(socket: Socket, status: number) {
    this.status = `HTTP/1.1 ${status} `;
    socket.on("data", (chunk: Buffer) => {
      this.chunks = this.chunks.length === 0 ? chunk : Buffer.concat([this.chunks, chunk]);
      this.settle();
    });
    socket.on("error", (error) => this.wake?.reject(error));
    socket.on("close", () => this.wake?.reject(new Error("the connection was closed")));
  }

  read(): Promise<void> {
    return new Promise((resolve, reject) => (this.wake = { resolve, reject }));
  }

  private settle() {
    const headEnd = this.chunks.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.chunks.toString("latin1", 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    const end = headEnd + HEAD_END.length + length;
    if (this.chunks.length < end) return;
    const body = this.chunks.subarray(headEnd + HEAD_END.length, end);
    this.chunks = this.chunks.subarray(end);
    if (head.startsWith(this.status)) this.wake?.resolve();
    else
      this.wake?.reject(
        new Error(`${head.split("\r\n", 1)[0]}: ${body.toString("utf8", 0, 300)}`),
      );
  }
}
