-- What a worker noticed in the judgments of an API key. It holds numbers, kinds of content and keys, no words of judgments.
create table memory_alert (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  alert_id text not null,
  alert_type text not null,
  severity text not null check (severity in ('high', 'medium', 'low')),
  -- What it is about; the same is not raised again soon.
  dedup_key text not null,
  content_type text,
  metric text not null,
  baseline double precision not null,
  current double precision not null,
  window_days integer not null,
  judgments uuid[] not null,
  knowledge_key uuid,
  status text not null default 'active' check (status in ('active', 'dismissed', 'done')),
  created_at bigint not null default now_ms(),
  primary key (api_key, key)
);

create index memory_alert_order on memory_alert (api_key, created_at, key);

-- How far the judgments of an API key have been looked through for alerts, and what its owner wants to be told.
create table memory_alerting (
  api_key text not null references api_key on delete cascade,
  change bigint not null default 0,
  due_at bigint not null default 0,
  config jsonb not null default '{"enabled": true}',
  primary key (api_key)
);
