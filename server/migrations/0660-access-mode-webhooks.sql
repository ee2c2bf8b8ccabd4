-- Basic webhooks tell of a changed visibility too, unless its trigger was stored as false.
update webhook_endpoint t
set filter_types = t.filter_types || 'comment_annotation.access_mode_change'::text
where t.kind in ('raw', 'processed')
  and 'comment_annotation.access_mode_change' <> all(t.filter_types)
  and not exists (
    select
    from setting s
    where s.api_key = t.api_key and s.name = 'webhook'
      and s.value::text ~ '"(accessModeChanged|comment_annotation\.access_mode_change)": false');
