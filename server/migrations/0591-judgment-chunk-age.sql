-- When a chunk was stored. Processes of two versions, or with two master keys in front, must not make each other's chunks
-- again in turn: for a day, they leave them alone.
alter table judgment_chunk add made_at bigint not null default 0;
