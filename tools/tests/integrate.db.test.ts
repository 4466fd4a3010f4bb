import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";
import { createDeliveryWorker } from "../../service/deliveries/worker.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken } from "../../service/testing/service.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { isThere } from "../programs.ts";
import { readSnippets } from "../snippets.ts";
import {
  startFaultProxy,
  type FaultName,
  type FaultProxy,
} from "../testing/servers/fault-proxy.ts";

/** Runs the examples of docs/integrate.md as they are printed, against the service. */
const service = useTestService();
const folder = mkdtempSync(join(tmpdir(), "duebook-integrate-"));
const run = promisify(execFile);
let url: string;
let proxy: FaultProxy;

beforeAll(async () => {
  url = await service.app.listen({ host: "127.0.0.1", port: 0 });
  proxy = await startFaultProxy(url);
  for (const [file, { code }] of readSnippets()) writeFileSync(join(folder, file), code);
  installClient();
}, 120_000);
afterAll(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true });
});

/** Packs the client and unpacks it where an installation would put it. */
function installClient() {
  const place = join(folder, "node_modules/@duebook/client");
  mkdirSync(place, { recursive: true });
  const packed = execFileSync(
    "npm",
    ["pack", "--offline", "--json", "--pack-destination", folder],
    {
      cwd: join(ROOT, "clients/typescript"),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    },
  );
  const [tarball] = Object.values(JSON.parse(packed) as Record<string, Packed>);
  if (!tarball) throw new Error("npm pack made no package.");
  execFileSync("tar", [
    "xzf",
    join(folder, tarball.filename),
    "-C",
    place,
    "--strip-components=1",
  ]);
  packedFiles.push(...tarball.files.map(({ path }) => path));
}
interface Packed {
  filename: string;
  files: { path: string }[];
}
const packedFiles: string[] = [];

interface Language {
  name: string;
  command: string;
  ending: string;
}
const LANGUAGES: Language[] = [
  { name: "curl", command: "sh", ending: "sh" },
  { name: "Node.js", command: process.execPath, ending: "mjs" },
  { name: "Python", command: "python3", ending: "py" },
  { name: "PHP", command: "php", ending: "php" },
];

/** Whether this machine lacks a program for the language; says so if it does. */
function isMissing({ name, command }: Language): boolean {
  const needed = name === "curl" ? ["curl", "openssl"] : [command];
  const absent = needed.filter((program) => !isThere(program));
  if (absent.length > 0)
    console.warn(
      `The examples for ${name} were not run: there is no ${absent.join(" and no ")}.`,
    );
  return absent.length > 0;
}

interface Shop {
  api: SellerApi;
  environment: NodeJS.ProcessEnv;
}

async function openShop(more: Record<string, string> = {}): Promise<Shop> {
  // The examples verify by the computer's clock.
  service.clock.set(new Date().toISOString());
  const api = await SellerApi.open(service);
  const environment = {
    ...process.env,
    DUEBOOK_URL: proxy.url,
    DUEBOOK_KEY: api.seller.key,
    PBP_ID: api.periods.monthly,
    ORDER: "17",
    ...more,
  };
  return { api, environment };
}

/** Runs an example to its end. @returns what it printed */
async function outputOf(command: string, file: string, env: NodeJS.ProcessEnv) {
  const { stdout } = await run(command, [file], { cwd: folder, env });
  return stdout;
}

const delivererOf = () =>
  createDeliveryWorker({
    pool: service.pool,
    now: service.clock.now,
    secretsKey: TEST_SECRETS_KEY,
    mode: "test",
    privateTargets: true,
  });

async function deliverAll() {
  const worker = delivererOf();
  await worker.deliverDue();
  await worker.close();
}

const secretIn = (output: string) => /^x-webhook-secret: (\S+)/im.exec(output)?.[1] ?? "";

test("the npm package has the built client with its types, and no other files", () => {
  const names = [
    "duebook",
    "error",
    "generated/resources",
    "generated/schemas",
    "pages",
    "transport",
    "webhook",
  ];
  const built = names.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  expect(packedFiles.toSorted()).toEqual(["README.md", "package.json", ...built].toSorted());
});

