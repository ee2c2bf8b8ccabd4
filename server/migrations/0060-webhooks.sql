-- Where events go: the endpoints that customers make (kind `advanced`), and the URLs of the basic config, which have the
-- ids `raw` and `processed`. Everything that decides about an event and builds its request is in this one row.
create table webhook_endpoint (
  api_key text not null references api_key on delete cascade,
  id text not null,
  kind text not null check (kind in ('advanced', 'raw', 'processed')),
  url text not null,
  description text not null default '',
  -- Null: every type but those that must be asked for by name.
  filter_types text[],
  channels text[],
  disabled boolean not null default false,
  rate_limit integer,
  uid text,
  metadata jsonb not null default '{}',
  -- Seconds before each retry; null: the standard schedule.
  retry_schedule integer[],
  -- One delivery at a time, in the order of the events.
  ordered boolean not null default false,
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  -- Copied from the config of the kind, whose updates keep them current.
  enabled boolean not null,
  encode boolean not null,
  -- Null: payloads are not encrypted.
  public_key text,
  protect boolean not null,
  active boolean not null generated always as (enabled and not disabled) stored,
  -- Since when attempts at this URL have failed without one success or a long pause; null after a success.
  failing_since bigint,
  last_failed_at bigint,
  -- Before this time nothing is sent: the next free slot of the rate limit, or the retry that an ordered endpoint waits
  -- for. Claiming moves it forward under a lock of this row, which makes it exact across processes.
  next_send_at double precision not null default 0,
  -- Until when at the latest the send that an ordered endpoint has under way is over, whatever becomes of its delivery.
  held_until double precision not null default 0,
  primary key (api_key, id)
) with (fillfactor = 70);

-- What deliveries are signed with, or the token of a basic URL. Several are valid while a rotation overlaps: the one
-- without an end is current.
create table webhook_secret (
  api_key text not null,
  endpoint_id text not null,
  seq bigint generated always as identity,
  sealed text not null,
  expires_at bigint,
  primary key (api_key, endpoint_id, seq),
  foreign key (api_key, endpoint_id) references webhook_endpoint on delete cascade
);

-- One event on its way to one endpoint: written in the transaction of the change, kept as the log of what was sent.
-- `ready`: to be sent now, unless it is claimed; `scheduled`: to be tried again at due_at.
create table webhook_delivery (
  api_key text not null,
  event_id text not null,
  endpoint_id text not null,
  event_type text not null,
  seq bigint generated always as identity,
  status text not null check (status in ('ready', 'scheduled', 'succeeded', 'failed', 'cancelled')),
  due_at bigint not null,
  -- Until when it is being sent; then it counts as lost with its process. 0: its last claim has ended. In no index, and
  -- pages are half empty, so that a claim touches no index.
  claimed_until bigint not null default 0,
  -- Attempts in all, which numbers them, and in the current run of the retry schedule.
  attempt integer not null default 0,
  tries integer not null default 0,
  created_at bigint not null default now_ms(),
  primary key (api_key, event_id, endpoint_id)
) with (fillfactor = 50);

create index webhook_delivery_of_endpoint on webhook_delivery (api_key, endpoint_id, event_id);

-- A queue per endpoint, so that a slow or throttled one is never in the way of another.
create index webhook_delivery_ready on webhook_delivery (api_key, endpoint_id, seq) where status = 'ready';

-- By which workers find what has come due, over all tenants.
create index webhook_delivery_due on webhook_delivery (due_at) where status = 'scheduled';

-- By which those of one endpoint are found, however many there are of others.
create index webhook_delivery_scheduled on webhook_delivery (api_key, endpoint_id) where status = 'scheduled';

-- Every attempt with the first 4 KiB of its answer. Event ids begin with their time, so ranges of them are ranges of
-- time: old attempts go away by dropping a partition. They alone are partitioned: a delivery that is still pending, and
-- the event that it needs, outlive the retention, so these go row by row.
create table webhook_attempt (
  api_key text not null,
  event_id text not null,
  endpoint_id text not null,
  number integer not null,
  sent_at bigint not null,
  duration_ms integer not null,
  url text not null,
  status integer,
  response text,
  error text,
  primary key (api_key, event_id, endpoint_id, number)
) partition by range (event_id);

create table webhook_attempt_rest partition of webhook_attempt default;
