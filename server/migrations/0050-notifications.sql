-- What users are told. `record` is what was said; the columns beside it are what notifications are found by. An id is
-- unique in its organization.
create table notification (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  document_key uuid not null,
  location_key uuid,
  -- The thread and the comment that it tells of, with which it goes.
  annotation_key uuid,
  comment_id bigint,
  actor_key uuid,
  record jsonb not null,
  "timestamp" bigint not null,
  foreign key (api_key, organization_key, document_key) references document on delete cascade,
  foreign key (api_key, organization_key, annotation_key) references comment_annotation on delete cascade,
  foreign key (api_key, organization_key, annotation_key, comment_id) references comment on delete cascade
);

create index notification_order on notification (api_key, organization_key, "timestamp", key);
create index notification_of_document on notification (api_key, organization_key, document_key, "timestamp", key);
create index notification_of_actor
  on notification (api_key, actor_key, organization_key, "timestamp", key) where actor_key is not null;
-- Location data is deleted by document id over all organizations of a key.
create index notification_at_location
  on notification (api_key, document_key, location_key) where location_key is not null;
-- In this order, and with these columns, because until a table has statistics the youngest of seemingly equal indexes
-- is taken.
alter table notification add primary key (api_key, organization_key, key);
create index notification_of_annotation
  on notification (api_key, annotation_key, organization_key, comment_id) where annotation_key is not null;

-- One user's copy of a notification.
create table notification_recipient (
  api_key text not null,
  organization_key uuid not null,
  notification_key uuid not null,
  user_key uuid not null,
  person jsonb not null,
  -- That of the notification.
  "timestamp" bigint not null,
  for_you boolean not null,
  read_at bigint,
  -- The copy is gone; its row stays so that the notification is not delivered to the user again.
  is_deleted boolean not null default false,
  -- When it appears in the inbox, in epoch milliseconds, and so its place there: what appears is the newest.
  due_at bigint not null,
  -- The batch it waits in while that is open: the document, or the organization for all that waits for the user.
  batch uuid,
  foreign key (api_key, organization_key, notification_key) references notification on delete cascade
);

create index notification_recipient_of_user
  on notification_recipient (api_key, user_key, organization_key, "timestamp", notification_key);
create index notification_recipient_in_inbox
  on notification_recipient (api_key, user_key, organization_key, due_at, notification_key);
create index notification_recipient_in_batch
  on notification_recipient (api_key, organization_key, user_key, batch) where batch is not null;
-- The last for the same reason.
alter table notification_recipient add primary key (api_key, organization_key, notification_key, user_key);

-- What a user wants to be told, by channel: in a document, or (`document_key` null) in all others of the organization.
-- Null: not set here.
create table notification_preference (
  api_key text not null,
  organization_key uuid not null,
  user_key uuid not null,
  document_key uuid,
  -- The document, or zero.
  scope uuid not null generated always as (coalesce(document_key, '00000000-0000-0000-0000-000000000000')) stored,
  inbox text check (inbox in ('ALL', 'MINE', 'NONE')),
  email text check (email in ('ALL', 'MINE', 'NONE')),
  slack text check (slack in ('ALL', 'MINE', 'NONE')),
  primary key (api_key, organization_key, user_key, scope),
  foreign key (api_key, organization_key) references organization on delete cascade,
  foreign key (api_key, organization_key, document_key) references document on delete cascade
);

create index notification_preference_of_document
  on notification_preference (api_key, organization_key, document_key) where document_key is not null;
create index notification_preference_of_user on notification_preference (api_key, user_key);
