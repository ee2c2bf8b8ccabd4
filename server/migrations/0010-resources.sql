-- Ids that callers choose are up to 256 code points; `key` is the first 16 bytes of their SHA-256, so that composite
-- keys stay small whatever the id. `access_type` null: not set here, inherited.

create table organization (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  id text not null,
  seq bigint generated always as identity,
  name text,
  disabled boolean not null default false,
  metadata jsonb not null default '{}',
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, key)
);

create index organization_order on organization (api_key, seq);

create table folder (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  seq bigint generated always as identity,
  name text,
  parent_key uuid,
  -- Keys of the ancestors from the top downward, ending with the direct parent; empty for a top-level folder.
  path uuid[] not null default '{}',
  access_type text check (access_type in ('public', 'restricted', 'organizationPrivate')),
  inherit_access boolean not null default false,
  metadata jsonb not null default '{}',
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, key, organization_key),
  foreign key (api_key, organization_key) references organization on delete cascade,
  foreign key (api_key, parent_key, organization_key) references folder on delete cascade
);

-- Until a table has statistics, the planner takes an organization for a single row and any index that begins with it for
-- as good as the one that fits; of equals it takes the smaller. So each index begins with what tells rows apart, the
-- order of an organization is reached through the text of its key, and an included column keeps duplicates uncompressed.
create index folder_order on folder (api_key, (organization_key::text), seq);
create index folder_children on folder (api_key, parent_key, organization_key) include (seq);
-- With them, it learns that the columns are not independent.
create statistics folder_organization (ndistinct, dependencies) on api_key, organization_key from folder;

create table document (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  seq bigint generated always as identity,
  name text,
  folder_key uuid,
  access_type text check (access_type in ('public', 'restricted', 'organizationPrivate')),
  disabled boolean not null default false,
  metadata jsonb not null default '{}',
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, organization_key, key),
  foreign key (api_key, organization_key) references organization on delete cascade,
  foreign key (api_key, folder_key, organization_key) references folder on delete cascade
);

-- As the indexes of folder.
create index document_order on document (api_key, (organization_key::text), seq);
create index document_of_folder on document (api_key, folder_key, organization_key) include (seq);
-- Location data is deleted by document id over all organizations of a key.
create index document_by_key on document (api_key, (key::text));
create statistics document_organization (ndistinct, dependencies) on api_key, organization_key from document;

-- The profile of a user under an API key; where it has access is in access_grant. What was never stated is null and
-- derived on read: the name from the id, the initial from the name. `profile` holds the further fields of a user.
create table app_user (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  id text not null,
  name text,
  email text,
  initial text,
  profile jsonb not null default '{}',
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, key)
);

-- One user's access to one resource; an organization's row is the membership. `resource_key` of an organization is its
-- own key. `role` null: not stated, editor. `expires_at` null: for good.
create table access_grant (
  api_key text not null,
  organization_key uuid not null,
  resource_type text not null check (resource_type in ('organization', 'folder', 'document')),
  resource_key uuid not null,
  user_key uuid not null,
  seq bigint generated always as identity,
  role text check (role in ('viewer', 'editor')),
  expires_at bigint,
  created_at bigint not null default now_ms(),
  -- A user's grants lie together: a check probes the whole chain of a resource in one place.
  primary key (api_key, user_key, organization_key, resource_key, resource_type),
  foreign key (api_key, organization_key) references organization on delete cascade,
  foreign key (api_key, user_key) references app_user on delete cascade
);

create index access_grant_order on access_grant (api_key, organization_key, resource_type, resource_key, seq);

create table user_group (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  name text,
  created_at bigint not null default now_ms(),
  primary key (api_key, organization_key, key),
  foreign key (api_key, organization_key) references organization on delete cascade
);

create table user_group_member (
  api_key text not null,
  organization_key uuid not null,
  group_key uuid not null,
  user_key uuid not null,
  primary key (api_key, organization_key, group_key, user_key),
  foreign key (api_key, organization_key, group_key) references user_group on delete cascade,
  foreign key (api_key, user_key) references app_user on delete cascade
);

create index user_group_member_of_user on user_group_member (api_key, user_key, organization_key);
