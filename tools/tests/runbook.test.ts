import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const runbook = read("docs/runbook.md");
const found = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, name = ""]) => name);

const alarms = found(read("deploy/alerts.yml"), /- alert: (\w+)/g);
const [, ...sections] = runbook.split(/^## /m).slice(1);

test("every alert has a section of the runbook, and links to it", () => {
  expect(sections.map((section) => section.split("\n", 1)[0])).toEqual(alarms);
  expect(found(read("deploy/alerts.yml"), /runbook_url: "docs\/runbook\.md#(\w+)"/g)).toEqual(
    alarms.map((name) => name.toLowerCase()),
  );
});

test("every section says what its alert means, how to see the cause, what to do and when it is over", () => {
  for (const section of sections)
    expect(found(section, /^\*\*([\w ]+)/gm)).toEqual([
      "Meaning",
      "See it",
      "First",
      "If that fails",
      "Over",
    ]);
});

test("every unit, container, setting and panel that the runbook names exists", () => {
  const units = found(runbook, /duebook@([\w-]+)/g);
  expect(units.length).toBeGreaterThan(2);
  expect(units.filter((name) => !existsSync(join(ROOT, `deploy/ha/${name}.env`)))).toEqual([]);
  const compose = read("compose.yaml");
  const containers = found(
    runbook,
    /docker compose (?:(?:logs|up|exec|restart)(?: -\S+| \d+m)*) ([\w-]+)/g,
  );
  expect(containers.length).toBeGreaterThan(3);
  expect(containers.filter((name) => !compose.includes(`\n  ${name}:`))).toEqual([]);
  const settings = found(runbook, /`([A-Z]+_[A-Z_]+)(?:=\w+)?`/g);
  const known = read("docs/configuration.md") + read("deploy/nginx.conf");
  expect(settings.filter((name) => !known.includes(name))).toEqual([]);
  const panels = found(runbook, /“((?:Billing API|Service)[^”]+)”/g);
  expect(panels.length).toBeGreaterThan(1);
  const dashboard = read("deploy/grafana-dashboard.json");
  expect(panels.filter((title) => !dashboard.includes(`"${title}"`))).toEqual([]);
});
