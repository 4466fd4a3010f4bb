import { html } from "../http/html.ts";
import type { Frame } from "./page.ts";
import type { Reader } from "./reader.ts";
import type { SandboxCharge } from "./sandbox-provider.ts";

/** Takes the place of a wallet's or bank's page; the buyer chooses the result. */
export function sandboxPage(
  { reference, method, amount, currency, seller_name }: SandboxCharge,
  { texts, money, own }: Reader,
): Frame {
  const { sandbox } = texts;
  const action = own(`/sandbox-pay/${reference}`);
  const [approve, ...others] = Object.entries(sandbox.outcome);
  const button = ([value, name]: [string, string] = ["", ""]) =>
    html`<button name="outcome" value="${value}">${name}</button>`;
  return {
    title: sandbox.title(texts[method]),
    body: html`<header class="provider">
        <p class="seller">${sandbox.seller}</p>
        <h1>${sandbox.title(texts[method])}</h1>
      </header>
      <p class="sandbox">${sandbox.text(texts[method])}</p>
      <dl class="lines">
        <div>
          <dt>${sandbox.to}</dt>
          <dd class="name">${seller_name}</dd>
        </div>
        <div class="total">
          <dt>${sandbox.amount}</dt>
          <dd>${money(currency, amount)}</dd>
        </div>
      </dl>
      <form method="post" action="${action}">${button(approve)}</form>
      <form class="quiet" method="post" action="${action}">
        ${others.map((other) => button(other))}
      </form>`,
  };
}