describe.each(LANGUAGES)("the documented examples in $name", (language) => {
  const { command, ending } = language;
  const absent = isMissing(language);

  test.skipIf(absent)("list the products", async () => {
    const { api, environment } = await openShop();
    const output = await outputOf(command, `try.${ending}`, environment);
    expect(output).toContain(api.periods.monthly);
    expect(output).toContain("Milk");
  });

  test.skipIf(absent).each<FaultName>(["reset_before", "reset_after", "html_500"])(
    "create one subscription in spite of the fault %s, and show a refusal",
    async (name) => {
      const { api, environment } = await openShop();
      let left = 1;
      const strikes = ({ method }: { method: string }) => method === "POST" && left-- > 0;
      proxy.fault = { name, strikes };
      onTestFinished(() => void (proxy.fault = null));
      const output = await outputOf(command, `shop.${ending}`, environment);
      const { count, results } = await api.list();
      expect(count).toBe(1);
      expect(output).toContain(`http://billing.test/pay/${results[0]?.subscription_id}`);
      expect(output).toMatch(/Refused: 404|^400$/m);
      expect(left).toBeLessThan(1);
    },
  );

  // The examples for a shell receive no deliveries.
  if (ending === "sh") return;
  test.skipIf(absent)("verify and read deliveries", async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/hook.${ending}`;
    const { api, environment } = await openShop({ HOOK_URL: address, PORT: String(port) });
    const registered = await outputOf("sh", "register.sh", environment);
    const secrets = `whsec_AAAA ${secretIn(registered)}`;
    const printed = await startHook(language, port, {
      ...environment,
      DUEBOOK_WEBHOOK_SECRETS: secrets,
    });
    const id = await api.createActive();
    await deliverAll();
    await expect.poll(printed).toContain(`Paid: ${id} 1130.00 NPR`);
    const { results } = await deliveriesOf(api);
    expect(results).toMatchObject([{ state: "delivered", last_response_code: 204 }]);
    const forged = { "webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,x" };
    for (const headers of [{}, forged]) {
      const refused = await fetch(address, { method: "POST", headers, body: "{}" });
      expect(refused.status).toBe(400);
    }
  });
});

const deliveriesOf = async (api: SellerApi) =>
  (await api.call({ url: "/account/v1/deliveries/" })).json<{ results: object[] }>();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a receiving example and waits until it answers. @returns a reader of what it printed */
async function startHook({ command, ending }: Language, port: number, env: NodeJS.ProcessEnv) {
  const file = `hook.${ending}`;
  const arguments_ = ending === "php" ? ["-S", `127.0.0.1:${port}`, file] : [file];
  const child = spawn(command, arguments_, { cwd: folder, env });
  onTestFinished(() => void child.kill());
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/${file}`).then(
          () => true,
          () => false,
        ),
      {
        timeout: 20_000,
      },
    )
    .toBe(true);
  return () => printed;
}

describe("the documented examples for a shell", () => {
  const absent = isMissing({ name: "curl", command: "sh", ending: "sh" });

  test.skipIf(absent)("make an API key that works", async () => {
    const { api, environment } = await openShop();
    const { key } = await withAccountToken(service, api.seller);
    const made = await outputOf("sh", "make-key.sh", {
      ...environment,
      DUEBOOK_ACCOUNT_TOKEN: key,
    });
    const issued = /^x-issued-key: (\S+)/im.exec(made)?.[1] ?? "";
    const listed = await outputOf("sh", "try.sh", { ...environment, DUEBOOK_KEY: issued });
    expect(listed).toContain(api.periods.monthly);
  });

  test.skipIf(absent)("compute the signature of a delivery", async () => {
    const { api, environment } = await openShop({ HOOK_URL: "http://127.0.0.1:9/hook" });
    const secret = secretIn(await outputOf("sh", "register.sh", environment));
    await api.createActive();
    await deliverAll();
    const { results } = await deliveriesOf(api);
    const [{ id } = { id: 0 }] = results as { id: number }[];
    const delivery = (await api.call({ url: `/account/v1/deliveries/${id}/` })).json<Sent>();
    const [attempt] = delivery.attempt_list;
    if (!attempt) return expect.unreachable();
    const { headers, body } = attempt.request;
    writeFileSync(join(folder, "body.json"), body);
    const printed = await outputOf("sh", "verify.sh", {
      ...environment,
      DUEBOOK_WEBHOOK_SECRETS: secret,
      WEBHOOK_ID: headers["webhook-id"],
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"],
    });
    expect(printed.trim()).toBe(headers["webhook-signature"]);
  });
});
interface Sent {
  attempt_list: { request: { headers: Record<string, string>; body: string } }[];
}

test("the integration page has exactly the examples that these tests list", () => {
  const files = [
    "make-key.sh",
    "register.sh",
    "verify.sh",
    "verify.mjs",
    "verify.py",
    "verify.php",
  ];
  for (const { ending } of LANGUAGES) files.push(`try.${ending}`, `shop.${ending}`);
  for (const ending of ["mjs", "py", "php"]) files.push(`hook.${ending}`);
  expect(Array.from(readSnippets().keys()).toSorted()).toEqual(files.toSorted());
});
