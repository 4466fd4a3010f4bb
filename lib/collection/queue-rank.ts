import { LAST_GRACE_DAYS, STALE_CHECKOUT_DAYS } from "./rules.ts";

/** SQL of the days overdue, left, until billing and waiting; all arguments are SQL. */
export const daysSql = ({
  day,
  grace,
  status,
  since,
  next,
  created,
}: Record<"day" | "grace" | "status" | "since" | "next" | "created", string>) => `
  greatest(0, ${day} - case when ${status} = 'due' then ${next} else ${since} end) as overdue,
  case when ${grace} is not null and ${next} is not null
       then greatest(0, ${next} + ${grace} - ${day}) end as left_days,
  greatest(0, ${next} - ${day}) as until_days,
  greatest(0, ${day} - ${created}) as waiting_days`;

/** The CTEs `turned` and `placed`: the rank of each row of `stood`. */
export const rankedCtes = ({ day, todayStart }: Record<"day" | "todayStart", string>) => `
    turned as (
      select *, case status when 'due' then case when left_days <= ${LAST_GRACE_DAYS} then 'grace' else 'due' end
                  when 'owing' then 'due' when 'active' then 'soon' else 'waiting' end as grp,
             case when is_about and snoozed_until > ${day} then 'snoozed'
                  when is_about and promised_for >= ${day} then 'promised'
                  when last_contact_at >= ${todayStart} then 'handled' else 'now' end as turn,
             coalesce(is_about and promised_for < ${day}, false) as is_broken
        from stood
    ), placed as (
      select *, case turn when 'promised' then 7 when 'handled' then 8 when 'snoozed' then 9
             else case when grp = 'grace' then 0 when is_broken then 1 when is_failed then 2
                       when grp = 'due' then 3 when grp = 'soon' then 5
                       when waiting_days > ${STALE_CHECKOUT_DAYS} then 6 else 4 end end as band,
             case turn when 'snoozed' then snoozed_until - ${day}
                       when 'promised' then promised_for - ${day}
             else coalesce(case status when 'due' then coalesce(left_days, -overdue)
                  when 'owing' then -overdue
                  when 'active' then until_days else waiting_days end, 0) end as days
        from turned
    )`;
