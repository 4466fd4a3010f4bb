import { parseArgs } from "node:util";
import type pg from "pg";
import * as z from "zod";
import type { Config } from "../config.ts";

/** An expected failure of a command: printed as one line, exit code 1. */
export class AdminCommandFailure extends Error {}

/** Wrong use of a command: exit code 2. */
export class UsageError extends AdminCommandFailure {}

export interface AdminContext {
  pool: pg.Pool;
  config: Config;
  now: () => Date;
  readInput: () => Promise<string>;
  /** Output for a progress bar; null if standard error is not a terminal. */
  progress: ((text: string) => void) | null;
}

/** The result of a command: `json` for programs, `text` for people. */
export interface CommandResult {
  json: unknown;
  text: string;
}

export interface Command {
  name: string;
  about: string;
  options: z.ZodObject;
  run: (context: AdminContext, given: Record<string, unknown>) => Promise<CommandResult>;
}

/** A command; its options are a zod object whose descriptions are also the help text. */
export function defineCommand<Shape extends z.ZodRawShape>(
  name: string,
  about: string,
  shape: Shape,
  run: (context: AdminContext, options: z.output<z.ZodObject<Shape>>) => Promise<CommandResult>,
): Command {
  const options = z.object(shape);
  return {
    name,
    about,
    options,
    run: async (context, given) => {
      const parsed = options.safeParse(given);
      if (parsed.success) return run(context, parsed.data);
      const [issue] = parsed.error.issues;
      const option = String(issue?.path[0]);
      throw new UsageError(
        given[option] === undefined
          ? `--${option} is missing`
          : `--${option}: ${issue?.message ?? "not usable"}`,
      );
    },
  };
}

export const flag = (about: string) => z.boolean().default(false).describe(about);

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap())
    : schema;
const isFlag = (schema: unknown) => unwrap(schema) instanceof z.ZodBoolean;

export function readOptions(command: Command, words: string[]): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(command.options.shape).map(([name, schema]) => [
      name,
      { type: isFlag(schema) ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return { ...parseArgs({ args: words, options, allowPositionals: false }).values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function describeCommand(command: Command): string {
  const rows = Object.entries(command.options.shape).map(([name, schema]) => {
    const inner = unwrap(schema) as z.ZodType;
    const { description = "", placeholder = "TEXT" } = {
      ...inner.meta(),
      ...(schema as z.ZodType).meta(),
    };
    const value = isFlag(schema) ? "" : ` ${String(placeholder)}`;
    const need = (schema as z.ZodType).safeParse(undefined).success ? "" : " (required)";
    return `  ${`--${name}${value}`.padEnd(30)}${description}${need}`;
  });
  return [
    `Usage: npm run -s service:admin -- ${command.name} [options]`,
    "",
    command.about,
    "",
    "Options",
    ...rows,
    `  ${"--json".padEnd(30)}print JSON instead of text`,
    `  ${"--help".padEnd(30)}print this text`,
  ].join("\n");
}
