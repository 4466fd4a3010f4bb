import { Agent, request as startRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Answer } from "../conformance.ts";
import type { FuzzRequest } from "./request.ts";

/** Sends over real connections to this machine; `close` closes them. */
export function createSender(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    send: (request: FuzzRequest) =>
      isSendable(request) ? sendByClient(agent, port, request) : sendRaw(port, request),
    close: () => agent.destroy(),
  };
}

/**
 * Whether Node's client accepts the request; it refuses illegal paths and headers, which are
 * written by hand.
 */
function isSendable({ url, headers }: FuzzRequest): boolean {
  const isLegal = (value: string) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
  return /^[\u0021-\u00ff]+$/.test(url) && Object.values(headers).every(isLegal);
}

function sendByClient(agent: Agent, port: number, fuzz: FuzzRequest): Promise<Answer> {
  const { method, url: path, body } = fuzz;
  const bytes = Buffer.from(body ?? "");
  const headers = {
    ...fuzz.headers,
    ...(body === undefined ? {} : { "content-length": bytes.length }),
  };
  return new Promise((resolve, reject) => {
    const request = startRequest({ agent, port, host: "127.0.0.1", method, path, headers });
    request.once("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      // An endless stream cannot be awaited.
      if (headers["content-type"]?.startsWith("text/event-stream")) {
        response.destroy();
        return resolve({ status, headers, body: "" });
      }
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    request.once("error", reject);
    request.end(body === undefined ? undefined : bytes);
  });
}

async function sendRaw(port: number, { method, url, headers, body = "" }: FuzzRequest) {
  const socket = connect(port, "127.0.0.1");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${method} ${url} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    `content-length: ${Buffer.byteLength(body)}`,
    ...lines,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return readAnswer(await text(socket));
}

function readAnswer(answer: string): Answer {
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(first.split(" ")[1]), headers, body };
}

/** @param longest time limit of the answer in milliseconds */
export async function withTimeLimit<Result>(
  promise: Promise<Result>,
  longest: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${longest} ms`)), longest);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
