import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createMetrics, serveMetrics } from "../metrics.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

/** The number of answers to 300 pipelined requests before the connection ends. */
async function answersOf(port: number, path: string): Promise<number> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  const heard: Buffer[] = [];
  socket.on("data", (part: Buffer) => heard.push(part));
  const request = `GET ${path} HTTP/1.1\r\nhost: a\r\n`;
  socket.write(`${request}\r\n`.repeat(299) + `${request}connection: close\r\n\r\n`);
  await once(socket, "close");
  return Buffer.concat(heard).toString().split("HTTP/1.1 200").length - 1;
}

test("the API closes connections with too many pipelined requests", async () => {
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = service.app.server.address() as AddressInfo;
  expect(await answersOf(port, "/healthz")).toBeLessThan(20);
});

test("the metrics server closes connections with too many pipelined requests", async () => {
  const options = { port: 0, host: "127.0.0.1" };
  const server = await serveMetrics(createMetrics(service.pool), options);
  onTestFinished(server.close);
  expect(await answersOf(server.port, "/metrics")).toBeLessThan(20);
});
