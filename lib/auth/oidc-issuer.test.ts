import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkIssuer, isSameIssuer } from "./oidc-issuer.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** @param answer what its metadata are, by its own address */
async function startProvider(answer: (address: string) => string) {
  const started = createServer((request, response) => {
    if (request.url === "/tenant/.well-known/openid-configuration")
      response.end(answer(address));
    else response.writeHead(404).end();
  });
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(started.address() as AddressInfo).port}/tenant`;
  return address;
}

const naming = (issuer: string) => JSON.stringify({ issuer });

test("a provider is the expected one when its metadata call it so, but for a slash", async () => {
  const address = await startProvider((own) => naming(`${own}/`));
  await expect(checkIssuer(address)).resolves.toBe("same");
  await expect(checkIssuer(`${address}/`)).resolves.toBe("same");
});

test.each(["https://elsewhere.example", "", "HTTP://127.0.0.1/tenant"])(
  "metadata that name %o are another provider's",
  async (issuer) => {
    await expect(checkIssuer(await startProvider(() => naming(issuer)))).resolves.toBe("other");
  },
);

test.each(["{}", "no metadata", '{"issuer":1}'])("%o is no answer", async (text) => {
  await expect(checkIssuer(await startProvider(() => text))).resolves.toBe("silent");
});

test("nobody's answer is no answer", async () => {
  const address = await startProvider(naming);
  await expect(checkIssuer(`${address}/deeper`)).resolves.toBe("silent");
});

test.each([
  ["https://id.example", "https://id.example/", true],
  ["https://id.example/a", "https://id.example/A", false],
  ["https://id.example", "https://id.example.evil.example", false],
  ["https://id.example", "https://id.example/a", false],
])("whether %s is %s: %o", (expected, named, is) => {
  expect(isSameIssuer(expected, named)).toBe(is);
});
