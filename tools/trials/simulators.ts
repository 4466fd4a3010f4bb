import { once } from "node:events";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { listenForControl } from "../simulators/gateway-simulator.ts";
import { MAIL_FAULTS } from "../simulators/smtp-simulator.ts";
import { startPaymentSimulators } from "../simulators/start-payment-simulators.ts";
import { startSimulators } from "../simulators/start-simulators.ts";

const HELP = `npm run trial simulators -- [--port N] [--whatsapp-reports URL]
  [--connectips-return URL] [--stripe-notices URL]
Starts gateways for SMS and WhatsApp and a mail server on this machine, from port N on (6100), to try
channels for messages without sending anything, and payment providers from port N + 10 on, to try
payments without money. Prints the settings that reach them.`;

const { values } = readOptions({
  options: {
    port: { type: "string", default: "6100" },
    "whatsapp-reports": { type: "string" },
    "connectips-return": { type: "string" },
    "stripe-notices": { type: "string" },
    help: { type: "boolean", default: false },
  },
});

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const port = Number(values.port);
  if (!Number.isSafeInteger(port) || port < 1_024 || port > 65_000)
    throw new CommandFailure("--port takes a number from 1024 to 65000.");
  const simulators = await startSimulators(port);
  const { gateways, mail } = simulators;
  simulators.setWhatsAppWebhook(values["whatsapp-reports"] ?? null);
  const control = await listenForControl(mail.simulator, Object.keys(MAIL_FAULTS), port + 6);
  const payments = await startPaymentSimulators(port + 10);
  const back = values["connectips-return"];
  payments.setConnectIpsReturns(back ? { success: back, failure: back } : null);
  payments.setStripeWebhook(values["stripe-notices"] ?? null);
  const all = { ...gateways, smtp: mail, ...payments.providers };
  for (const [name, { settings }] of Object.entries(all))
    console.log(`${name}\n${JSON.stringify(settings, null, 2)}\n`);
  console.log(`Each gateway also answers, and the mail server at port ${port + 6}:
  curl <address>/_sim/taken
  curl <address>/_sim/next -d '{"fault": "hang_after", "times": 2}'   (a wrong name lists them)
  curl <address>/_sim/report -d '{"index": -1, "state": "delivered"}'
  curl <address>/_sim/requests
  curl <address>/_sim/clear -d ''
A payment provider also:
  curl <address>/_sim/payments
  curl <address>/_sim/outcome -d '{"reference": "…", "outcome": "approve"}'   (a wrong one lists them)
  curl <address>/_sim/answer -d '{"fields": {"status": "AMBIGUOUS"}}'   (the next answer; "whole": true)
  curl <address>/_sim/clock -d '{"seconds": 3600}'
  curl <address>/_sim/refunds -d '{"mode": "refused"}'
  curl <address>/_sim/refund -d '{"id": "re_…", "status": "failed"}'   (Stripe)
  curl <address>/_sim/notice -d '{"reference": "cs_…", "times": 10, "forged": false}'   (Stripe)
Control-C ends them.`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  control.close();
  await Promise.all([simulators.close(), payments.close()]);
});
