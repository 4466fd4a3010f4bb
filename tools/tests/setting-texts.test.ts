import { expect, test } from "vitest";
import { ADAPTERS } from "../../service/messages/channels/adapters.ts";
import { describeSettings } from "../../service/outgoing/adapter-settings.ts";
import { PROVIDER_ADAPTERS } from "../../service/providers/adapters.ts";
import { CATALOGUES } from "#tools/testing/messages.ts";

test("the dashboard describes every setting of a payment provider, in English with the service's text", () => {
  const english: Record<string, string> = CATALOGUES.en.settingTexts.of;
  const used = [...ADAPTERS, ...PROVIDER_ADAPTERS].flatMap((adapter) =>
    describeSettings(adapter).map(({ name, description }) => {
      const key = `${adapter.provider}_${name}`;
      return [key in english ? key : name, description];
    }),
  );
  expect(Object.fromEntries(used)).toEqual(english);
  for (const [key, description] of used)
    expect([key, english[key ?? ""]]).toEqual([key, description]);
});
