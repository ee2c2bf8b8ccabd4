-- Epoch milliseconds by this database's clock: every time of the schema is a bigint of this unit.
create function now_ms() returns bigint
language sql volatile parallel safe
as $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$;

-- The first event id of a week, counted from 1970: ids begin with 50 bits of their time in base 32.
create function first_id_of_week(week bigint) returns text
language sql immutable parallel safe
as $$
  select 'msg_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', ((week * 604800000) >> (5 * place) & 31)::integer + 1, 1),
    '' order by place desc)
  from generate_series(0, 9) place
$$;

-- Makes the partition of a week of event ids. What is already written of that week stays in the default partition.
create function make_week(partitioned text, week bigint) returns void
language plpgsql
as $$
begin
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
    partitioned || '_w' || week, partitioned, first_id_of_week(week), first_id_of_week(week + 1));
exception when check_violation or duplicate_table or unique_violation then
  -- The last two: another process makes it at the same time.
  null;
end
$$;

-- A public event, written in the transaction of its change. `id` is stable over every delivery. Its shapes are `json`, not
-- `jsonb`: they are only ever written and sent, and keep the order of their fields. Ids begin with their time: what is old
-- goes away by dropping a partition.
create table event (
  api_key text not null,
  id text not null,
  type text not null,
  organization_id text not null,
  document_id text,
  advanced json not null,
  basic json not null,
  processed json not null,
  created_at bigint not null default now_ms(),
  primary key (api_key, id)
) partition by range (id);

create table event_rest partition of event default;
select make_week('event', now_ms() / 604800000 + ahead) from generate_series(0, 2) ahead;

-- Work to do after the commit that enqueued it. A row goes away in the transaction of its job.
create table job (
  api_key text not null,
  id bigint generated always as identity,
  workspace_id text not null,
  name text not null,
  payload jsonb not null,
  run_at bigint not null,
  locked_until bigint not null default 0,
  attempt integer not null default 0,
  last_error text,
  primary key (api_key, id)
);

-- By which workers claim, over all tenants.
create index job_due on job (run_at, id);

-- The first answer to a call with an Idempotency-Key; `owner` is an API key or a workspace id.
create table idempotency_key (
  owner text not null,
  operation text not null,
  key bytea not null,
  body bytea not null,
  answer text not null,
  expires_at bigint not null,
  primary key (owner, operation, key)
);

create index idempotency_key_expiry on idempotency_key (expires_at);
