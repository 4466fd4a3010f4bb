import { createReadStream, globSync, readFileSync, type ReadStream } from "node:fs";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createFairServer } from "./http-server.ts";

const told: string[] = [];

async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  unreadFor = 20_000,
): Promise<{ server: Server; socket: Socket }> {
  told.length = 0;
  const options = { keepAliveTimeout: unreadFor };
  const server = createFairServer(options, answer, (reason) => told.push(reason), {
    unreadFor,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return { server, socket };
}

const GET = (path: string, more = "") => `GET /${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`;
const LAST = "connection: close\r\n";

test("pipelined requests are answered one after the other, in order", async () => {
  let [running, most] = [0, 0];
  const { socket } = await open((request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end(request.url);
    });
  });
  socket.write(GET("a1") + GET("a2") + GET("a3") + GET("a4", LAST));
  expect((await text(socket)).match(/a\d/g)).toEqual(["a1", "a2", "a3", "a4"]);
  expect(most).toBe(1);
});

test("too many pipelined requests on a connection close the connection and every open answer", async () => {
  const begun: ServerResponse[] = [];
  const all: ServerResponse[] = [];
  const { server, socket } = await open((_request, response) => begun.push(response));
  const ended = new Promise<number>((resolve) => {
    let closed = 0;
    server.on("request", (_request, response: ServerResponse) => {
      all.push(response);
      response.once("close", () => (closed += 1) === 300 && resolve(closed));
    });
  });
  socket.write(GET("file").repeat(300));
  await ended;
  expect([told, begun.length, all.length]).toEqual([["pipelined"], 1, 300]);
});

test('a pipelined request after an answer with "connection: close" is not handled, and its answer is closed', async () => {
  const begun: ServerResponse[] = [];
  const { server, socket } = await open((_request, response) => begun.push(response));
  const closed: string[] = [];
  const bothClosed = new Promise<void>((resolve) => {
    server.on("request", ({ url = "" }, response: ServerResponse) => {
      response.once("close", () => closed.push(url) === 2 && resolve());
      // The answer is larger than a socket takes at once, so the connection closes some time after
      // the request to close.
      if (url === "/2") begun[0]?.setHeader("connection", "close").end("x".repeat(4_000_000));
    });
  });
  socket.write(GET("1") + GET("2"));
  await text(socket);
  await bothClosed;
  expect([begun.length, closed.toSorted()]).toEqual([1, ["/1", "/2"]]);
});

test("a client that does not read its answer is disconnected, and the file being sent is closed", async () => {
  const files: ReadStream[] = [];
  const { socket } = await open((_request, response) => {
    const file = createReadStream("/dev/zero");
    files.push(file);
    response.once("close", () => file.destroy());
    file.pipe(response);
  }, 500);
  const closed = once(socket, "close");
  socket.write(GET("file").repeat(20));
  await expect.poll(() => files[0]?.closed, { timeout: 30_000 }).toBe(true);
  expect([told, files.length]).toEqual([["unread"], 1]);
  socket.resume();
  await closed;
});

test("a connection stays open while the server prepares a slow answer, and is closed when idle", async () => {
  const { server, socket } = await open((_request, response) => {
    server.once("timeout", () => response.end("made"));
  }, 500);
  const heard: Buffer[] = [];
  socket.on("data", (part: Buffer) => heard.push(part));
  socket.write(GET("slow"));
  await once(socket, "close");
  expect(Buffer.concat(heard).toString()).toContain("made");
  expect(told).toEqual([]);
});

test("the dashboard and the service create servers only with createFairServer", () => {
  const files = globSync(["service/**/*.ts", "scripts/dashboard*.ts"]).filter(
    (file) => !/\.test\.ts$|^service\/testing\//.test(file),
  );
  const naming = (words: RegExp) =>
    files.filter((file) => words.test(readFileSync(file, "utf8"))).sort();
  expect(naming(/\bcreateServer\b[^;]*\bfrom "node:https?"|\.createServer\(/)).toEqual([]);
  expect(naming(/\bcreateFairServer\(/)).toEqual([
    "scripts/dashboard.ts",
    "service/http/server.ts",
    "service/metrics.ts",
  ]);
});
