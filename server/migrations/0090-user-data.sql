-- A request to delete all data of some users, worked off task by task.
create table user_data_deletion (
  api_key text not null references api_key on delete cascade,
  id text not null,
  -- Emptied when the last task is done: then nothing here names the users any more.
  user_ids text[] not null,
  -- Null: in every organization.
  organization_keys uuid[],
  task_count integer not null,
  tasks_done integer not null default 0,
  last_task_completed_at bigint,
  created_at bigint not null default now_ms(),
  primary key (api_key, id)
);
