import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { buildApp } from "../app.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";
import { ProviderFault, type ProviderAdapter } from "../providers/provider.ts";
import { fetchCheckoutPage, requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestRequest, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const SECRET = "the-secret-of-the-account-5d1e";
const fake = new FakeProvider();
/** A provider whose faults quote the request. */
const talkative: ProviderAdapter = {
  ...new FakeProvider().adapter("talkative"),
  begin: async (_charge, { buyer }, { key }) => {
    throw new ProviderFault("unknown", `refused ${String(key)} for ${buyer.phone}`);
  },
  check: async (settings) => ({ ok: false, text: `refused for ${String(settings.shop)}` }),
};
const service = useTestService("test", {
  providers: [fake.adapter(), talkative, ...PROVIDER_ADAPTERS],
});

async function atProvider() {
  fake.handOver = "redirect";
  const api = await SellerApi.open(service);
  const { account_key } = await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const attempt = await requestCode(service, id, { method: "fake" });
  const sent = await submitCodePage(service, id, attempt);
  return { id, account_key, go: `${sent.path}?${sent.query}` };
}

describe("what a provider answers", () => {
  it("cannot add a header to the page that redirects to the provider", async () => {
    fake.begins = [
      {
        state: "begun",
        reference: `split-${crypto.randomUUID()}`,
        hand_over: {
          kind: "redirect",
          url: "https://fake.example/pay\r\nset-cookie: stolen=1\r\n; url=https://evil.example",
        },
        expires_at: null,
      },
    ];
    const { go } = await atProvider();
    const page = await fetchCheckoutPage(service, go);
    expect(page.status).toBe(200);
    expect(page.headers["set-cookie"]).toBeUndefined();
    expect(page.headers.refresh).toMatch(/^0; url=https:\/\/fake\.example\/pay\S*$/);
  });

  it("cannot add a field, a target or markup to the form that leads to the provider", async () => {
    const evil = `"><input name=amount value=1><form action=https://evil.example>`;
    fake.begins = [
      {
        state: "begun",
        reference: `form-${crypto.randomUUID()}`,
        hand_over: {
          kind: "form",
          action: `https://form.fake.example/pay;form-action *;"><script>`,
          fields: { reference: evil, [evil]: "1" },
        },
        expires_at: null,
      },
    ];
    const { go } = await atProvider();
    const { headers, body } = await fetchCheckoutPage(service, go);
    expect(body.match(/<input /g)).toHaveLength(2);
    expect(body.match(/<form /g)).toHaveLength(1);
    expect(body).not.toContain("<script");
    expect(/form-action ([^;]*)/.exec(String(headers["content-security-policy"]))?.[1]).toBe(
      "https://form.fake.example https://bank.fake.example",
    );
  });
});

describe("a stranger", () => {
  it("sees no name, phone, email or address of the buyer at the return URL of a charge", async () => {
    await atProvider();
    const { pathname } = new URL(fake.begun.at(-1)?.details.return_url ?? "");
    const back = await fetchCheckoutPage(service, pathname);
    const { body } = await fetchCheckoutPage(service, String(back.headers.location));
    for (const own of ["Asmita Rai", "9800000001", "asmita@example.com", "Lalitpur"])
      expect(body).not.toContain(own);
  });

  it.each(["../../etc/passwd", "%0d%0aset-cookie:a=b", "00000000-0000-4000-8000-000000000000"])(
    "finds no charge by guessing %s",
    async (guess) => {
      const { account_key } = await atProvider();
      for (const url of [
        `/pay-return/charge/${guess}`,
        `/pay-return/${account_key}?ref=${guess}`,
      ]) {
        const { status, headers } = await fetchCheckoutPage(service, url);
        expect([200, 404]).toContain(status);
        expect(headers.location).toBeUndefined();
      }
    },
  );
});

const post = (owner: TestSeller, url: string, payload?: object): TestRequest => ({
  method: "POST",
  url: `/account/v1/payment-accounts/${url}`,
  headers: {
    authorization: `Bearer ${owner.key}`,
    ...(payload && { "content-type": "application/json" }),
  },
  ...(payload && { payload }),
});

describe("an address among a provider's settings", () => {
  const KHALTI = { secretKey: SECRET };
  const ESEWA = { productCode: "EPAYTEST", secretKey: SECRET };

  it("that points into the operator's network is never contacted in live mode", async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => inside.once("listening", resolve));
    const { port } = inside.address() as AddressInfo;
    const live = await buildApp({ ...service.context, mode: "live" });
    try {
      const owner = await withAccountToken(service, await service.createSeller(), "live");
      const settings: [string, object][] = [
        ["khalti", { ...KHALTI, baseUrl: `https://127.0.0.1:${port}` }],
        ["khalti", { ...KHALTI, baseUrl: `https://localhost:${port}` }],
        ["esewa", { ...ESEWA, statusUrl: `https://[::1]:${port}/` }],
        ["esewa", { ...ESEWA, statusUrl: `http://169.254.169.254/latest/` }],
      ];
      for (const [provider, input] of settings) {
        const saved = await live.inject(
          post(owner, `${provider}/`, { settings: input, version: null }),
        );
        if (saved.statusCode === 200) {
          const checked = await live.inject(post(owner, `${provider}/check/`));
          expect(checked.json()).toMatchObject({ ok: false });
          await live.inject(post(owner, `${provider}/remove/`));
          expect(String(checked.json<{ text: string }>().text)).not.toContain("127.0.0.1");
        } else expect(saved.statusCode).toBe(400);
      }
      expect(connections).toBe(0);
    } finally {
      await live.close();
      inside.close();
    }
  });
});

it("the secret key of a payment account appears in no table, no log, no answer and no page", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const app = await buildApp(service.context, { log: { level: "trace", stream } });
  const answers: string[] = [];
  const ask = async (request: TestRequest) => {
    const answer = await app.inject(request);
    answers.push(answer.body);
    return answer;
  };
  try {
    const api = await SellerApi.open(service);
    const owner = await withAccountToken(service, api.seller);
    const settings = { shop: "honey", key: SECRET };
    await ask(post(owner, "talkative/", { settings, version: null }));
    await ask(
      post(owner, "talkative/", { settings: { ...settings, colour: SECRET }, version: null }),
    );
    await ask(post(owner, "talkative/check/"));
    await ask({ ...post(owner, ""), method: "GET" });
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id, { method: "talkative" });
    const { path, query } = await submitCodePage(
      { ...service, call: (_, request) => ask(request) },
      id,
      attempt,
    );
    await ask({ url: `${path}?${query.toString()}` });
    await askDueCharges(service);
  } finally {
    await app.close();
  }
  const { rows: tables } = await service.pool.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of tables) {
    const { rows } = await service.pool.query<{ found: boolean }>(
      `select exists (select from ${name} t where t::text like any ($1)) as found`,
      [[`%${SECRET}%`, `%${Buffer.from(SECRET).toString("hex")}%`]],
    );
    expect([name, rows[0]?.found]).toEqual([name, false]);
  }
  expect(lines.length).toBeGreaterThan(0);
  expect(answers.length).toBeGreaterThan(4);
  for (const text of [...lines, ...answers]) expect(text).not.toContain(SECRET);
});
