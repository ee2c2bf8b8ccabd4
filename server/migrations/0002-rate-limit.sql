-- Calls counted per limit and subject. Unlogged: counting costs no write to the log of the database, and after a crash
-- every limit starts anew.
create unlogged table rate_limit (
  key text primary key,
  points integer not null,
  resets_at bigint not null
);
