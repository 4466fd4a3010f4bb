import { Agent, get } from "node:http";

/** Messages of `tools/bench/harness/health.ts` to this process: a service's port, or the end. */
export type HealthCommand = { begin: number } | { end: true };

const EVERY_MS = 50;
// A new connection for each request, like a probe.
const agent = new Agent({ keepAlive: false });

let asked: Promise<number>[] = [];
let timer: NodeJS.Timeout | undefined;

/** Times a request. @returns milliseconds; Infinity without a good answer */
function ask(port: number): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => {
    get({ port, host: "127.0.0.1", path: "/healthz", agent }, (answer) => {
      answer
        .resume()
        .once("end", () =>
          resolve(answer.statusCode === 200 ? performance.now() - begun : Infinity),
        );
    }).once("error", () => resolve(Infinity));
  });
}

process.on("message", (order: HealthCommand) => {
  clearInterval(timer);
  if ("begin" in order) {
    asked = [ask(order.begin)];
    timer = setInterval(() => asked.push(ask(order.begin)), EVERY_MS);
  } else void Promise.all(asked).then((times) => process.send?.(times));
});
