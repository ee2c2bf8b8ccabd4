-- How far the judgments of an API key are embedded by a model. Its row lock is held to the commit of vectors, so that
-- they become visible in the order of their numbers.
create table judgment_embedding (
  api_key text not null references api_key on delete cascade,
  model text not null,
  -- The numbers of the changes to judgments that have been seen to.
  done int8multirange not null default '{}',
  -- Whether all judgments have been seen to at one time: from then on vectors take part in searches.
  is_complete boolean not null default false,
  dimensions integer,
  -- The cosine of two texts that have nothing to do with each other: its mean and its deviation.
  off_topic_mean double precision,
  off_topic_deviation double precision,
  -- The number of the last vector.
  vector bigint not null default 0,
  attempt integer not null default 0,
  -- Not worked on before.
  due_at bigint not null default 0,
  -- Why the last attempt failed.
  error text,
  primary key (api_key, model)
);

-- The vector of one text of a judgment: of decision and reasoning (`review`), or of what was reviewed (`content`).
create table judgment_vector (
  api_key text not null,
  key uuid not null,
  field text not null check (field in ('review', 'content')),
  model text not null,
  number bigint not null,
  -- Of the text, md5.
  text_hash uuid not null,
  -- Of length 1; null: there is no text, or the model takes none like it.
  embedding real[],
  primary key (api_key, key, field, model),
  foreign key (api_key, key) references judgment on delete cascade
);

create index judgment_vector_number on judgment_vector (api_key, model, field, number);

-- They do not compress; kept beside the rows, each would be looked up on its own.
alter table judgment_vector alter column embedding set storage main;
