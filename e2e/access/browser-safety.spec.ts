import { request } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePorts, startCommand } from "../support/command.ts";
import { fillPathParameters, listEntryPoints } from "../support/entry-points.ts";
import { sendRequest, signInForCookies, bodyTextOf } from "../support/intruder.ts";
import { createPerson, createSellerOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, OWN_PASSWORD, signIn, test } from "../support/seller.ts";

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-powered-by": null,
};

/** Paths whose responses are not pages and have their own policy. */
const NO_PAGE = /^\/(icons\.svg$|healthz$|readyz$|api\/words$|api\/[^/]+\/(test|live)\/)/;
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

test("every response carries the security headers, and every page a CSP nonce of its own", async () => {
  const owner = await createPerson("Headers");
  const seller = await createSellerOf(owner, "Headers");
  const cookie = await signInForCookies(owner);
  const values = { seller, mode: "test", id: "none", token: "none", nextauth: "csrf" };
  const addresses = listEntryPoints()
    .filter(({ kind, method }) => kind !== "action" && method === "GET")
    .map(({ path }) => fillPathParameters(path, values));
  const nonces: string[] = [];
  for (const path of [
    ...addresses,
    "/nothing",
    "/api/nothing",
    "/a.html",
    "/icon.svg",
    "/icons.svg",
  ])
    for (const who of [cookie, undefined]) {
      const response = await sendRequest(path, { cookie: who });
      const given = Object.keys(EVERYWHERE).map((name) => [name, response.headers.get(name)]);
      expect([path, Object.fromEntries(given)]).toEqual([path, EVERYWHERE]);
      const policy = response.headers.get("content-security-policy") ?? "";
      if (!path.endsWith(".svg"))
        expect([path, response.headers.get("cache-control")]).toEqual([
          path,
          expect.stringContaining("no-store"),
        ]);
      if (NO_PAGE.test(path)) {
        expect([path, policy]).toEqual([path, NOTHING]);
        continue;
      }
      expect(policy, path).toMatch(/script-src 'nonce-[\w+/=]+' 'strict-dynamic';/);
      expect(policy, path).not.toContain("unsafe");
      nonces.push(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "");
      const text = await bodyTextOf(response);
      const tags = text.match(/<(script|style)\b[^>]*>/g) ?? [];
      expect(tags.filter((tag) => !tag.includes(`nonce="${nonces.at(-1)}"`))).toEqual([]);
      expect(text).not.toMatch(/\son\w+="|<[^>]+\sstyle="/);
      expect(response.headers.get("permissions-policy"), path).toContain("camera=()");
    }
  expect(new Set(nonces).size).toBe(nonces.length);

  const { status, headers } = await sendRequest("/%E0%A4%A", { cookie });
  expect(status).toBe(400);
  const plain = {
    ...EVERYWHERE,
    "content-security-policy": NOTHING,
    "cache-control": "no-store",
  };
  for (const [name, value] of Object.entries(plain)) expect(headers.get(name)).toBe(value);
});

test("request headers cannot choose the CSP nonce or the return URL, or bypass the proxy", async () => {
  const headers = {
    "content-security-policy": "script-src 'nonce-evil'",
    "x-nonce": "evil",
    "x-duebook-path": "//evil.example",
    "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
    "x-forwarded-host": "evil.example",
    "x-original-url": "/healthz",
    "x-rewrite-url": "/healthz",
  };
  const page = await sendRequest("/sign-in?ready=1", { headers });
  expect(await page.text()).not.toContain("evil");
  const turnedAway = await sendRequest("/0123456789/test/subscriptions", { headers });
  expect(turnedAway.headers.get("location")).toBe(
    "/sign-in?callbackUrl=%2F0123456789%2Ftest%2Fsubscriptions",
  );
});

/** Where a request with another host name is redirected; empty if it is not. */
function locationUnder(host: string, path: string): Promise<string> {
  const { port } = new URL(duebookUrl());
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.headers.location ?? "");
    });
    sent.on("error", reject).end();
  });
}

