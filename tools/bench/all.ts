import { spawn } from "node:child_process";
import { join } from "node:path";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { SERVER_CODE_LOADER_URL } from "../commands.ts";
import { BENCHES, type Bench } from "./harness/all-benches.ts";
import { asMarkdown, requireSection, writeSection } from "./harness/document.ts";

const HELP = `npm run bench all -- [--only name,name] [--sizes N,N] [--quick]
Runs all benchmarks one after the other, over 1,000, 100,000 and 1,000,000 subscriptions where that
matters, and writes the results with machine and date into docs/benchmarks.md. --quick runs a little of
each and writes nothing, to check that they work. Needs a build and takes some hours.`;

const { values } = readOptions({
  options: {
    only: { type: "string" },
    sizes: { type: "string", default: "1000,100000,1000000" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Runs the command of a benchmark. @returns what it printed. @throws CommandFailure when it fails */
async function run({ name }: Bench, options: string[]): Promise<string> {
  console.error(`bench ${name} ${options.join(" ")}`);
  const command = ["--import", SERVER_CODE_LOADER_URL, join(import.meta.dirname, `${name}.ts`)];
  const child = spawn(process.execPath, [...command, ...options], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (some: string) => (text += some));
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  if (code !== 0) throw new CommandFailure(`the benchmark ended with code ${code}.`);
  return text;
}

async function runQuickly(bench: Bench): Promise<void> {
  console.log(asMarkdown(await run(bench, bench.quick)));
}

async function runWhole(bench: Bench, sizes: number[]): Promise<void> {
  const texts: string[] = [];
  for (const options of bench.whole(sizes)) {
    const text = asMarkdown(await run(bench, options));
    texts.push(options.length > 0 ? `\`${options.join(" ")}\`:\n\n${text}` : text);
  }
  console.log(texts.join("\n\n"));
  if (!bench.writesItself) await writeSection(`bench:${bench.name}`, texts.join("\n\n"));
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const sizes = values.sizes.split(",").map(Number);
  if (sizes.some((size) => !(size >= 1_000)))
    throw new CommandFailure("--sizes takes numbers of 1,000 or more.");
  const asked = values.only?.split(",");
  const benches = BENCHES.filter(({ name }) => asked?.includes(name) ?? true);
  if (asked && benches.length < asked.length)
    throw new CommandFailure(
      `--only takes one or more of ${BENCHES.map(({ name }) => name).join(", ")}, separated by commas.`,
    );
  for (const { name } of benches) await requireSection(`bench:${name}`);
  const failed: string[] = [];
  for (const bench of benches) {
    const begun = performance.now();
    try {
      await (values.quick ? runQuickly(bench) : runWhole(bench, sizes));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failed.push(`bench:${bench.name}: ${error.message}`);
    }
    console.error(`  ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  }
  if (failed.length > 0)
    throw new CommandFailure(`some benchmarks did not run.\n${failed.join("\n")}`);
});
