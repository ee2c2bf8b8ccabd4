-- The span (W3C traceparent) in which an event was written or a job enqueued, so that workers continue its trace. Null
-- while nothing is traced.
alter table event add column traceparent text;
alter table job add column traceparent text;
