-- Both halves have columns of the same types. Otherwise the planner takes neither in the order of its index, and a page
-- of the latest deliveries reads and sorts all of the API key.
create or replace view webhook_delivery as
select api_key, event_id, endpoint_id, event_type, seq, true as pending, status, due_at, claimed_until, attempt,
  null::bigint as sent_at, null::integer as duration_ms, null::text as url, null::integer as http_status,
  null::text as response, null::text as error
from webhook_pending
union all
select api_key, event_id, endpoint_id, event_type, seq, false, status, null::bigint, 0::bigint, attempt, sent_at,
  duration_ms, url, http_status, response, error
from webhook_settled;
