import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolveByDns } from "../service/deliveries/guarded-lookup.ts";
import { createPoster } from "../service/deliveries/post.ts";
import { runDeliveries } from "../service/deliveries/run.ts";
import { requestHeaders, sign } from "../service/deliveries/sign.ts";
import { newSecret } from "../service/webhooks/secret.ts";

/** What `bench/webhooks.ts` sends to a process of this program. */
export type WebhooksOrder =
  | { receive: true }
  | { work: { databaseUrl: string; secretsKey: string } }
  /** Plain signed requests, so many at once to each address: what a delivery costs at least. */
  | { post: { urls: string[]; count: number; atOnce: number; body: string } };

/** What a receiver tells: the moment, in milliseconds since 1970, each id first arrived. */
export type Arrived = { id: string; at: number }[];

const clock = () => performance.timeOrigin + performance.now();

function receive() {
  let arrived: Arrived = [];
  const server = createServer((request, response) => {
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

async function post({
  urls,
  count,
  atOnce,
  body,
}: Extract<WebhooksOrder, { post: object }>["post"]) {
  const poster = createPoster({ mode: "test", resolve: resolveByDns, timeout: 15_000 });
  const secret = newSecret();
  const perUrl = Math.ceil(count / urls.length);
  const send = async (url: string) => {
    let left = perUrl;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        const at = new Date();
        const event_id = crypto.randomUUID();
        const signatures = sign({ event_id, body }, at, [secret]);
        const answer = await poster.post(url, requestHeaders(event_id, at, signatures), body);
        if (answer?.code !== 204) throw new Error(answer?.error ?? "cut off");
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  };
  const started = performance.now();
  await Promise.all(urls.map(send));
  const seconds = (performance.now() - started) / 1_000;
  poster.cutOff();
  process.send?.({ rate: (perUrl * urls.length) / seconds });
}

process.on("message", (order: WebhooksOrder) => {
  if ("receive" in order) receive();
  else if ("post" in order) void post(order.post);
  else
    void runDeliveries({
      databaseUrl: order.work.databaseUrl,
      secretsKey: Buffer.from(order.work.secretsKey, "base64"),
      mode: "test",
      now: () => new Date(),
      onError: (error) => process.stderr.write(`${String(error)}\n`),
    }).then(() => process.send?.({ isReady: true }));
});
