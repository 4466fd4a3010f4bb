import { expect, it } from "vitest";
import { pathWithoutIds } from "#lib/trace.ts";
import { ACCOUNT_ACCESS } from "../../service/http/access.ts";

it.each(Object.keys(ACCOUNT_ACCESS))(
  "metrics name the endpoint %s by its words, without ids",
  (operation) => {
    const path = operation.replace(/^\w+ \/|\/$/g, "");
    const template = path.replace(/:\w+/g, "{id}");
    expect(pathWithoutIds(path.replace(/:\w+/g, "f00d-7"))).toBe(template);
  },
);
