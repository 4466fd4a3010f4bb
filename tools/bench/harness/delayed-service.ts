import {
  createServer,
  request as ask,
  Agent,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** Messages from the bench to this process, and its reply once it listens. */
export type DelayCommand = { target: string; key: string } | { hold: number };
export interface ListeningReply {
  port: number;
}

let hold = 0;
const agent = new Agent({ keepAlive: true });

/** A proxy that delays every answer of a service, like a long distance. */
function serve(target: string, key: string) {
  const server = createServer((request, response) => {
    if (request.url === "/plain") return void sendPlain(target, key, response);
    const held = hold;
    const asked = ask(
      new URL(request.url ?? "/", target),
      { agent, method: request.method, headers: request.headers },
      (answer) => void setTimeout(() => forward(answer, response), held),
    );
    asked.on("error", () => response.destroy());
    request.pipe(asked);
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies ListeningReply);
  });
}

function forward(answer: IncomingMessage, response: ServerResponse) {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

/** Sends the first rows of the list as a plain HTML table. */
async function sendPlain(target: string, key: string, response: ServerResponse) {
  const answer = await fetch(`${target}/api/v1/subscriptions/`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { results } = (await answer.json()) as {
    results: { subscription_id: string; status: string; client: { full_name: string } }[];
  };
  const rows = results.map(
    ({ subscription_id, status, client }) =>
      `<tr data-row="${subscription_id}"><td>${client.full_name}<td>${status}`,
  );
  const page = `<!doctype html><title>Rows</title><main><table>${rows.join("")}</table></main>`;
  setTimeout(() => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  }, hold);
}

process.on("message", (order: DelayCommand) => {
  if ("target" in order) return serve(order.target, order.key);
  hold = order.hold;
  process.send?.({ hold });
});
