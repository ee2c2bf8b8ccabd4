-- A sample of the latest requests of each API key, without bodies. Unlogged: writing them costs no write to the log of the
-- database, and after a crash the lists start anew. Nothing refers to the key: requests in flight may outlive it.
create unlogged table recent_request (
  api_key text not null,
  seq bigint generated always as identity,
  at bigint not null,
  operation text not null,
  status integer not null,
  duration_ms double precision not null,
  request_id text not null,
  error_status text,
  message text,
  primary key (api_key, seq)
);
