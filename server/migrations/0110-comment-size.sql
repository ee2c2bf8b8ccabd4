-- How large threads and comments are as JSON, so that pages can be cut by bytes without reading what they hold.
alter table comment_annotation add column size integer not null generated always as (octet_length(record::text)) stored;
alter table comment add column size integer not null generated always as (octet_length(record::text)) stored;
