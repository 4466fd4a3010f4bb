"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { failureOf } from "#lib/failure.ts";
import { deleteTagAction, renameTagAction } from "#lib/tags/actions.ts";
import { tagsQuery } from "#lib/subscriptions/queries.ts";
import { tagPath } from "#lib/customers/search.ts";
import { type CountedTag, MAX_TAG_LENGTH } from "#lib/tags/rules.ts";

/** The seller's tags: each leads to its customers; admins rename, merge and delete them. */
export function TagManager({ onClose }: { onClose: () => void }) {
  const t = useTranslations("tags.manage");
  const mayChange = usePermission("views:share");
  const queryClient = useQueryClient();
  const scope = useScope();
  const query = useQuery(tagsQuery(scope));
  const [changed, setChanged] = useState<{ tag: CountedTag; by: "rename" | "delete" } | null>(
    null,
  );
  const { data: tags, error } = query;
  if (error) return <FailurePanel failure={failureOf(error)} query={query} />;
  if (!tags) return <span aria-busy className="skeleton h-48" />;
  if (changed) {
    const { tag, by } = changed;
    const end = () => setChanged(null);
    const done = () => {
      end();
      void queryClient.invalidateQueries({ queryKey: [scope, "subscriptions"] });
      void queryClient.invalidateQueries({ queryKey: [scope, "customers"] });
    };
    return by === "rename" ? (
      <RenameForm tag={tag} onClose={end} onDone={done} />
    ) : (
      <DeleteForm tag={tag} onClose={end} onDone={done} />
    );
  }
  if (tags.length === 0) return <p>{t("none")}</p>;
  return (
    <>
      {mayChange && <p className="mb-2 text-sm text-muted">{t("text")}</p>}
      <ul aria-label={t("title")} className="divide-y rounded border">
        {tags.map((tag) => (
          <li key={tag.id} className="flex flex-wrap items-center gap-x-2 px-3 py-1.5">
            <span className="min-w-0 flex-[1_1_9rem]">
              <ScopedLink
                href={tagPath(tag.name)}
                onNavigate={onClose}
                aria-label={t("show", { name: tag.name })}
                className="inline-flex items-center rounded font-medium wrap-anywhere text-accent hover:underline max-md:min-h-11"
              >
                {tag.name}
              </ScopedLink>{" "}
              <span className="text-sm text-muted tabular-nums">
                {t("customers", { count: tag.customers })}
              </span>
            </span>
            {mayChange &&
              (["rename", "delete"] as const).map((by) => (
                <Button
                  key={by}
                  look="quiet"
                  aria-label={t(by === "rename" ? "renameOf" : "deleteOf", { name: tag.name })}
                  onClick={() => setChanged({ tag, by })}
                >
                  {t(by)}
                </Button>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
}

interface TagFormProps {
  tag: CountedTag;
  onClose: () => void;
  onDone: () => void;
}

function RenameForm({ tag: { id, name }, onClose, onDone }: TagFormProps) {
  const t = useTranslations("tags.manage");
  return (
    <ActionForm
      noValidate
      label={t("save")}
      action={useScopedAction(renameTagAction)}
      read={(form) => ({ id, name: fieldText(form, "name") })}
      onClose={onClose}
      onDone={onDone}
    >
      {(error) => (
        <TextField
          ref={initialFocus}
          id="tag-name"
          name="name"
          label={t("renameOf", { name })}
          maxLength={MAX_TAG_LENGTH}
          autoComplete="off"
          defaultValue={name}
          error={error("name")}
        />
      )}
    </ActionForm>
  );
}

function DeleteForm({ tag: { id, name, customers }, onClose, onDone }: TagFormProps) {
  const t = useTranslations("tags.manage");
  return (
    <ActionForm
      label={t("delete")}
      look="danger"
      action={useScopedAction(deleteTagAction)}
      read={() => ({ id })}
      onClose={onClose}
      onDone={onDone}
    >
      {() => (
        <div>
          <p className="font-medium wrap-anywhere">{t("deleteTitle", { name })}</p>
          <p className="mt-1">{t("deleteText", { count: customers })}</p>
        </div>
      )}
    </ActionForm>
  );
}
