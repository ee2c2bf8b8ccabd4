-- Users who held access to an organization or to something in it, for the export of their data.
create table former_access (
  api_key text not null,
  organization_key uuid not null,
  user_key uuid not null,
  primary key (api_key, user_key, organization_key),
  foreign key (api_key, organization_key) references organization (api_key, key) on delete cascade,
  foreign key (api_key, user_key) references app_user (api_key, key) on delete cascade
);
create index former_access_of_organization on former_access (api_key, organization_key);
alter table former_access
  alter column api_key set (n_distinct = 20),
  alter column organization_key set (n_distinct = 20);
