-- outside of a transaction
-- Threads whose review has not ended are asked for most, and are few of all.
create index concurrently comment_annotation_under_review on comment_annotation
  (api_key, organization_key, updated_at, key)
  where record #>> '{status,type}' <> 'terminal';
