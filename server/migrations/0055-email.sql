-- An email to one user about what happened to threads: written in the transaction of the change, kept as the log of what
-- was sent. `collecting`: a batch that takes further activities until it is full or due; `waiting`: to be sent at due_at;
-- `sending`: claimed, until due_at; the rest are settled, since due_at.
create table email (
  api_key text not null,
  id text not null,
  organization_key uuid not null,
  user_key uuid not null,
  -- The user as known when it was written.
  person jsonb not null,
  -- What is gathered in it: the key of a document, or `user`. Null: it tells of one activity.
  batch text,
  activities integer not null,
  status text not null check (status in ('collecting', 'waiting', 'sending', 'sent', 'failed', 'skipped')),
  due_at bigint not null,
  attempt integer not null default 0,
  -- Why it was not sent, or not at the last attempt.
  error text,
  primary key (api_key, id),
  foreign key (api_key, organization_key) references organization on delete cascade
) with (fillfactor = 80);

create unique index email_collecting on email (api_key, organization_key, user_key, batch) where status = 'collecting';
create index email_of_organization on email (api_key, organization_key);

-- By which workers find what has come due, over all tenants.
create index email_due on email (due_at) where status in ('collecting', 'waiting', 'sending');

-- By which the log is pruned.
create index email_settled on email (api_key, due_at) where status in ('sent', 'failed', 'skipped');

-- What an email tells of. The words of the thread are not copied: they are read where they are kept when it is sent, and
-- what is deleted before is not told.
create table email_activity (
  api_key text not null,
  email_id text not null,
  seq bigint generated always as identity,
  organization_key uuid not null,
  annotation_key uuid not null,
  comment_id bigint,
  -- The notification in the inbox that tells of the same; null without one.
  notification_key uuid,
  event_type text not null,
  kind text not null check (kind in ('mention', 'thread', 'reply', 'assignment', 'status', 'priority')),
  is_addressed boolean not null,
  said jsonb not null,
  primary key (api_key, email_id, seq),
  foreign key (api_key, email_id) references email on delete cascade,
  foreign key (api_key, organization_key, annotation_key) references comment_annotation on delete cascade,
  foreign key (api_key, organization_key, annotation_key, comment_id) references comment on delete cascade
);

create index email_activity_of_annotation
  on email_activity (api_key, organization_key, annotation_key, comment_id);
