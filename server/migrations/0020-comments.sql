-- A comment thread at a place in a document. `record` is what was said of it; the columns beside it are what threads are
-- found by. An id is unique in its organization.
create table comment_annotation (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  document_key uuid not null,
  -- Which thread of its document it was, from 1 on; numbers of threads that were not added or are gone are left out.
  number bigint not null,
  location_key uuid,
  from_key uuid not null,
  status_id text not null,
  resolved_by_key uuid,
  agent_key uuid,
  execution_key uuid,
  record jsonb not null,
  created_at bigint not null,
  -- Never before created_at.
  updated_at bigint not null,
  foreign key (api_key, organization_key, document_key) references document on delete cascade
);

-- Lists are ordered by the time of the last change: one index for each thing that they are narrowed by.
create index comment_annotation_order on comment_annotation (api_key, organization_key, updated_at, key);
create index comment_annotation_created on comment_annotation (api_key, organization_key, created_at);
create index comment_annotation_of_document
  on comment_annotation (api_key, organization_key, document_key, updated_at, key);
create index comment_annotation_from on comment_annotation (api_key, organization_key, from_key, updated_at, key);
create index comment_annotation_status on comment_annotation (api_key, organization_key, status_id, updated_at, key);
create index comment_annotation_at_location
  on comment_annotation (api_key, organization_key, location_key, updated_at, key) where location_key is not null;
create index comment_annotation_resolved_by
  on comment_annotation (api_key, organization_key, resolved_by_key, updated_at, key) where resolved_by_key is not null;
create index comment_annotation_agent
  on comment_annotation (api_key, organization_key, agent_key, updated_at, key) where agent_key is not null;
create index comment_annotation_execution
  on comment_annotation (api_key, organization_key, execution_key, updated_at, key) where execution_key is not null;
-- The last, because until a table has statistics the youngest of seemingly equal indexes is taken, and every comment that
-- is written looks up its thread.
alter table comment_annotation add primary key (api_key, organization_key, key);

-- How many numbers the threads of a document have taken. Its row lock makes those that add threads take turns.
create table comment_annotation_count (
  api_key text not null,
  organization_key uuid not null,
  document_key uuid not null,
  count bigint not null,
  primary key (api_key, organization_key, document_key),
  foreign key (api_key, organization_key, document_key) references document on delete cascade
);

-- A comment of a thread; its id is unique in the thread, `seq` is the order in which comments were added.
create table comment (
  api_key text not null,
  organization_key uuid not null,
  annotation_key uuid not null,
  id bigint not null,
  seq bigint generated always as identity,
  record jsonb not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (api_key, organization_key, annotation_key, id),
  foreign key (api_key, organization_key, annotation_key) references comment_annotation on delete cascade
);

-- Everyone whom a thread concerns. `subscription` null: never subscribed; off: unsubscribed by wish, which lasts.
create table comment_participant (
  api_key text not null,
  organization_key uuid not null,
  annotation_key uuid not null,
  user_key uuid not null,
  person jsonb not null,
  is_author boolean not null,
  is_mentioned boolean not null,
  subscription text check (subscription in ('auto', 'manual', 'off')),
  viewed_at bigint,
  primary key (api_key, organization_key, annotation_key, user_key),
  foreign key (api_key, organization_key, annotation_key) references comment_annotation on delete cascade
);

create index comment_participant_of_user on comment_participant (api_key, user_key, organization_key, annotation_key);

-- One user's reaction to a comment, or to a thread as a whole (`comment_id` null).
create table reaction (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  document_key uuid not null,
  annotation_key uuid not null,
  comment_id bigint,
  location_key uuid,
  from_key uuid not null,
  seq bigint generated always as identity,
  record jsonb not null,
  created_at bigint not null,
  primary key (api_key, organization_key, key),
  foreign key (api_key, organization_key, annotation_key) references comment_annotation on delete cascade,
  foreign key (api_key, organization_key, annotation_key, comment_id) references comment on delete cascade
);

create index reaction_order on reaction (api_key, organization_key, seq);
create index reaction_of_document on reaction (api_key, organization_key, document_key, seq);
create index reaction_of_annotation on reaction (api_key, organization_key, annotation_key, comment_id, seq);
create index reaction_of_user on reaction (api_key, from_key, seq);
