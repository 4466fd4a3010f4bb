"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { Moment } from "#components/values/day.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { X } from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { failureOf } from "#lib/failure.ts";
import { noteCustomerAction, removeCustomerNoteAction } from "#lib/customers/actions.ts";
import { customerNotesQuery, type CustomerNotes } from "#lib/customers/queries.ts";
import { type CustomerNote, MAX_CUSTOMER_NOTE_LENGTH } from "#lib/customers/rules.ts";
import { tagCustomerAction, untagCustomerAction } from "#lib/tags/actions.ts";
import { MAX_CUSTOMER_TAGS, MAX_TAG_LENGTH, readTagName } from "#lib/tags/rules.ts";
import { tagKey } from "#lib/text/fold-text.ts";
import { Combobox } from "#components/ui/forms/combobox.tsx";
import { tagPath } from "#lib/customers/search.ts";

/** A customer's tags and notes; kept by the dashboard, so that they work with any billing service. */
export function CustomerNotesCard({ id }: { id: number }) {
  const t = useTranslations("tags");
  const query = useQuery(customerNotesQuery(useScope(), String(id)));
  const { data, error } = query;
  return (
    <Card aria-labelledby="notes-title" className="min-w-0 p-4 lg:col-start-2">
      <CardTitle id="notes-title">{t("title")}</CardTitle>
      {data ? (
        <Kept id={id} kept={data} />
      ) : error ? (
        <FailurePanel failure={failureOf(error)} query={query} />
      ) : (
        <span aria-busy className="skeleton mt-3 h-48" />
      )}
    </Card>
  );
}

interface KeptProps {
  id: number;
  kept: CustomerNotes;
}

