import {
  createServer,
  request as ask,
  Agent,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { sendPlain } from "./plain-table.ts";

/** The message from the bench to this process, and its reply once it listens. */
export interface DelayCommand {
  /** URL and key of the service. */
  target: string;
  key: string;
  /** Milliseconds by which to delay its answers. */
  hold: number;
}
export interface ListeningReply {
  port: number;
}

const agent = new Agent({ keepAlive: true });

/** A proxy that delays every answer of a service, like a long distance. */
function serve({ target, key, hold }: DelayCommand) {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/plain"))
      return void sendPlain({ target, key, hold }, request, response);
    const asked = ask(
      new URL(request.url ?? "/", target),
      { agent, method: request.method, headers: request.headers },
      (answer) => void setTimeout(() => forward(answer, response), hold),
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

process.on("message", serve);
