import { useTranslations } from "next-intl";
import { PageLink } from "#components/context/seller-context.tsx";
import { AccountElsewhere } from "#components/forms/account-elsewhere.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { PageHeader, PageSwitch } from "#components/shell/page-header.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CircleCheck, History, Unplug } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import {
  MONEY_TO_CHECK,
  moneyToCheckPath,
  type PaymentTasksResult,
  type TaskSearch,
} from "#lib/payments/tasks/rules.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { TaskRows } from "./task-rows.tsx";

interface TaskListProps {
  scope: Scope;
  search: TaskSearch;
  result: PaymentTasksResult;
}

/** Open and past decisions about money. */
export function TaskList({ scope, search, result }: TaskListProps) {
  const t = useTranslations("moneyToCheck");
  const isDecided = search.show !== null;
  return (
    <>
      <PageHeader
        title={t("title")}
        action={
          <PageLink href={scopePath(scope, "/payments")} className={buttonClass()}>
            {t("payments")}
          </PageLink>
        }
      />
      <p className="mb-4 max-w-2xl text-pretty text-muted">{t("intro")}</p>
      {"failure" in result ? (
        <RefreshFailure failure={result.failure} />
      ) : "absence" in result ? (
        <Absence absence={result.absence} />
      ) : (
        <>
          <div className="mb-4">
            <PageSwitch
              label={t("show.label")}
              pages={[
                {
                  href: MONEY_TO_CHECK,
                  label: t("show.open", { count: result.open }),
                  isCurrent: !isDecided,
                },
                {
                  href: `${MONEY_TO_CHECK}?show=decided`,
                  label: t("show.decided"),
                  isCurrent: isDecided,
                },
              ]}
            />
          </div>
          <KeysetList
            before={search.before}
            next={result.has_older ? (result.tasks.at(-1)?.id ?? null) : null}
            pathTo={(before) => moneyToCheckPath(scope, { ...search, before })}
            isEmpty={result.tasks.length === 0}
            empty={
              isDecided
                ? { icon: History, title: t("none.decidedTitle"), text: t("none.decidedText") }
                : { icon: CircleCheck, title: t("none.title"), text: t("none.text") }
            }
            noMatch={null}
          >
            <TaskRows tasks={result.tasks} />
          </KeysetList>
        </>
      )}
    </>
  );
}

function Absence({ absence }: Extract<PaymentTasksResult, { absence: unknown }>) {
  const t = useTranslations("moneyToCheck");
  return absence === "elsewhere" ? (
    <AccountElsewhere icon={Unplug} title={t("elsewhere.title")} text={t("elsewhere.text")} />
  ) : (
    <StatePanel icon={Unplug} title={t("notOffered.title")} text={t("notOffered.text")} />
  );
}
