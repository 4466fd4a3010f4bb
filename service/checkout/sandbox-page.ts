import { html } from "./html.ts";
import { money, type Frame } from "./page.ts";
import type { Choice, SandboxCharge } from "./sandbox-provider.ts";

const NAMES: Record<Choice, string> = {
  approve: "Approve",
  decline: "Decline",
  insufficient_balance: "Not enough balance",
  time_out: "Time out",
  abandon: "Leave without answering",
};

/** Stands where a wallet's or bank's own page would; how it ends is chosen openly. */
export function sandboxPage({
  reference,
  method,
  amount,
  currency,
  seller_name,
}: SandboxCharge) {
  const total = money(currency, amount);
  const [approve, ...others] = Object.entries(NAMES);
  const button = ([value, name]: [string, string] = ["", ""]) =>
    html`<button name="outcome" value="${value}">${name}</button>`;
  const frame: Frame = {
    title: `Sandbox ${method}`,
    body: html`<header class="provider">
        <p class="seller">Sandbox</p>
        <h1>Sandbox ${method}</h1>
      </header>
      <p class="sandbox">
        This page stands where the ${method}'s own would. No money moves: choose how it ends.
      </p>
      <dl class="lines">
        <div>
          <dt>To</dt>
          <dd class="name">${seller_name}</dd>
        </div>
        <div class="total">
          <dt>Amount</dt>
          <dd>${total}</dd>
        </div>
      </dl>
      <form method="post" action="/sandbox-pay/${reference}">${button(approve)}</form>
      <form class="quiet" method="post" action="/sandbox-pay/${reference}">
        ${others.map((other) => button(other))}
      </form>`,
  };
  return frame;
}