test("no URL of this site redirects to another site", async () => {
  const person = await createPerson("Redirects");
  await createSellerOf(person, "Redirects");
  const cookie = await signInForCookies(person);
  const targets = [
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/%09/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "https:evil.example",
    `${duebookUrl()}@evil.example`,
    `${duebookUrl()}.evil.example`,
    "/.//evil.example",
    "/..//evil.example",
  ];
  for (const target of targets)
    for (const path of ["/sign-in?callbackUrl=", "/go?to=", "/api/auth/signin?callbackUrl="])
      for (const who of [cookie, undefined]) {
        const response = await sendRequest(path + encodeURIComponent(target), { cookie: who });
        const location = response.headers.get("location") ?? "/";
        // The URL is resolved as a browser does.
        const url = new URL(location, duebookUrl());
        expect([path, target, url.origin]).toEqual([path, target, duebookUrl()]);
      }
  for (const path of ["/subscriptions", "/go?to=/subscriptions", "/sign-in", "/"])
    expect(await locationUnder("evil.example", path)).not.toMatch(/^\w+:\/\/(?!localhost)/);
});

test("a page of another site cannot read the dashboard's data", async () => {
  const owner = await createPerson("Cross");
  const seller = await createSellerOf(owner, "Cross");
  const cookie = await signInForCookies(owner);
  const ask = (headers: Record<string, string>) =>
    sendRequest(`/api/${seller}/test/audit-log`, { cookie, headers }).then(
      ({ status }) => status,
    );
  expect(await ask({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await ask({ "sec-fetch-site": "same-origin" })).toBe(200);
});

/** Collects violations of the content security policy. */
async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("tell", (words: string) => violations.push(words));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { tell } = window as unknown as { tell: (words: string) => void };
      tell(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  return violations;
}

test("the dashboard's pages do not violate their content security policy", async ({ page }) => {
  const violations = await watchPolicy(page);
  await signIn(page);
  const home = page.url().replace(/\/subscriptions.*/, "");
  await page.getByRole("table").getByRole("cell").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  for (const tab of ["account", "seller", "connection", "team", "audit-log"]) {
    await page.goto(`${home}/settings/${tab}`);
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  }
  await visibleField(page, "Search").fill("x");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\/audit-log\?q=x/);
  await page.goto(`${home}/subscriptions/new`);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleField(page, "Phone")).toHaveAttribute("aria-invalid", "true");
  await page.goto(`${duebookUrl()}/nothing/of/the/kind`);
  await expect(page.getByRole("link", { name: "Go to Home" })).toBeVisible();
  expect(violations).toEqual([]);
});

test("an injected script does not run", async ({ browser }) => {
  const page = await browser.newPage();
  const violations = await watchPolicy(page);
  await page.goto(`${duebookUrl()}/sign-in`);
  await page.evaluate(() => {
    const place = document.createElement("div");
    place.innerHTML = "<img src='/nothing' onerror='window.ran = true'>";
    document.body.append(place);
    const base = document.createElement("base");
    base.href = "https://evil.example/";
    document.head.append(base);
  });
  await expect.poll(() => violations.join()).toContain("script-src");
  await expect.poll(() => violations.join()).toContain("base-uri");
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  await page.close();
});

test("behind TLS the browser gets HSTS, and cookies have the __Host- prefix", async () => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-tls-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const product = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, ".data"),
    NEXTAUTH_URL: "https://desk.example",
    DEMONSTRATION: "off",
  });
  try {
    await product.printed("Duebook is ready.");
    const response = await fetch(`http://localhost:${port}/api/auth/csrf`);
    expect(response.headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/);
    for (const cookie of response.headers.getSetCookie())
      expect(cookie).toMatch(
        /^__Host-[^;]+(?=.*; Path=\/)(?=.*; HttpOnly)(?=.*; Secure)(?=.*; SameSite=Lax)/,
      );
    expect(response.headers.getSetCookie().length).toBeGreaterThan(0);
    const page = await fetch(`http://localhost:${port}/sign-in`, { redirect: "manual" });
    expect(page.headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/);
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a public server without TLS prints a warning, marks cookies Secure, and allows sign-up by invitation only", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-plain-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const product = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, ".data"),
    HOST: "0.0.0.0",
    DEMO_PASSWORD: OWN_PASSWORD,
  });
  try {
    await product.printed("Duebook is ready.");
    expect(product.output()).toMatch(/Other machines can reach this server.*without TLS/);
    const url = `http://localhost:${port}`;
    const response = await fetch(`${url}/api/auth/csrf`);
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toContain("; Secure");
    await page.goto(`${url}/sign-up`);
    await expect(
      visibleText(page, /You need an invitation to create an account/),
    ).toBeVisible();
    await signIn(page, url, OWN_PASSWORD);
    await page.goto("about:blank");
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
