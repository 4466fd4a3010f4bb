import { once } from "node:events";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { listenForControl } from "../simulators/gateway-simulator.ts";
import { MAIL_FAULTS } from "../simulators/smtp-simulator.ts";
import { startSimulators } from "../simulators/start-simulators.ts";

const HELP = `npm run trial simulators -- [--port N] [--whatsapp-reports URL]
Starts gateways for SMS and WhatsApp and a mail server on this machine, from port N on (6100), to try
channels for messages without sending anything, and prints the settings that reach them.`;

const { values } = readOptions({
  options: {
    port: { type: "string", default: "6100" },
    "whatsapp-reports": { type: "string" },
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
  for (const [name, { settings }] of Object.entries({ ...gateways, smtp: mail }))
    console.log(`${name}\n${JSON.stringify(settings, null, 2)}\n`);
  console.log(`Each gateway also answers, and the mail server at port ${port + 6}:
  curl <address>/_sim/taken
  curl <address>/_sim/next -d '{"fault": "hang_after", "times": 2}'   (a wrong name lists them)
  curl <address>/_sim/report -d '{"index": -1, "state": "delivered"}'
  curl <address>/_sim/clear -d ''
Control-C ends them.`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  control.close();
  await simulators.close();
});
