create table workspace (
  id text primary key,
  name text not null,
  owner_id text not null,
  owner_email text not null,
  owner_name text not null,
  owner_avatar text,
  token_hash text not null,
  token_sealed text not null,
  created_at bigint not null default now_ms()
);

-- Emails compare case-insensitively; a workspace name is taken once per owner.
create unique index workspace_owner_name on workspace (lower(owner_email), name);

create table api_key (
  id text primary key,
  workspace_id text not null references workspace on delete cascade,
  owner_email text not null,
  name text not null,
  type text not null check (type in ('testing', 'production')),
  seq bigint generated always as identity,
  created_at bigint not null default now_ms()
);

create index api_key_of_workspace on api_key (workspace_id, seq);

-- The token of an API key: verified by its keyed hash, sealed so that it can be shown again.
create table auth_token (
  api_key text not null references api_key on delete cascade,
  name text not null,
  hash text not null,
  sealed text not null,
  created_at bigint not null default now_ms(),
  primary key (api_key, name)
);

-- Browser origins that may read answers, as bare hosts or `*.host`.
create table allowed_domain (
  api_key text not null references api_key on delete cascade,
  domain text not null,
  primary key (api_key, domain)
);

-- By which a preflight, which carries no API key, is answered.
create index allowed_domain_by_domain on allowed_domain (domain);

-- Stored settings by name; the secret fields of a setting are kept together in `sealed`.
create table setting (
  api_key text not null references api_key on delete cascade,
  name text not null,
  value jsonb not null,
  sealed text,
  updated_at bigint not null default now_ms(),
  primary key (api_key, name)
);
