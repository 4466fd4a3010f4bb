import "server-only";

/**
 * What a query asks of a row of `membership` and the seller it belongs to: the one place that says who is
 * kept out.
 * @param names of the two tables in that query
 */
export const lacksSecondFactor = ({ seller, member }: { seller: string; member: string }) =>
  `${seller}.demands_second_factor and not exists (
     select 1 from second_factor f
      where f.user_id = ${member}.user_id and f.confirmed_at is not null)`;
