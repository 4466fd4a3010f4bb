import { createServer, request as ask, Agent, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the bench sends to this process, and what it answers once it listens. */
export type HeldBackOrder = { target: string } | { hold: number };
export interface Listening {
  port: number;
}

let hold = 0;
const agent = new Agent({ keepAlive: true });

/** Stands before a service as a distance would: every answer comes so many milliseconds later. */
function serve(target: string) {
  const server = createServer((request, response) => {
    const held = hold;
    const asked = ask(
      new URL(request.url ?? "/", target),
      { agent, method: request.method, headers: request.headers },
      (answer) => void setTimeout(() => passOn(answer, response), held),
    );
    asked.on("error", () => response.destroy());
    request.pipe(asked);
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies Listening);
  });
}

function passOn(answer: IncomingMessage, response: ServerResponse) {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

process.on("message", (order: HeldBackOrder) => {
  if ("target" in order) return serve(order.target);
  hold = order.hold;
  process.send?.({ hold });
});
