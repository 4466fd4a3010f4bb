"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { cn } from "#lib/cn.ts";
import { FOLDED, type CreateSubscriptionValues } from "./create-subscription-values.ts";

interface FoldedFieldsProps {
  part: "billing" | "shipping";
  children: ReactNode;
}

/** Optional fields; while folded they are not sent. */
export function FoldedFields({ part, children }: FoldedFieldsProps) {
  const t = useTranslations("create");
  const path = `client.${part}` as const;
  const { setValue, unregister } = useFormContext<CreateSubscriptionValues>();
  const isOpen = useWatch<CreateSubscriptionValues>({ name: path }) != null;
  const Icon = isOpen ? X : Plus;
  return (
    <Card className="p-4 sm:p-5">
      <div className="flex items-start justify-between gap-4">
        <div className={cn(isOpen && "self-center")}>
          <CardTitle>{t(`${part}.title`)}</CardTitle>
          {!isOpen && <p className="mt-0.5 text-sm text-muted">{t(`${part}.note`)}</p>}
        </div>
        <Button
          aria-expanded={isOpen}
          onClick={() => (isOpen ? unregister(path) : setValue(path, FOLDED[path]))}
        >
          <Icon aria-hidden className="size-4" />
          <span>
            {t.rich(isOpen ? `remove.${part}` : `add.${part}`, {
              hidden: (words) => <span className="sr-only">{words}</span>,
            })}
          </span>
        </Button>
      </div>
      {isOpen && <div className="mt-4 grid gap-4 sm:grid-cols-2">{children}</div>}
    </Card>
  );
}
