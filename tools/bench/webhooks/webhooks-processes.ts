import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolveByDns } from "../../../service/outgoing/guarded-lookup.ts";
import { createPoster } from "../../../service/deliveries/post.ts";
import { runDeliveries } from "../../../service/deliveries/worker.ts";
import { requestHeaders, signMessage } from "../../../service/deliveries/sign.ts";
import { openJobs } from "../../../service/jobs.ts";
import { newSecret } from "../../../service/webhooks/secret.ts";

/** A message of `tools/bench/webhooks.ts` to a process of this program. */
export type WebhooksCommand =
  | { receive: true }
  | { work: { databaseUrl: string; secretsKey: string } }
  /** Asks for the processor time of the process, in microseconds. */
  | { usage: true }
  /** Sends plain signed requests, a number at once to each URL: the lowest cost of a delivery. */
  | { post: { urls: string[]; count: number; atOnce: number; body: string } };

/** A receiver's report: when each id first arrived, in milliseconds since 1970. */
export type ArrivalReport = { id: string; at: number }[];

/** Failing endpoints: they never answer, cut the connection, or send their answer byte by byte. */
export const BAD_ENDPOINT_KINDS = ["hang", "reset", "drip"] as const;
// Milliseconds; short, so that requests to the endpoint that never answers time out many times.
const TIMEOUT = 3_000;

const clock = () => performance.timeOrigin + performance.now();

function usage(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function receive() {
  let arrived: ArrivalReport = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/beside/")) return answerBeside(request, response);
    const id = String(request.headers["webhook-id"]);
    request.resume().on("end", () => {
      arrived.push({ id, at: clock() });
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1", () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
  setInterval(() => {
    if (arrived.length === 0) return;
    process.send?.(arrived);
    arrived = [];
  }, 5);
}

function answerBeside({ url, socket }: IncomingMessage, response: ServerResponse) {
  if (url?.endsWith("hang")) return;
  if (url?.endsWith("reset")) return void socket.destroy();
  if (!url?.endsWith("drip")) return void response.writeHead(204).end();
  socket.write("HTTP/1.1 200 OK\r\nx-drip: ");
  const timer = setInterval(() => socket.write("."), 50);
  socket.once("close", () => clearInterval(timer));
}

async function post({
  urls,
  count,
  atOnce,
  body,
}: Extract<WebhooksCommand, { post: object }>["post"]) {
  const poster = createPoster({
    mode: "test",
    privateTargets: true,
    resolve: resolveByDns,
    timeout: 15_000,
  });
  const secret = newSecret();
  const perUrl = Math.ceil(count / urls.length);
  const send = async (url: string) => {
    let left = perUrl;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        const at = new Date();
        const event_id = crypto.randomUUID();
        const signatures = signMessage({ event_id, body }, at, [secret]);
        const answer = await poster.post(url, requestHeaders(event_id, at, signatures), body);
        if (answer?.code !== 204) throw new Error(answer?.error ?? "cut off");
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  };
  const started = performance.now();
  const before = usage();
  await Promise.all(urls.map(send));
  const seconds = (performance.now() - started) / 1_000;
  poster.cutOff();
  const requests = perUrl * urls.length;
  process.send?.({ rate: requests / seconds, cost: (usage() - before) / requests });
}

async function work({ databaseUrl, secretsKey }: { databaseUrl: string; secretsKey: string }) {
  const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
  await runDeliveries(await openJobs({ databaseUrl }, onError), {
    secretsKey: Buffer.from(secretsKey, "base64"),
    mode: "test",
    privateTargets: true,
    now: () => new Date(),
    timeout: TIMEOUT,
    onError,
  });
  process.send?.({ isReady: true });
}

process.on("message", (order: WebhooksCommand) => {
  if ("receive" in order) receive();
  else if ("usage" in order) process.send?.(usage());
  else if ("post" in order) void post(order.post);
  else void work(order.work);
});
