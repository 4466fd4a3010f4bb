import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkIssuer, isSameIssuer, readMetadata } from "./oidc-issuer.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** @param answer the metadata, given the provider's URL */
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

const naming = (issuer: string) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: "https://id.example/authorize",
    token_endpoint: "https://id.example/token",
    jwks_uri: "https://id.example/keys",
  });

test("a sign-in provider is accepted if its metadata has the expected issuer, apart from a trailing slash", async () => {
  const address = await startProvider((own) => naming(`${own}/`));
  await expect(checkIssuer(address)).resolves.toBe("same");
  await expect(checkIssuer(`${address}/`)).resolves.toBe("same");
});

test.each(["https://elsewhere.example", "", "HTTP://127.0.0.1/tenant"])(
  "a sign-in provider is rejected if its metadata has the issuer %o",
  async (issuer) => {
    await expect(checkIssuer(await startProvider(() => naming(issuer)))).resolves.toBe("other");
  },
);

test.each(["{}", "no metadata", '{"issuer":1}'])(
  "the response %o of a sign-in provider is not valid metadata",
  async (text) => {
    await expect(checkIssuer(await startProvider(() => text))).resolves.toBe("silent");
  },
);

test("a sign-in provider without metadata at the expected path is reported", async () => {
  const address = await startProvider(naming);
  await expect(checkIssuer(`${address}/deeper`)).resolves.toBe("silent");
});

test("concurrent sign-ins request the provider's metadata only once in ten minutes", async () => {
  let asked = 0;
  const address = await startProvider((own) => {
    asked += 1;
    return naming(own);
  });
  const now = Date.now();
  const read = (minutes: number) => readMetadata(address, now + minutes * 60_000);
  for (const found of await Promise.all(Array.from({ length: 50 }, () => read(0))))
    expect(found?.issuer).toBe(address);
  await read(9);
  expect(asked).toBe(1);
  await read(10);
  expect(asked).toBe(2);
});

test("provider metadata with an unexpected issuer is requested again after a second, not for every sign-in", async () => {
  let asked = 0;
  const address = await startProvider((own) => {
    asked += 1;
    return asked === 1 ? naming("https://elsewhere.example") : naming(own);
  });
  const now = Date.now();
  const read = async (milliseconds: number) =>
    (await readMetadata(address, now + milliseconds))?.issuer;
  expect(await Promise.all([read(0), read(0), read(0)])).toEqual(
    Array(3).fill("https://elsewhere.example"),
  );
  await read(999);
  expect(asked).toBe(1);
  expect(await read(1_000)).toBe(address);
});

test.each([
  ["https://id.example", "https://id.example/", true],
  ["https://id.example/a", "https://id.example/A", false],
  ["https://id.example", "https://id.example.evil.example", false],
  ["https://id.example", "https://id.example/a", false],
])("whether the expected issuer %s matches the issuer %s: %o", (expected, named, is) => {
  expect(isSameIssuer(expected, named)).toBe(is);
});
