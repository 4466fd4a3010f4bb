import { FIRST_REQUEST } from "#contract/generated/first-request.ts";
import { CREATE_PROGRAMS, RECEIVE_PROGRAMS } from "#contract/generated/programs.ts";
import { SNIPPETS } from "#contract/generated/verify-snippets.ts";
import { html, type Html } from "../http/html.ts";
import type { Operation } from "./operation.ts";

const KEY = "$DUEBOOK_KEY";
const TOKEN = "$DUEBOOK_ACCOUNT_TOKEN";
const LANGUAGES: Record<string, string> = { node: "Node.js", python: "Python", php: "PHP" };

/** Examples that are folded under the names of their languages. */
const programs = (title: string, examples: readonly { language: string; code: string }[]) =>
  examples.map(({ language, code }) =>
    folded(`${title}: ${LANGUAGES[language] ?? language}`, code),
  );

const written = (example: unknown) =>
  typeof example === "string" ? example : JSON.stringify(example, null, 2);

const block = (text: string) => html`<pre><code>${text}</code></pre>`;

const folded = (title: string, text: string) =>
  html`<details>
    <summary>${title}</summary>
    ${block(text)}
  </details>`;

function curlOf(
  { method, path, requestBody, isPublic, credentials }: Operation,
  publicUrl: string,
): string {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const sent = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${publicUrl}${path}`,
    isPublic ? "" : `-H "Authorization: Bearer ${credentials.includes("key") ? KEY : TOKEN}"`,
    type ? `-H "Content-Type: ${type}"` : "",
    content ? `-d '${bodyOf(type ?? "", content.example)}'` : "",
  ];
  return sent.filter(Boolean).join(" \\\n  ");
}

const bodyOf = (type: string, example: unknown) =>
  type === "application/json"
    ? written(example)
    : new URLSearchParams(example as Record<string, string>).toString();

export function samplesOf(operation: Operation, publicUrl: string): Html {
  const [status, answer] =
    Object.entries(operation.responses).find(([code]) => Number(code) < 400) ?? [];
  const examples = Object.values(answer?.content ?? {}).map(({ example }) => written(example));
  return html`${folded("Request", curlOf(operation, publicUrl))}
  ${examples.map((text) => folded(`Answer ${status}`, text))}`;
}

export const eventSample = (example: unknown) => block(written(example));

export function quickStart(operations: Operation[], publicUrl: string): Html {
  const sampleOf = (path: string) => {
    const found = operations.find((one) => one.path === path && one.method === "post");
    return found && block(curlOf(found, publicUrl));
  };
  return html`<h2 id="begin">Integrate in ten minutes</h2>
    <p>
      The tests run these examples. Those for Node.js use the client package
      <code>@duebook/client</code> (<code>clients/typescript</code>); the others need no
      package.
    </p>
    <ol>
      <li>
        A key comes from the account's settings, or from the operator of this service (<code
          >npm run service:admin -- issue-key</code
        >). It is a secret: keep it out of pages and apps.
        ${block(`export DUEBOOK_URL="${publicUrl}"\nexport DUEBOOK_KEY="…"`)}
        <code>GET /api/v1/products/</code> lists what can be sold; each billing period has a
        <code>pbp_id</code>. ${programs("Try the key", FIRST_REQUEST)}
      </li>
      <li>
        Create a subscription, and send its <code>checkout_url</code> to the buyer.
        ${sampleOf("/api/v1/subscriptions/")} Send a lost request again with the same
        <code>Idempotency-Key</code>: within 24 hours the service carries it out once.
        ${programs("With retries and errors", CREATE_PROGRAMS)}
      </li>
      <li>
        Register an address for each kind of event. The signing secret is in the answer's header
        <code>x-webhook-secret</code>, and is shown only there: use <code>curl -i</code>.
        ${sampleOf("/api/v1/webhooks/")}
      </li>
      <li>
        Verify each delivery before you act on it. Only <code>checkout.succeeded</code> proves a
        payment. ${programs("Verify", SNIPPETS)} ${programs("Receive", RECEIVE_PROGRAMS)}
      </li>
    </ol>`;
}
