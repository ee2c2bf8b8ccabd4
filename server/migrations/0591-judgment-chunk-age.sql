-- When a chunk was stored: a process of an older version does not undo at once what one of a newer version has made.
alter table judgment_chunk add made_at bigint not null default 0;
