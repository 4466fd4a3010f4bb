-- Null: as the browser asks for it, and the Gregorian calendar alone.
alter table app_user
  add column language text check (language in ('en', 'ne')),
  add column second_calendar text check (second_calendar in ('bikram_sambat'));
