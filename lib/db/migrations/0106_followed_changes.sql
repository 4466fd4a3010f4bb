-- A service that offers a feed of changes is followed: where the feed stands, and since when it is read.
alter table mirror
  add column feed_cursor text,
  add column followed_from timestamptz;

create function forget_feed() returns trigger language plpgsql as $$
begin
  new.feed_cursor := null;
  new.followed_from := null;
  return new;
end $$;
-- Another version of the index begins with a cursor of its own.
create trigger mirror_other_version before update of copy on mirror
  for each row when (old.copy <> new.copy) execute function forget_feed();
