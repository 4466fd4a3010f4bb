import * as z from "zod";
import { SETTING_KINDS } from "./names.ts";
import { required, type WireTypes } from "./wire.ts";

/** A setting that an adapter of a provider needs, read from its own schema. */
export const providerSetting = (wire: WireTypes) =>
  wire.object({
    name: wire.text,
    kind: wire.oneOf(SETTING_KINDS),
    description: wire.text,
    choices: wire.list(wire.text),
    /** The default; null if there is none. */
    standard: wire.nullable(wire.text),
    is_required: wire.boolean,
  });
export type ProviderSetting = z.output<ReturnType<typeof providerSetting>>;

/** The stored settings of a provider: values of public ones, names of secret ones. */
export const storedSettings = (wire: WireTypes) => ({
  settings: wire.texts,
  secrets_set: wire.list(wire.text),
});

/** Settings as a seller gives them; a secret that is left out stays. */
export const GivenSettings = z.record(
  z.string().max(60),
  z.string(required("Send text.")).max(4_000, "Use at most 4,000 characters."),
);
