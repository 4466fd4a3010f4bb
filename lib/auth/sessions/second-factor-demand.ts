import "server-only";

/**
 * An SQL condition on a row of `membership` and its seller: the only place that defines who lacks a required
 * second factor.
 * @param names SQL names of the two tables
 */
export const lacksSecondFactorSql = ({ seller, member }: { seller: string; member: string }) =>
  `${seller}.demands_second_factor and not exists (
     select 1 from second_factor f
      where f.user_id = ${member}.user_id and f.confirmed_at is not null)`;
