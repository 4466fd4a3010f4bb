"use client";

import { type QueryKey, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { IndexFreshness } from "#components/list/index-notice.tsx";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Download, LoaderCircle, SettingsIcon, X } from "#components/ui/icons.tsx";
import { Menu, type MenuEntry } from "#components/ui/overlays/menu.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { describeFailure, failureOf } from "#lib/failure.ts";
import { EXPORT_FORMATS, type ExportFormat, type ExportPreview } from "#lib/list-answer.ts";

type PreviewOptions<Key extends QueryKey> = UseQueryOptions<
  ExportPreview,
  Error,
  ExportPreview,
  Key
>;

interface ExportMenuProps<Key extends QueryKey> {
  preview: PreviewOptions<Key>;
  /** Sets of columns that a file can have. */
  columns: readonly ("shown" | "all")[];
  fetchFile: FetchExport;
}

type FetchExport = (
  format: ExportFormat,
  columns: "shown" | "all",
  signal: AbortSignal,
) => Promise<{ name: string; content: Blob }>;

/** A menu that exports all pages of a list, and says how many rows they have. */
export function ExportMenu<Key extends QueryKey>({
  preview,
  columns,
  fetchFile,
}: ExportMenuProps<Key>) {
  const t = useTranslations("finding.export");
  // This query only reads the cache; the heading fetches when the menu opens.
  const known = useQuery({ ...preview, enabled: false }).data;
  const { making, make, stop } = useExport(fetchFile);
  const isAbsent = known !== undefined && known.state !== "ready";
  const files = columns.flatMap((set, at) =>
    EXPORT_FORMATS.map((format): MenuEntry => {
      const id = `${format} ${set}`;
      return {
        label: t(format),
        note: t(set),
        icon: Download,
        isPending: making === id,
        isDisabled: making !== null && making !== id,
        onSelect: () => make(id, format, set),
        isApart: at > 0 && format === EXPORT_FORMATS[0],
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
      heading={<ExportHeading preview={preview} />}
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

function ExportHeading<Key extends QueryKey>({
  preview,
}: Pick<ExportMenuProps<Key>, "preview">) {
  const t = useTranslations("finding.export");
  const tAll = useTranslations();
  const { data, error } = useQuery(preview);
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

function useExport(fetchFile: FetchExport) {
  const t = useTranslations("finding.export");
  const tAll = useTranslations();
  const [making, setMaking] = useState<string | null>(null);
  const abort = useRef<AbortController>(null);

  async function make(id: string, format: ExportFormat, columns: "shown" | "all") {
    const controller = new AbortController();
    abort.current = controller;
    setMaking(id);
    try {
      const file = await fetchFile(format, columns, controller.signal);
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

/** Saves a file only when it is complete, because a part of it would look like a shorter list. */
function save({ name, content }: { name: string; content: Blob }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Released after a minute, when the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
