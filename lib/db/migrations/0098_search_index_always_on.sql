-- The search index belongs to a connected key: it can no longer be switched off. One that was off starts
-- anew; its rows were deleted when it was switched off.
update mirror
   set is_on = true, copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}',
       round_wanted_at = null, error = null, failures = 0, wait_until = null, claim = null,
       claimed_until = null, due_at = now()
 where not is_on;
alter table mirror add constraint mirror_is_on check (is_on);
