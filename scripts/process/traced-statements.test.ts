import { expect, test } from "vitest";
import { statementSummary } from "./traced-statements.ts";

test.each([
  ["select s.id from subscription s where s.id = $1", "select subscription"],
  ["insert into audit_log (seller_id) values ($1)", "insert audit_log"],
  ["update mirror m set claim = null", "update mirror"],
  ["with held as (update mirror set x = 1) insert into mirror_round", "update mirror"],
  ["with a as (select 1) insert into subscription select $1", "insert subscription"],
  ["delete from session where id = $1", "delete session"],
  ["begin", "begin"],
  ["select 'Saraswati' as name", "select"],
])("in traces the SQL statement %s is named %s, without its values", (text, summary) => {
  expect(statementSummary(text)).toBe(summary);
});
