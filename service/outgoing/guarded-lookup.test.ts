import type { LookupAddress } from "node:dns";
import { createServer, type AddressInfo } from "node:net";
import { request } from "node:http";
import { expect, it } from "vitest";
import { guardedLookup, PrivateTarget, type ResolveHost } from "./guarded-lookup.ts";
import type { TargetRules } from "../webhooks/target.ts";

const ask = (resolve: ResolveHost, rules: TargetRules) =>
  new Promise<string | LookupAddress[]>((done, fail) =>
    guardedLookup(resolve, rules)("shop.example", { all: true }, (error, addresses) =>
      error ? fail(error) : done(addresses),
    ),
  );

it("a host that becomes private between two connections is refused", async () => {
  const answers = ["8.8.8.8", "127.0.0.1", "8.8.8.8"];
  const rebinding: ResolveHost = async () => [{ address: answers.shift() ?? "", family: 4 }];
  expect(await ask(rebinding, { mode: "live" })).toEqual([{ address: "8.8.8.8", family: 4 }]);
  await expect(ask(rebinding, { mode: "live" })).rejects.toBeInstanceOf(PrivateTarget);
});

it("the name is resolved once, and the connection uses the address that was checked", async () => {
  let asked = 0;
  const server = createServer((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const lookup = guardedLookup(
    async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    },
    { mode: "test", privateTargets: true },
  );
  const remote = await new Promise((done) =>
    request({ host: "shop.example", port, lookup, agent: false }, (response) =>
      done(response.socket.remoteAddress),
    ).end(),
  );
  server.close();
  expect([asked, remote]).toEqual([1, "127.0.0.1"]);
});
