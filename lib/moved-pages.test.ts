import { existsSync, globSync } from "node:fs";
import { expect, test } from "vitest";
import nextConfig from "../next.config.ts";

const APP = new URL("../app/(dashboard)/", import.meta.url);

/** Whether `app/` has a page at this address; folders in parentheses are not part of an address. */
function hasPage(address: string): boolean {
  const wanted = address.replace("/:seller/:mode", "/[seller]/[mode]");
  return globSync("**/page.tsx", { cwd: APP }).some(
    (path) => `/${path}`.replaceAll(/\/\([^)]+\)/g, "").replace(/\/page\.tsx$/, "") === wanted,
  );
}

const redirects = (await nextConfig.redirects?.()) ?? [];

test("former page URLs have redirects", () => {
  expect(redirects.map(({ source }) => source)).toEqual(
    expect.arrayContaining(
      [
        "/collection/results",
        "/figures",
        "/proofs",
        "/settings/webhooks/doctor",
        "/settings/webhooks/received",
      ].map((path) => `/:seller/:mode(test|live)${path}`),
    ),
  );
  expect(existsSync(APP)).toBe(true);
});

test.each(redirects)(
  "$source redirects permanently to a page that exists",
  ({ source, destination, ...rest }) => {
    expect(rest).toEqual({ permanent: true });
    expect(hasPage(destination)).toBe(true);
    expect(hasPage(source.replace("(test|live)", ""))).toBe(false);
  },
);
