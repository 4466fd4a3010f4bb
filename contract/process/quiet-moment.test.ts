import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { waitForNoPendingConnections, watchServer } from "#contract/process/http-server.ts";

const CALLERS = 40;

/**
 * The clients connect and send while this thread cannot accept anything, and count the
 * answers.
 */
const CALLING = `
const { connect } = require("node:net");
const { workerData: { port, count, sent }, parentPort } = require("node:worker_threads");
let written = 0, answered = 0, ended = 0;
for (let index = 0; index < count; index += 1) {
  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\\r\\nhost: here\\r\\ncontent-length: 2\\r\\n\\r\\nhi", () => {
    written += 1;
    if (written === count) { Atomics.store(sent, 0, 1); Atomics.notify(sent, 0); }
  });
  socket.on("data", (text) => { if (String(text).includes("200 OK")) answered += 1; });
  socket.on("error", () => {});
  socket.on("close", () => { ended += 1; if (ended === count) parentPort.postMessage(answered); });
}`;

async function answersAt(ending: (server: ReturnType<typeof createServer>) => Promise<void>) {
  const server = createServer((_request, response) => {
    response.setHeader("connection", "close").end("taken");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(CALLING, {
    eval: true,
    workerData: { port, count: CALLERS, sent },
  });
  const answered = new Promise((resolve) => worker.once("message", resolve));
  await new Promise((resolve) => worker.once("online", resolve));
  Atomics.wait(sent, 0, 0, 10_000);
  await ending(server);
  server.close();
  return answered;
}

test("a request sent before the server closes gets an answer if the server waits for pending connections", async () => {
  expect(await answersAt(waitForNoPendingConnections)).toBe(CALLERS);
});

test("a request sent before the server closes is cut off if the server does not wait", async () => {
  expect(await answersAt(async () => {})).toBeLessThan(CALLERS);
});

const LONG = 8_000_000;

/**
 * @returns how much arrives of a long answer that was unread when the server began to close
 */
async function lengthAt(ending: (settled: () => Promise<void>) => Promise<void>) {
  const isAnswered = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.setHeader("connection", "close").end(Buffer.alloc(LONG));
    isAnswered.resolve();
  });
  const settled = watchServer(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.pause().write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  await isAnswered.promise;
  const closed = ending(settled).then(() => server.close());
  let length = 0;
  const isOver = new Promise((resolve) => socket.once("close", resolve));
  socket.on("data", (part) => {
    length += part.length;
  });
  socket.on("error", () => {}).resume();
  await Promise.all([closed, isOver]);
  return length;
}

test("an answer that the client has not read yet is delivered whole if the closing server waits", async () => {
  expect(await lengthAt((settled) => settled())).toBeGreaterThan(LONG);
});

test("an answer that the client has not read yet is cut off if the closing server does not wait", async () => {
  expect(await lengthAt(async () => {})).toBeLessThan(LONG);
});

/**
 * @returns the answer to a client that had connected before the server closed and sends a
 * moment later
 */
async function textAt(ending: (settled: () => Promise<void>) => Promise<void>) {
  const server = createServer((_request, response) => {
    response.setHeader("connection", "close").end("taken");
  });
  const settled = watchServer(server);
  const isConnected = new Promise((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let text = "";
  const isOver = new Promise((resolve) => socket.once("close", resolve));
  socket
    .on("data", (part) => {
      text += String(part);
    })
    .on("error", () => {});
  await isConnected;
  const closed = ending(settled).then(() => server.close());
  await waitForNoPendingConnections(server);
  socket.write("POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 0\r\n\r\n");
  await Promise.all([closed, isOver]);
  return text;
}

test("a client connected before the server closes gets an answer to a slightly later request if the server waits", async () => {
  expect(await textAt((settled) => settled())).toContain("taken");
});

test("a client connected before the server closes gets no answer to a slightly later request if the server does not wait", async () => {
  expect(await textAt(async () => {})).toBe("");
});
