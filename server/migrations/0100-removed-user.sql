-- Users taken out of an organization: they stay out, of its public resources too, until they are added again.
create table removed_user (
  api_key text not null,
  organization_key uuid not null,
  user_key uuid not null,
  removed_at bigint not null default now_ms(),
  primary key (api_key, user_key, organization_key),
  foreign key (api_key, organization_key) references organization (api_key, key) on delete cascade,
  foreign key (api_key, user_key) references app_user (api_key, key) on delete cascade
);
create index removed_user_of_organization on removed_user (api_key, organization_key);
