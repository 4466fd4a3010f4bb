import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { PaymentTaskDecision } from "#contract/names.ts";
import type { PaymentTask } from "#contract/recorded-payments.ts";
import { usePermission } from "#components/context/seller-context.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { useRefreshMoney } from "#components/forms/by-hand/record-payment.tsx";
import {
  fieldText,
  FailureNotice,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { ChoiceCard, ChoiceGroup } from "#components/ui/forms/choices.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { RefreshCw } from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { askAgainAction, decidePaymentTaskAction } from "#lib/payments/tasks/actions.ts";
import { TASK_DECISIONS } from "#lib/payments/tasks/rules.ts";

type Decision = (typeof TASK_DECISIONS)[number];

const isDecision = (value: string): value is Decision =>
  (TASK_DECISIONS as readonly string[]).includes(value);

/** Refreshes the page and everything else that shows payments. */
function useRefresh() {
  const router = useRouter();
  const refreshMoney = useRefreshMoney();
  return () => {
    refreshMoney();
    router.refresh();
  };
}

/** Buttons to decide about the money with a note, or to ask the provider again. */
export function TaskButtons({ task }: { task: PaymentTask }) {
  const t = useTranslations("moneyToCheck");
  const mayDecide = usePermission("payments:approve");
  const mayAsk = usePermission("payments:record");
  const choices = task.decisions.filter(isDecision);
  const canAsk = (task.decisions as PaymentTaskDecision[]).includes("ask_again");
  return (
    <div className="flex flex-wrap items-start gap-2">
      {mayDecide && choices.length > 0 && <DecideButton task={task} choices={choices} />}
      {mayAsk && canAsk && <AskButton task={task} />}
      {!mayDecide && <p className="self-center text-sm text-muted">{t("decide.notAllowed")}</p>}
    </div>
  );
}

function DecideButton({ task, choices }: { task: PaymentTask; choices: Decision[] }) {
  const t = useTranslations("moneyToCheck");
  const refresh = useRefresh();
  const decide = useScopedAction(decidePaymentTaskAction);
  const only = choices.length === 1 ? choices[0] : undefined;
  const name = task.full_name ?? task.reference ?? "";
  const provider = task.provider_label ?? t("provider");
  return (
    <ActionButton
      noValidate
      title={t(only ? "decide.noteTitle" : "decide.title", { name })}
      label={t(only ? "decide.saveNoted" : "decide.save")}
      button={{
        look: "primary",
        children: t(only ? "decide.buttonNoted" : "decide.button"),
      }}
      read={(form) => form}
      action={(form: HTMLFormElement) => {
        const decision = only ?? fieldText(form, "decision");
        return decide({
          id: task.id,
          decision: decision as Decision,
          note: fieldText(form, "note"),
        });
      }}
      onDone={({ decision }, close) => {
        close();
        showToast({
          text: isDecision(decision ?? "") ? t(`done.${decision as Decision}`) : "",
        });
        refresh();
      }}
    >
      {(error) => (
        <>
          {only ? (
            <p className="text-pretty">{t(`does.${only}`, { provider })}</p>
          ) : (
            <Choices choices={choices} provider={provider} error={error("decision")} />
          )}
          <TextArea
            id="note"
            name="note"
            rows={3}
            maxLength={500}
            label={t("decide.note")}
            hint={t("decide.noteHint")}
            error={error("note")}
          />
        </>
      )}
    </ActionButton>
  );
}

interface ChoicesProps {
  choices: Decision[];
  provider: string;
  error: string | undefined;
}

function Choices({ choices, provider, error }: ChoicesProps) {
  const t = useTranslations("moneyToCheck");
  return (
    <ChoiceGroup id="decision" label={t("decide.what")} error={error}>
      {choices.map((decision) => (
        <ChoiceCard
          key={decision}
          type="radio"
          name="decision"
          value={decision}
          title={t(`decisions.${decision}`)}
          text={t(`does.${decision}`, { provider })}
        />
      ))}
    </ChoiceGroup>
  );
}

function AskButton({ task }: { task: PaymentTask }) {
  const t = useTranslations("moneyToCheck");
  const refresh = useRefresh();
  const { run, isPending, failure } = useSellerAction(askAgainAction);
  const provider = task.provider_label ?? t("provider");

  async function ask() {
    const done = await run({ id: task.id });
    if (!done) return;
    const isDecided = done.value.closed_at !== null;
    showToast({
      text: t(isDecided ? "ask.decided" : "ask.same", {
        provider,
        word: done.value.detail ?? "",
      }),
    });
    refresh();
  }

  return (
    <div className="grid gap-2">
      <Button isPending={isPending} onClick={() => void ask()}>
        <RefreshCw aria-hidden className="size-4" />
        {t("ask.button", { provider })}
      </Button>
      <FailureNotice failure={failure} />
    </div>
  );
}
