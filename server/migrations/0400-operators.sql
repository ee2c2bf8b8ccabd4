-- People who run the installation, or one workspace of it. `password` is a salted scrypt hash; null: none is set.
create table operator (
  id text primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('operator', 'admin', 'developer', 'reviewer', 'viewer')),
  workspace_id text references workspace on delete cascade,
  password text,
  created_at bigint not null default now_ms()
);

create unique index operator_email on operator (lower(email));

create index operator_of_workspace on operator (workspace_id);

-- One-time sign-in links, by the hash of their token.
create table operator_link (
  hash text primary key,
  operator_id text not null references operator on delete cascade,
  expires_at bigint not null
);

create index operator_link_of_operator on operator_link (operator_id);

-- Sessions of the console, by the hash of the cookie. One without an operator was opened with the token of the workspace,
-- and lasts no longer than that token.
create table operator_session (
  hash text primary key,
  operator_id text references operator on delete cascade,
  workspace_id text references workspace on delete cascade,
  workspace_token_hash text,
  created_at bigint not null default now_ms(),
  seen_at bigint not null default now_ms(),
  check ((operator_id is null) = (workspace_id is not null and workspace_token_hash is not null))
);

create index operator_session_of_operator on operator_session (operator_id);
create index operator_session_of_workspace on operator_session (workspace_id);
create index operator_session_seen on operator_session (seen_at);

-- Administrative changes, chained by their hashes. Nothing refers to what they are about, because it may be deleted.
create table audit_record (
  seq bigint primary key,
  at bigint not null,
  actor text not null,
  role text not null,
  door text not null,
  address text not null,
  action text not null,
  workspace_id text,
  about_key text,
  detail jsonb not null,
  previous text not null,
  hash text not null
);

create index audit_record_of_workspace on audit_record (workspace_id, seq);
create index audit_record_of_action on audit_record (action, seq);