function Kept({ id, kept }: KeptProps) {
  const t = useTranslations("tags");
  const mayWrite = usePermission("collection:write");
  if (!kept.has_phone) return <p className="mt-2 text-sm text-muted">{t("noPhone")}</p>;
  return (
    <>
      <Tags {...{ id, kept, mayWrite }} />
      <h3 className="mt-5 font-medium">{t("notes.label")}</h3>
      {mayWrite && <NoteForm id={id} />}
      {kept.notes.length === 0 ? (
        <p className="mt-2 text-sm text-muted">{t("notes.none")}</p>
      ) : (
        <ul aria-label={t("notes.label")} className="mt-3 divide-y">
          {kept.notes.map((note) => (
            <Note key={note.id} customer={id} note={note} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Reads the customer's notes again, and every list that shows tags. */
function useRefresh() {
  const queryClient = useQueryClient();
  const scope = useScope();
  return async () => {
    void queryClient.invalidateQueries({ queryKey: [scope, "subscriptions"] });
    await queryClient.invalidateQueries({ queryKey: [scope, "customers"] });
  };
}

/**
 * After a tag was removed, focuses the button now at its place, else the last button, else the field; does
 * nothing if the focus is elsewhere by now.
 */
function focusNear(part: HTMLElement | null, place: number) {
  if (document.activeElement !== document.body) return;
  const buttons = part?.querySelectorAll<HTMLElement>("li button") ?? [];
  const next = buttons[place] ?? buttons[buttons.length - 1];
  (next ?? part?.querySelector("input"))?.focus();
}

function Tags({ id, kept: { tags, known }, mayWrite }: KeptProps & { mayWrite: boolean }) {
  const t = useTranslations("tags");
  const refresh = useRefresh();
  const add = useSellerAction(tagCustomerAction);
  const remove = useSellerAction(untagCustomerAction);
  const part = useRef<HTMLDivElement>(null);
  const removed = useRef<{ name: string; place: number } | null>(null);
  async function change(by: typeof add, name: string) {
    if (await by.run({ id, name })) await refresh();
  }
  const isPending = add.isPending || remove.isPending;
  useEffect(() => {
    if (removed.current === null || isPending) return;
    const { name, place } = removed.current;
    // After the answer, the tag stays until the list has been read again.
    if (tags.includes(name) && !remove.failure) return;
    removed.current = null;
    focusNear(part.current, place);
  }, [tags, remove.failure, isPending]);
  return (
    <div ref={part}>
      {tags.length === 0 ? (
        <p className="mt-2 text-sm text-muted">{t("none")}</p>
      ) : (
        <ul aria-label={t("label")} aria-busy={isPending} className="mt-3 flex flex-wrap gap-2">
          {tags.map((name, place) => (
            <li
              key={name}
              className="inline-flex max-w-full items-center rounded-full bg-sunken"
            >
              <ScopedLink
                href={tagPath(name)}
                className="min-w-0 rounded-full px-2.5 py-1 text-sm wrap-anywhere hover:underline max-md:py-2.5"
              >
                {name}
              </ScopedLink>
              {mayWrite && (
                <button
                  type="button"
                  aria-label={t("remove", { name })}
                  disabled={isPending}
                  onClick={() => {
                    removed.current = { name, place };
                    void change(remove, name);
                  }}
                  className="flex size-7 shrink-0 items-center justify-center rounded-full hover:bg-canvas max-md:size-11"
                >
                  <X aria-hidden className="size-3.5" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <FailureNotice failure={add.failure ?? remove.failure} />
      {mayWrite && (
        <div className="mt-3">
          {tags.length < MAX_CUSTOMER_TAGS ? (
            <TagField
              id="customer-tag"
              label={t("add")}
              known={known.filter((name) => !tags.includes(name))}
              onChoose={(name) => void change(add, name)}
            />
          ) : (
            <p className="text-sm text-muted">{t("full", { count: MAX_CUSTOMER_TAGS })}</p>
          )}
        </div>
      )}
    </div>
  );
}

function NoteForm({ id }: { id: number }) {
  const t = useTranslations("tags.notes");
  const refresh = useRefresh();
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(noteCustomerAction),
    {
      read: (element) => ({ id, text: fieldText(element, "text") }),
      onDone: () => {
        form.ref.current?.reset();
        showToast({ text: t("saved") });
        void refresh();
      },
    },
  );
  return (
    <form {...form} noValidate className="mt-2 grid gap-2">
      <FailureNotice failure={unshownFailure(failure, new Set(["text"]))} />
      <TextArea
        id="customer-note"
        name="text"
        rows={3}
        className="min-h-20"
        label={t("add")}
        hint={t("hint", { count: MAX_CUSTOMER_NOTE_LENGTH })}
        maxLength={MAX_CUSTOMER_NOTE_LENGTH}
        error={error("text")}
      />
      <Button type="submit" isPending={isPending} className="justify-self-start">
        {t("save")}
      </Button>
    </form>
  );
}

interface NoteProps {
  customer: number;
  note: CustomerNote;
  mayWrite: boolean;
}

function Note({ note: { id, text, at, person_name, may_remove }, mayWrite }: NoteProps) {
  const t = useTranslations("tags.notes");
  const refresh = useRefresh();
  return (
    <li className="py-2.5">
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">
          {t.rich("by", { name: person_name, moment: () => <Moment iso={at} /> })}
        </p>
        {mayWrite && may_remove && (
          <ActionButton
            button={{
              look: "quiet",
              "aria-label": t("removeOf", { name: person_name }),
              children: t("remove"),
            }}
            title={t("removeTitle")}
            label={t("remove")}
            look="danger"
            action={useScopedAction(removeCustomerNoteAction)}
            read={() => ({ id })}
            onDone={(_, close) => {
              close();
              void refresh();
            }}
          >
            {() => <p className="text-pretty">{t("removeText")}</p>}
          </ActionButton>
        )}
      </div>
    </li>
  );
}

interface TagFieldProps {
  id: string;
  label: string;
  /** The tags to choose from. */
  known: readonly string[];
  value?: string;
  onChoose: (name: string) => void;
  error?: string | undefined;
}

/** Chooses one of the seller's tags, or the name of a new one. */
function TagField({ known, value = "", ...props }: TagFieldProps) {
  const t = useTranslations("tags");
  function search(words: string): string[] {
    const key = tagKey(words);
    const found = known.filter((name) => tagKey(name).includes(key));
    const fresh = readTagName(words);
    const isKnown = found.some((name) => tagKey(name) === key);
    return fresh === null || isKnown ? found : [...found, fresh];
  }
  return (
    <Combobox
      {...props}
      value={value}
      chosen={value}
      placeholder={t("placeholder")}
      nothing={t("nothing", { count: MAX_TAG_LENGTH })}
      search={search}
      describe={(name) => ({ title: name, note: known.includes(name) ? "" : t("fresh") })}
    />
  );
}
