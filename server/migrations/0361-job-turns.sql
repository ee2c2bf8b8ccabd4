-- Claims pass over the jobs of API keys that had their turn, by the index alone.
create index job_turn on job (run_at, id) include (api_key);
drop index job_due;
