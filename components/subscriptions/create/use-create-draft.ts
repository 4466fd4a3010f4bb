import { useCallback, useEffect, useRef, useState } from "react";
import { get, type UseFormReturn } from "react-hook-form";
import {
  forgetDraft,
  recallDraft,
  saveDraft,
  type Draft,
} from "#components/forms/draft-memory.ts";
import { useScope } from "#components/context/seller-context.tsx";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import {
  FIELD_PATHS,
  FOLDED,
  type CreateSubscriptionValues,
  type FoldedPath,
} from "./create-subscription-values.ts";

type Form = UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;

interface Typed {
  values: CreateSubscriptionValues;
  /** The link's period or customer. */
  link: string;
}

export interface CreateDraft extends Draft<Typed> {
  /** Offered where the page was opened for something else, or something is typed already. */
  state: "restored" | "offered";
}

interface DraftOptions {
  person: string;
  /** The period or the customer that the page was opened for; empty for none. */
  link: string;
  isOffered: (pbp_id: string) => boolean;
}

/** Keeps what is typed until it is sent, in this tab, and brings it back after a reload. */
export function useCreateDraft(form: Form, { person, link, isOffered }: DraftOptions) {
  const { seller, mode } = useScope();
  const [draft, setDraft] = useState<CreateDraft | null>(null);
  const key = useRef({ person, form: `new-subscription.${seller}.${mode}` });
  const offers = useRef(isOffered);
  // What a link filled in is not worth keeping until somebody adds to it.
  const isTyping = useRef(false);

  const restore = useCallback(
    (kept: Draft<Typed>) => {
      isTyping.current = true;
      const { pbp_id, ...values } = kept.content.values;
      fill(form, offers.current(pbp_id) ? kept.content.values : values);
      setDraft({ ...kept, state: "restored" });
    },
    [form],
  );

  useEffect(() => {
    // After hydration, because only this browser knows it.
    const kept = recallDraft<Typed>(key.current);
    if (!kept) return;
    const isForAnother = link !== "" && link !== kept.content.link;
    if (isForAnother || isWorthKeeping(form.getValues()))
      setDraft({ ...kept, state: "offered" });
    else restore(kept);
  }, [form, link, restore]);

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          if (!isTyping.current) return;
          if (isWorthKeeping(values)) saveDraft(key.current, { values, link });
          else forgetDraft(key.current);
        },
      }),
    [form, link],
  );

  return {
    draft,
    begin: () => {
      isTyping.current = true;
    },
    restore: () => {
      if (!draft) return;
      // In place of what is there: one buyer's email must not stay beside another's phone.
      clear(form);
      restore(draft);
    },
    discard: () => {
      // What was only offered is no part of the form.
      if (draft?.state === "restored") clear(form);
      forgetDraft(key.current);
      setDraft(null);
    },
    forget: () => {
      isTyping.current = false;
      forgetDraft(key.current);
    },
  };
}

function isWorthKeeping({ client }: Partial<CreateSubscriptionValues>): boolean {
  return Object.values(client ?? {}).some(
    (value) => value !== null && value !== "" && value !== undefined,
  );
}

function fill(form: Form, values: Omit<CreateSubscriptionValues, "pbp_id">) {
  for (const fold of Object.keys(FOLDED) as FoldedPath[]) {
    const part = values.client[fold === "client.billing" ? "billing" : "shipping"];
    if (part) form.setValue(fold, part);
  }
  for (const path of FIELD_PATHS) {
    const value: unknown = get(values, path);
    if (typeof value === "string" && value) form.setValue(path, value);
  }
}

function clear(form: Form) {
  form.unregister(["client.billing", "client.shipping"]);
  for (const path of ["phone", "full_name", "email", "address"] as const)
    form.setValue(`client.${path}`, "");
  form.setValue("pbp_id", "");
  form.clearErrors();
}
