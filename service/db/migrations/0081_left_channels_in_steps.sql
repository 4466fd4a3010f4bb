-- All statements name the seller, and the index of what is due did not. So the planner filtered and
-- sorted a channel's whole queue, or read the seller's messages of 400 days.
drop index message_due;
create index message_due on message (seller_id, channel_id, next_at)
  where state = 'queued' and kind <> 'code';

-- Channels that were switched off or removed: until then, queued messages are looked for that still
-- have one of them. The request moves the first to other channels, and the worker the rest.
alter table seller add column lost_channels bigint[] not null default '{}',
  add column lost_until timestamptz;
create index seller_with_lost_channels on seller (seller_id) where lost_until is not null;

-- Removing a channel emptied channel_id in all its messages of 400 days in one statement, for which
-- buyers' codes waited. Now messages keep the id: no other channel ever gets it, and whoever shows a
-- channel joins it.
alter table message drop constraint message_channel_id_fkey;
