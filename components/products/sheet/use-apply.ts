import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { UNANSWERED_RESULT, useScopedAction } from "#components/forms/use-action.tsx";
import { describeFailure, type Failure, isChangedSince } from "#lib/failure.ts";
import { changeProductAction, createProductAction } from "#lib/products/actions.ts";
import { productsKey } from "#lib/products/queries.ts";
import type { SheetChange } from "#lib/products/sheet/queries.ts";

export interface Applied {
  state: "waiting" | "running" | "stopped" | "done";
  /** How many changes were tried and answered. */
  tried: number;
  /** How many products were changed or added. */
  changed: number;
  /** Products that were left as they are, and why. */
  failed: { name: string; text: string }[];
  /** Why the run stopped. */
  failure: Failure | null;
}

const WAITING: Applied = { state: "waiting", tried: 0, changed: 0, failed: [], failure: null };

/** Failures of one product alone; all others stop the run, which can go on later. */
const OF_ONE_PRODUCT = new Set<Failure["kind"]>(["conflict", "validation", "not_found"]);

/** Makes changes one product after the other, by the actions of the product's form. */
export function useApply(changes: readonly SheetChange[]) {
  const t = useTranslations("sheet.apply");
  const tAll = useTranslations();
  const scope = useScope();
  const queryClient = useQueryClient();
  const create = useScopedAction(createProductAction);
  const change = useScopedAction(changeProductAction);
  const [applied, setApplied] = useState(WAITING);
  const isUnderWay = useRef(false);

  const apply = (one: SheetChange) => {
    const { product, is_active } = one;
    if (one.kind === "add") return create({ form: one.form, product, is_active });
    const { product_id, version } = one;
    return change({ product_id, version, product, is_active });
  };

  const reasonOf = (failure: Failure) =>
    isChangedSince(failure) ? t("meanwhile") : describeFailure(tAll, failure, "write").title;

  /** Begins, or continues where the run stopped. */
  async function run() {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    let now: Applied = { ...applied, state: "running", failure: null };
    setApplied(now);
    for (const one of changes.slice(now.tried)) {
      const result = await apply(one).catch(() => UNANSWERED_RESULT);
      if (!result.ok && !OF_ONE_PRODUCT.has(result.failure.kind)) {
        now = { ...now, state: "stopped", failure: result.failure };
        break;
      }
      now = {
        ...now,
        tried: now.tried + 1,
        changed: now.changed + (result.ok ? 1 : 0),
        failed: result.ok
          ? now.failed
          : [...now.failed, { name: one.name, text: reasonOf(result.failure) }],
      };
      setApplied(now);
    }
    if (now.state === "running") now = { ...now, state: "done" };
    setApplied(now);
    isUnderWay.current = false;
    void queryClient.invalidateQueries({ queryKey: productsKey(scope) });
  }

  return { applied, run };
}
