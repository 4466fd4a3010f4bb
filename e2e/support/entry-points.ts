import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PERMISSIONS, type Permission } from "#lib/auth/permissions.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** A page, route or action of the dashboard, and the guard in its source. */
export interface EntryPoint {
  kind: "page" | "route" | "action";
  /** The source file; for an action also its export. */
  name: string;
  /** The path with parameters in brackets; for an action the path of a page that uses it. */
  path: string;
  guard: "seller" | "person" | "operator" | "public" | "none";
  permission: Permission | null;
  /** The method of the request; GET if a route has several. */
  method: "GET" | "POST";
  /** The id by which the browser calls the action. */
  actionId: string | null;
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

let listed: EntryPoint[] | undefined;

/** Every page and route of the source, and every action of the build. */
export const listEntryPoints = (): EntryPoint[] => (listed ??= readEntryPoints());

function readEntryPoints(): EntryPoint[] {
  const pages = globSync("app/**/page.tsx", { cwd: ROOT }).map((file) =>
    entryPoint(
      "page",
      file,
      read(file),
      /\bsellerPage\(\s*params,\s*"([^"]+)"/,
      /\bpersonPage\(/,
    ),
  );
  const routes = globSync("app/**/route.ts", { cwd: ROOT }).map((file) =>
    entryPoint("route", file, read(file), /\bsellerRoute\(\s*"([^"]+)"/, /\bpersonRoute\(/),
  );
  return [...pages, ...routes, ...listActions()].sort((a, b) => a.name.localeCompare(b.name));
}

function entryPoint(
  kind: "page" | "route",
  file: string,
  text: string,
  ofSeller: RegExp,
  ofPerson: RegExp,
): EntryPoint {
  const permission = readPermission(ofSeller.exec(text)?.[1], file);
  const others = [
    ["operator", /\boperator(?:Page|Route)\(/],
    ["person", ofPerson],
  ] as const;
  const [guard = "none"] = permission
    ? (["seller"] as const)
    : (others.find(([, found]) => found.test(text)) ?? []);
  const method = /export const POST\b/.test(text) && !/\bGET\b/.test(text) ? "POST" : "GET";
  return { kind, name: file, path: addressOf(file), guard, permission, method, actionId: null };
}

interface Manifest {
  node: Record<
    string,
    { workers: Record<string, unknown>; filename: string; exportedName: string }
  >;
}

function listActions(): EntryPoint[] {
  const manifest = JSON.parse(read(".next/server/server-reference-manifest.json")) as Manifest;
  return Object.entries(manifest.node).map(([actionId, entry]) => {
    const { filename, exportedName, workers } = entry;
    const name = `${filename} ${exportedName}`;
    const declaration = new RegExp(
      `export const ${exportedName} = (seller|person|operator|public)Action\\(\\{([\\s\\S]*?)\\n\\}\\);`,
    ).exec(read(filename));
    const [, guard = "none", body = ""] = declaration ?? [];
    const [page = ""] = Object.keys(workers);
    const permission =
      guard === "seller" ? readPermission(/permission: "([^"]+)"/.exec(body)?.[1], name) : null;
    return {
      kind: "action",
      name,
      path: addressOf(page),
      guard: guard as EntryPoint["guard"],
      permission,
      method: "POST" as const,
      actionId,
    };
  });
}

function readPermission(text: string | undefined, where: string): Permission | null {
  if (text === undefined) return null;
  const permission = PERMISSIONS.find((known) => known === text);
  if (!permission) throw new Error(`${where} asks for '${text}', which is no permission`);
  return permission;
}

/** The path of a file below app/, without route groups. */
function addressOf(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/").slice(1, -1);
  return `/${parts.filter((part) => !part.startsWith("(")).join("/")}`;
}

/** @param values the values of the parameters in brackets */
export function fillPathParameters(path: string, values: Record<string, string>): string {
  return path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for [${name}] in the path ${path}`);
    return value;
  });
}
