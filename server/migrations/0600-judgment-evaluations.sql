-- Evaluations of the decision memory: what search and suggestions would have answered to the past of an API key.
create table judgment_evaluation (
  api_key text not null references api_key on delete cascade,
  id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  -- The judgments since then are asked about. Null: not known before it runs.
  asked_from bigint,
  -- How many judgments have been read, of how many.
  read bigint not null default 0,
  total bigint,
  attempt integer not null default 0,
  -- Claimed until then.
  due_at bigint not null default 0,
  report jsonb,
  created_at bigint not null default now_ms(),
  finished_at bigint,
  primary key (api_key, id)
);

-- One at a time, and what a worker looks for.
create unique index judgment_evaluation_unfinished on judgment_evaluation (api_key) where status in ('queued', 'running');
