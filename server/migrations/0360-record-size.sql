-- How large records are as JSON, so that pages can be cut by bytes without reading what they hold.
alter table organization add column size integer not null generated always as (octet_length(metadata::text)) stored;
alter table folder add column size integer not null generated always as (octet_length(metadata::text)) stored;
alter table document add column size integer not null generated always as (octet_length(metadata::text)) stored;
alter table app_user add column size integer not null generated always as (octet_length(profile::text)) stored;
alter table notification add column size integer not null generated always as (octet_length(record::text)) stored;
alter table recording add column size integer not null generated always as (octet_length(record::text)) stored;
alter table reaction add column size integer not null generated always as (octet_length(record::text)) stored;
