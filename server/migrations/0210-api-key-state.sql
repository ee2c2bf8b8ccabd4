-- A disabled key keeps its data and its tokens are refused. A deleting key is hidden while a job removes its data.
alter table api_key
  add column disabled boolean not null default false,
  add column deleting boolean not null default false;
