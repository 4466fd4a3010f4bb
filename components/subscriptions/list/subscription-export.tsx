"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { IndexFreshness } from "#components/list/index-notice.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Download, LoaderCircle, SettingsIcon, X } from "#components/ui/icons.tsx";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { describeFailure, failureOf } from "#lib/failure.ts";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  exportPreviewQuery,
  fetchExport,
} from "#lib/subscriptions/export/queries.ts";
import type { SubscriptionSearch } from "#lib/subscriptions/search.ts";

interface SubscriptionExportProps {
  search: SubscriptionSearch;
  words: string;
  shown: readonly SubscriptionColumn[];
}

export function SubscriptionExport(props: SubscriptionExportProps) {
  return usePermission("subscriptions:export") ? <ExportMenu {...props} /> : null;
}

function ExportMenu({ search, words, shown }: SubscriptionExportProps) {
  const t = useTranslations("finding.export");
  // This query only reads the cache; the heading fetches when the menu opens.
  const query = exportPreviewQuery(useScope(), search, words);
  const preview = useQuery({ ...query, enabled: false }).data;
  const { making, make, stop } = useExport({ search, words });
  const isAbsent = preview !== undefined && preview.state !== "ready";
  const files = [shown, null].flatMap((columns) =>
    EXPORT_FORMATS.map((format): MenuEntry => {
      const id = `${format} ${columns === null ? "all" : "shown"}`;
      return {
        label: t(format),
        note: t(columns === null ? "all" : "shown"),
        icon: Download,
        isPending: making === id,
        isDisabled: making !== null && making !== id,
        onSelect: () => make(id, format, columns),
        isApart: columns === null && format === EXPORT_FORMATS[0],
      };
    }),
  );
  const settings = {
    label: t("settings"),
    icon: SettingsIcon,
    link: <ScopedLink href="/settings/connection" />,
  };
  return (
    <Menu
      label={t("label")}
      align="end"
      heading={<ExportHeading {...{ search, words }} />}
      entries={[
        ...(isAbsent ? [settings] : files),
        ...(making === null
          ? []
          : [{ label: t("stop"), icon: X, onSelect: stop, isApart: true }]),
      ]}
      trigger={(trigger) => (
        <button type="button" className={buttonClass()} {...trigger}>
          {making === null ? (
            <Download aria-hidden className="size-4" />
          ) : (
            <LoaderCircle aria-hidden className="size-4 animate-spin" />
          )}
          {t("title")}
        </button>
      )}
    />
  );
}

function ExportHeading({ search, words }: Pick<SubscriptionExportProps, "search" | "words">) {
  const t = useTranslations("finding.export");
  const tAll = useTranslations();
  const { data, error } = useQuery(exportPreviewQuery(useScope(), search, words));
  const text = () => {
    if (data?.state === "ready")
      return (
        <>
          {t("rows", { count: data.count })} <IndexFreshness found={data} />
        </>
      );
    if (data?.state === "halted") return t("halted");
    if (data?.state === "filling")
      return data.total === null
        ? t("filling", { read: data.read })
        : t("fillingOf", { read: data.read, total: data.total });
    return error ? describeFailure(tAll, failureOf(error)).title : t("looking");
  };
  return <span className="block text-sm text-muted tabular-nums">{text()}</span>;
}

function useExport({ search, words }: Pick<SubscriptionExportProps, "search" | "words">) {
  const t = useTranslations("finding.export");
  const tAll = useTranslations();
  const scope = useScope();
  const [making, setMaking] = useState<string | null>(null);
  const abort = useRef<AbortController>(null);

  async function make(id: string, format: ExportFormat, columns: readonly string[] | null) {
    const controller = new AbortController();
    abort.current = controller;
    setMaking(id);
    try {
      const wanted = { search, format, columns: columns && [...columns] };
      const file = await fetchExport(scope, wanted, words, controller.signal);
      save(file);
      showToast({ text: t("saved", { name: file.name }) });
    } catch (error) {
      if (controller.signal.aborted) return;
      const failure = failureOf(error);
      const text =
        failure.kind === "unanswered" ? t("broken") : describeFailure(tAll, failure).title;
      showToast({ text, isFailure: true });
    } finally {
      setMaking(null);
    }
  }

  return { making, make, stop: () => abort.current?.abort() };
}

/** Saves a file once it is complete: a part of one would look like a shorter list. */
function save({ name, content }: { name: string; content: Blob }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Released after a minute, when the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
