import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { joinScripts } from "./joined-scripts.ts";

const PAGE = "server/app/list/page_client-reference-manifest.js";
const STATS = "diagnostics/route-bundle-stats.json";

const addressOf = (name: string) => `static/chunks/${name}.js`;
const script = (name: string) =>
  `(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(["object"==typeof document?document.currentScript:void 0,"${name}"])`;

/** A build of two pages with a frame of two scripts. */
function build() {
  const folder = mkdtempSync(join(tmpdir(), "joined-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const start = ["first", "react", "runtime"].map(addressOf);
  const frame = ["frame", "menu"].map(addressOf);
  for (const name of ["react", "frame", "menu", "list"]) write(addressOf(name), script(name));
  write(addressOf("runtime"), "(()=>{globalThis.isRunning=true})()");
  const pages = [
    [...frame, addressOf("list"), ...start],
    [...frame, ...start],
  ];
  write(
    STATS,
    JSON.stringify(
      pages.map((all) => ({ firstLoadChunkPaths: all.map((one) => `.next/${one}`) })),
    ),
  );
  write("build-manifest.json", `{"rootMainFiles": ${JSON.stringify(start, null, 2)}}`);
  write(
    PAGE,
    `all={"chunks":${JSON.stringify([...frame, addressOf("list")].map((one) => `/_next/${one}`))}}`,
  );
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  return { folder, read };
}

test("scripts that pages always load together are joined into one file", () => {
  const { folder, read } = build();
  joinScripts(folder);
  const named = JSON.parse(read("build-manifest.json")) as { rootMainFiles: string[] };
  const [first, start = "", ...rest] = named.rootMainFiles;
  expect([first, rest]).toEqual([addressOf("first"), []]);
  const [list] = /\[.*\]/.exec(read(PAGE)) ?? [];
  const [both = "", ...others] = JSON.parse(list ?? "") as string[];
  expect(both).toBe(`/_next/${start}`);
  expect(others).toEqual([`/_next/${addressOf("list")}`]);
  const [listPage, other] = JSON.parse(read(STATS)) as { firstLoadChunkPaths: string[] }[];
  expect(listPage?.firstLoadChunkPaths).toHaveLength(3);
  expect(other?.firstLoadChunkPaths).toEqual([`.next/${start}`, `.next/${addressOf("first")}`]);
});

test("each part of a joined script registers under the URL of its original file", () => {
  const { folder, read } = build();
  joinScripts(folder);
  const { rootMainFiles } = JSON.parse(read("build-manifest.json")) as {
    rootMainFiles: string[];
  };
  const page = {
    document: { currentScript: "itself" },
    TURBOPACK: [] as unknown[],
    isRunning: false,
  };
  runInNewContext(read(rootMainFiles[1] ?? ""), page);
  expect(page.isRunning).toBe(true);
  expect(page.TURBOPACK.map((one) => [...(one as unknown[])])).toEqual([
    [addressOf("react"), "react"],
    [addressOf("frame"), "frame"],
    [addressOf("menu"), "menu"],
    ["itself"],
  ]);
});
