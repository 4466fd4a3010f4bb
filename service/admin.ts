import { text } from "node:stream/consumers";
import { runCommandLine } from "./admin/run.ts";

process.env.TZ = "UTC";

const { stdin, stdout, stderr } = process;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  readInput: () => text(stdin),
  print: (line) => stdout.write(`${line}\n`),
  complain: (line) => stderr.write(`${line}\n`),
  progress: stderr.isTTY ? (line) => stderr.write(line) : null,
});
