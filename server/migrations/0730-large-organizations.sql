-- By docs/decisions/planned-rows.md: the planner takes an API key for half of a table, and an organization for half of
-- that. With less, it compared each record of a page with each other one where a database has one large organization.
do $$
declare
  tables record;
begin
  for tables in
    select c.oid::regclass as name, o.attname is not null as has_organization
    from pg_class c
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'api_key'
    left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_key'
    where c.relnamespace = (select relnamespace from pg_class where oid = 'migration'::regclass) and c.relkind = 'r' and not c.relispartition
      and (o.attname is not null or c.relname in ('organization', 'app_user'))
    order by 1
  loop
    execute format('alter table %s alter column api_key set (n_distinct = 2)', tables.name);
    if tables.has_organization then
      execute format('alter table %s alter column organization_key set (n_distinct = 2)', tables.name);
    end if;
    if pg_relation_size(tables.name) > 0 then
      execute format('analyze %s', tables.name);
    end if;
  end loop;
end $$;
