"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useHydrated } from "#components/ui/button.tsx";

/** The selected rows, on all pages. */
export interface RowSelection<Row> {
  has: (row: Row) => boolean;
  /** @param isRange selects all rows since the previously toggled one (Shift is down) */
  toggle: (row: Row, isRange: boolean) => void;
  /** How many of this page's rows are selected. */
  page: "none" | "some" | "all";
  togglePage: () => void;
  nameOf: (row: Row) => string;
  /** True while loading: the page replaces this render, so a selection would be lost. */
  isPlaceholder?: boolean;
}

interface SelectionBoxProps {
  label: string;
  isChecked: boolean;
  isMixed?: boolean;
  isOff?: boolean | undefined;
  onToggle: (isRange: boolean) => void;
}

/** A checkbox that fills its cell, above the link that spans the row. */
export function SelectionBox({
  label,
  isChecked,
  isMixed = false,
  isOff = false,
  onToggle,
}: SelectionBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isReady = useHydrated();
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label className="select-box">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={!isReady || isOff}
        onChange={({ nativeEvent }) =>
          onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

/**
 * The checkbox in the heading. Hidden on phones, where the bar of the selection selects the page.
 */
export function SelectionHead<Row>({ selection }: { selection: RowSelection<Row> }) {
  const t = useTranslations("table.select");
  return (
    <th role="columnheader" scope="col" data-col="select">
      <SelectionBox
        label={t("page")}
        isChecked={selection.page === "all"}
        isMixed={selection.page === "some"}
        isOff={selection.isPlaceholder}
        onToggle={selection.togglePage}
      />
    </th>
  );
}

interface SelectionCellProps<Row> {
  selection: RowSelection<Row>;
  /** The row; undefined for a skeleton row. */
  row?: Row;
}

export function SelectionCell<Row>({ selection, row }: SelectionCellProps<Row>) {
  const t = useTranslations("table.select");
  return (
    <td role="cell" data-col="select">
      {row !== undefined && (
        <SelectionBox
          label={t("row", { name: selection.nameOf(row) })}
          isChecked={selection.has(row)}
          isOff={selection.isPlaceholder}
          onToggle={(isRange) => selection.toggle(row, isRange)}
        />
      )}
    </td>
  );
}
