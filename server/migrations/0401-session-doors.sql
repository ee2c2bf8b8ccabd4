-- How a session was opened: a new password needs the old one, except right after a link. A session by the operator's
-- token belongs to nobody in `operator`; it lasts no longer than that token.
alter table operator_session
  add column door text not null default 'password',
  add column operator_token_hash text,
  drop constraint operator_session_check,
  add constraint operator_session_opener check (
    num_nonnulls(operator_id, workspace_id, operator_token_hash) = 1
    and (workspace_id is null) = (workspace_token_hash is null));
