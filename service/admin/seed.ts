import * as z from "zod";
import { seedDemonstration, type SeededSeller } from "../seed/seed.ts";
import { MAX_BRANCHES } from "../seed/editions.ts";
import { defineCommand, flag } from "./command.ts";

const NOT_WHOLE = "write a whole number";
const wholeNumber = z.coerce.number({ error: NOT_WHOLE }).int(NOT_WHOLE).min(0, NOT_WHOLE);

export const seed = defineCommand(
  "seed",
  "Adds the demonstration sellers and prints their keys. If they exist already, only the first gets one more key.",
  {
    subscriptions: wholeNumber.max(10_000_000, "ten million at most").default(250).meta({
      description: "how many the first seller gets; 250 if left out",
      placeholder: "N",
    }),
    branches: wholeNumber.max(MAX_BRANCHES, `${MAX_BRANCHES} at most`).default(2).meta({
      description:
        "how many branches it has, each with three products and an address for webhooks; 2 if left out",
      placeholder: "N",
    }),
    history: flag("gives the first seller a year of payments, and weeks of deliveries"),
  },
  async ({ pool, config, now, progress }, { subscriptions, branches, history }) => {
    const sellers = await seedDemonstration(pool, {
      subscriptions,
      branches,
      history,
      now: now(),
      publicUrl: config.publicUrl,
      mode: config.mode,
      secretsKey: config.secretsKey,
      ...(progress ? { onProgress: (done) => progress(bar(done, subscriptions)) } : {}),
    });
    progress?.("\r\u001b[K");
    return { json: { sellers }, text: sellers.map(describe).join("\n") };
  },
);

const WIDTH = 30;

function bar(done: number, all: number): string {
  const full = Math.round((done / all) * WIDTH);
  return `\r[${"#".repeat(full)}${"-".repeat(WIDTH - full)}] ${done.toLocaleString("en")} of ${all.toLocaleString("en")}`;
}

const describe = ({ name, state, keys }: SeededSeller) =>
  [
    `${name} (${state.replace("_", " ")})`,
    ...keys.map(
      (key) =>
        `  ${key.mode} ${key.state.padEnd(8)}  ${key.key ?? `${key.prefix}, shown earlier`}`,
    ),
  ].join("\n");
