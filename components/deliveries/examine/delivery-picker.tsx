import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import type { Delivery, DeliveryRow } from "#contract/deliveries.ts";
import { type ExamineSearch, parseDeliverySearch } from "#lib/deliveries/search.ts";
import { deliveriesQuery } from "#lib/deliveries/queries.ts";

interface DeliveryPickerProps {
  picked: ExamineSearch;
  delivery: Delivery | undefined;
  onPick: (next: ExamineSearch) => void;
}

const NEWEST = parseDeliverySearch({});

/** Picks a recent sent delivery and one of its attempts; empty where the service lists no deliveries. */
export function DeliveryPicker({ picked, delivery, onPick }: DeliveryPickerProps) {
  const t = useTranslations("examine.form");
  const id = useId();
  const format = useFormat();
  const { data } = useQuery(deliveriesQuery(useScope(), NEWEST));
  const listed: DeliveryRow[] = (data?.deliveries ?? []).filter(({ attempts }) => attempts > 0);
  const isListed = listed.some((one) => String(one.id) === picked.delivery);
  const choices = delivery && !isListed ? [delivery, ...listed] : listed;
  if (choices.length === 0) return null;
  const attempts = delivery?.attempt_list ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
      <SelectField
        id={`${id}-delivery`}
        label={t("pick")}
        value={picked.delivery ?? ""}
        onChange={(event) =>
          onPick({ delivery: event.currentTarget.value || null, attempt: null, received: null })
        }
        options={choices.map((one) => [
          String(one.id),
          [one.event, format.dateTime(one.created_at), `#${one.id}`].join(" · "),
        ])}
      >
        <option value="">{t("none")}</option>
      </SelectField>
      {attempts.length > 1 && (
        <SelectField
          id={`${id}-attempt`}
          label={t("attempt")}
          value={String(picked.attempt ?? attempts.length)}
          onChange={(event) =>
            onPick({ ...picked, attempt: Number(event.currentTarget.value) })
          }
          options={attempts.map((_, at) => [
            String(at + 1),
            t("attemptName", { number: at + 1 }),
          ])}
        />
      )}
    </div>
  );
}
