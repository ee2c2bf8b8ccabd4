-- The processes that run now, each by the row it renews every ten seconds. Unlogged: it holds nothing to keep.
create unlogged table service_process (
  id text primary key,
  host text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at bigint not null,
  seen_at bigint not null,
  -- What the process measured since the beat before.
  state jsonb not null
);
