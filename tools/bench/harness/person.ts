import { randomUUID } from "node:crypto";
import { Agent, get, type ClientRequest } from "node:http";
import type pg from "pg";
import { hashPassword } from "#lib/auth/credentials/password.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { listEntryPoints, fillPathParameters } from "../../../e2e/support/entry-points.ts";

const PASSWORD = "correct horse battery";

/** Thrown for an unexpected answer of the dashboard. */
export class UnexpectedAnswer extends Error {
  /** The HTTP status; 0 if the status was not the problem. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

/** A team member of a seller who uses the dashboard over HTTP, without a browser. */
export class Person {
  readonly name: string;
  readonly #email: string;
  readonly #url: string;
  readonly #scope: { seller: string; mode: string };
  #cookies = new Map<string, string>();
  #signingIn: Promise<void> = Promise.resolve();

  constructor(name: string, email: string, url: string, scope: Person["scope"]) {
    this.name = name;
    this.#email = email;
    this.#url = url;
    this.#scope = scope;
  }

  get scope() {
    return this.#scope;
  }

  /** The path of this seller's pages. */
  get home() {
    return `/${this.#scope.seller}/${this.#scope.mode}`;
  }

  get isSignedIn() {
    return [...this.#cookies.keys()].some((name) => name.endsWith("duebook.session"));
  }

  signIn(): Promise<void> {
    this.#signingIn = this.#signIn();
    return this.#signingIn;
  }

  async #signIn(): Promise<void> {
    const form = await this.#ask("/api/auth/csrf");
    const { csrfToken } = (await form.json()) as { csrfToken: string };
    const answer = await this.#ask("/api/auth/callback/credentials", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        csrfToken,
        email: this.#email,
        password: PASSWORD,
      }).toString(),
    });
    await answer.text();
    // A refused user keeps the previous cookie.
    const isLetIn = answer.headers
      .getSetCookie()
      .some((line) => /^[\w-]*duebook\.session=[^;]/.test(line));
    if (!isLetIn)
      throw new UnexpectedAnswer(`sign-in: ${answer.status} ${answer.headers.get("location")}`);
  }

  /** @returns the body. @throws UnexpectedAnswer unless the status is 200 */
  async read(path: string, headers: Record<string, string> = {}): Promise<string> {
    const answer = await this.#ask(path, { headers });
    const text = await answer.text();
    if (answer.status !== 200)
      throw new UnexpectedAnswer(`${answer.status} ${patternOf(path)}`, answer.status);
    return text;
  }

  /** Reads JSON from an API route of this seller. */
  async json<Answer>(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return JSON.parse(await this.read(`/api${this.home}${path}`, headers)) as Answer;
  }

  /** Calls a server action by the name of its export. @throws UnexpectedAnswer when it is refused */
  async act<Value>(name: string, input: unknown): Promise<Value> {
    const entryPoint = listEntryPoints().find((one) => one.name.endsWith(` ${name}`));
    if (!entryPoint?.actionId) throw new Error(`the build has no action ${name}`);
    const address = fillPathParameters(entryPoint.path, {
      ...this.#scope,
      id: "none",
      token: "none",
    });
    const answer = await this.#ask(address, {
      method: "POST",
      headers: {
        origin: this.#url,
        "next-action": entryPoint.actionId,
        accept: "text/x-component",
        "content-type": "text/plain;charset=UTF-8",
      },
      body: JSON.stringify([this.#scope, input]),
    });
    const line = /^1:(\{.*\})$/m.exec(await answer.text())?.[1];
    const result = JSON.parse(line ?? "null") as
      { ok: true; value: Value } | { ok: false; failure: unknown } | null;
    if (result?.ok) return result.value;
    throw new UnexpectedAnswer(
      `${answer.status} ${name} ${JSON.stringify(result?.failure ?? null)}`,
    );
  }

  /** Opens the event stream. @param heard is called with each chunk */
  async listen(heard: (text: string) => void, ended: () => void): Promise<ClientRequest> {
    // A new sign-in ends the old session before its cookie arrives.
    await this.#signingIn.catch(() => {});
    return new Promise((resolve, reject) => {
      const headers = { cookie: this.#cookieHeader() };
      const request = get(
        `${this.#url}/api${this.home}/live`,
        { agent: streams, headers },
        (response) => {
          if (response.statusCode !== 200) {
            response.resume();
            return reject(new UnexpectedAnswer(`${response.statusCode} live`));
          }
          response.setEncoding("utf8").on("data", heard);
          response.on("error", () => {}).on("close", ended);
          resolve(request);
        },
      );
      request.on("error", reject);
    });
  }

  #cookieHeader() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Sends a request without following redirects. */
  async #ask(path: string, init: Asked = {}) {
    const answer = await fetch(this.#url + path, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, cookie: this.#cookieHeader() },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
}

interface Asked {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

const streams = new Agent({ keepAlive: false, maxSockets: Infinity });

/** The path of a request without ids. */
const patternOf = (path: string) =>
  path.split("?")[0]?.replaceAll(/\/[0-9a-f]{10}\/|[0-9a-f-]{36}/g, "…") ?? "";

/** Creates users who are members of the seller, not yet signed in. */
export async function createMembers(
  pool: pg.Pool,
  owner: KeyOwner,
  { count, role, url }: { count: number; role: "admin" | "viewer"; url: string },
): Promise<Person[]> {
  const hash = await hashPassword(PASSWORD);
  const people: Person[] = [];
  for (let made = 0; made < count; made += 1) {
    const email = `person-${randomUUID()}@example.com`;
    const { rows } = await pool.query<{ code: string }>(
      `with person as (insert into app_user (email, name, password_hash)
                       values ($2, $3, $4) returning id),
            member as (insert into membership (user_id, seller_id, role)
                       select id, $1, $5 from person)
       select code from seller where id = $1`,
      [owner.seller_id, email, `Person ${made}`, hash, role],
    );
    const scope = { seller: rows[0]?.code ?? "", mode: owner.mode };
    people.push(new Person(`Person ${made}`, email, url, scope));
  }
  return people;
}
